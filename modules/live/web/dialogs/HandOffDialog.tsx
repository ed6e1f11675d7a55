import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { QrCode } from '../../../../ui/controls/QrCode.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { createHandOff } from '../../contract/endpoints.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { handOffLink, sealToken } from '../links/hand-off.ts'
import { minutesAndSeconds } from '../session/live-view.ts'
import styles from './dialogs.module.css'

const longestMs = 120_000

/** What an account owns needs no key: whoever signs in to it on the other device goes on there. */
function ByAccount(props: { open: boolean; page: string; onClose: () => void }): ReactNode {
  const text = useText()
  return (
    <Dialog open={props.open} onClose={props.onClose} title={text('live.hand_off.title')}>
      <div className={styles['form']}>
        <p>{text('live.hand_off.account')}</p>
        <QrCode link={props.page} label={text('live.hand_off.qr')} />
        <div className={styles['link']}>
          <code>{props.page}</code>
          <CopyButton value={props.page} what={text('live.hand_off.link')} />
        </div>
        <div className={styles['actions']}>
          <Button variant="default" size="md" onClick={props.onClose}>
            {text('ui.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** @param props.page the address at which the session stands; `token` null: an account owns it */
export function HandOffDialog(props: {
  open: boolean
  id: string
  token: string | null
  page: string
  onClose: () => void
}): ReactNode {
  const { token } = props
  return token === null ? <ByAccount {...props} /> : <ByKey {...props} token={token} />
}

/** The same session on another device, while the recording goes on: good for two minutes and one use. */
function ByKey(props: { open: boolean; id: string; token: string; page: string; onClose: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const now = useServerTime(1000)
  const making = useMutation({
    mutationFn: async () => {
      const { sealed, key } = await sealToken(props.token, props.id)
      const { code, expires_at } = await call(createHandOff, {
        params: { id: props.id },
        evidenceToken: props.token,
        body: { sealed_token: sealed },
      })
      return { link: handOffLink(props.page, code, key), until: Date.parse(expires_at) }
    },
  })
  const opened = useEffectEvent((open: boolean) => {
    if (open) making.mutate()
    else making.reset()
  })
  useEffect(() => opened(props.open), [props.open])
  const { data } = making
  // The clock here ticks by the second, and may not have since the link was made.
  const left = data === undefined ? 0 : Math.min(data.until - now, longestMs)
  return (
    <Dialog open={props.open} onClose={props.onClose} title={text('live.hand_off.title')}>
      <div className={styles['form']}>
        <p>{text('live.hand_off.lead')}</p>
        {making.isError ? (
          <p className={styles['error']} role="alert">
            {errorText(making.error)}
          </p>
        ) : null}
        {making.isPending ? <p role="status">{text('live.hand_off.making')}</p> : null}
        {data !== undefined && left > 0 ? (
          <>
            <QrCode link={data.link} label={text('live.hand_off.qr')} />
            <div className={styles['link']}>
              <code>{data.link.replace(/=.*$/, '=…')}</code>
              <CopyButton value={data.link} what={text('live.hand_off.link')} />
            </div>
            <p className={styles['quiet']}>
              {text('live.hand_off.until', { time: minutesAndSeconds(left) })} {text('live.hand_off.secret')}
            </p>
          </>
        ) : null}
        {data !== undefined && left <= 0 ? <p role="status">{text('live.hand_off.over')}</p> : null}
        <div className={styles['actions']}>
          {making.isError || (data !== undefined && left <= 0) ? (
            <Button size="md" onClick={() => making.mutate()}>
              {text('live.hand_off.again')}
            </Button>
          ) : null}
          <Button variant="default" size="md" onClick={props.onClose}>
            {text('ui.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
