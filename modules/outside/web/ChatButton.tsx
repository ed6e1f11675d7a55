import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Dialog } from '../../../ui/controls/Dialog.tsx'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import styles from './outside.module.css'

const prefix = 'chatwoot-widget:'

/** What a conversation is known by at the service, while this tab lives: whoever opens the chat again goes on with it. */
let conversation: string | null = null

/** @returns what the frame tells, or null for anything else */
export function readFrameMessage(data: unknown): { readonly event: string; readonly token: string | null } | null {
  if (typeof data !== 'string' || !data.startsWith(prefix)) return null
  try {
    const said = JSON.parse(data.slice(prefix.length)) as { event?: unknown; config?: { authToken?: unknown } }
    const token = said.config?.authToken
    return typeof said.event === 'string'
      ? { event: said.event, token: typeof token === 'string' && /^[\w.-]{1,2000}$/.test(token) ? token : null }
      : null
  } catch {
    return null
  }
}

/** T-02: Chatwoot’s widget in a frame of its own origin, spoken to as its SDK does; it comes when it is opened, and goes when it is closed. */
export function ChatButton({ address, token }: { address: string; token: string }): ReactNode {
  const text = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <div className={styles['chat']}>
        <Button size="md" onClick={() => setOpen(true)}>
          {text('outside.chat_open')}
        </Button>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} title={text('outside.chat')}>
        <ChatFrame address={address} token={token} />
      </Dialog>
    </>
  )
}

function ChatFrame({ address, token }: { address: string; token: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const frame = useRef<HTMLIFrameElement>(null)
  const [source] = useState(() => {
    const url = new URL(`${address}/widget`)
    url.searchParams.set('website_token', token)
    if (conversation !== null) url.searchParams.set('cw_conversation', conversation)
    return url.href
  })
  useEffect(() => {
    const { origin } = new URL(address)
    const tell = (event: string, said: object) =>
      frame.current?.contentWindow?.postMessage(`${prefix}${JSON.stringify({ event, ...said })}`, origin)
    const hear = ({ origin: from, source: sender, data }: MessageEvent<unknown>) => {
      if (from !== origin || sender !== frame.current?.contentWindow) return
      const said = readFrameMessage(data)
      if (said?.event !== 'loaded') return
      conversation = said.token ?? conversation
      tell('config-set', {
        locale,
        position: 'right',
        hideMessageBubble: true,
        showPopoutButton: false,
        widgetStyle: 'standard',
        darkMode: 'auto',
      })
      tell('toggle-open', { isOpen: true })
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [address, locale])
  return (
    <iframe
      ref={frame}
      className={styles['frame']}
      src={source}
      title={text('outside.chat_frame')}
      referrerPolicy="no-referrer"
      // It is of another origin, so it cannot take the sandbox away.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
    />
  )
}
