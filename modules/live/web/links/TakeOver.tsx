import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { takeHandOff } from '../../contract/endpoints.ts'
import { openToken, type LiveLink } from './hand-off.ts'
import styles from './take-over.module.css'

/**
 * Opened on another device: fetches what only this link can decipher, which then is the page's to hold. One use: it is asked for at
 * a press of the button, so that whatever looks at links in advance does not use it up.
 * @param props.take has the page hold the token, and refuses with an error what opens nothing; `elsewhere`: where one goes on when the link is used up
 */
export function TakeOver(props: {
  id: string
  link: Extract<LiveLink, { kind: 'hand_off' }>
  take: (token: string) => Promise<void>
  elsewhere: ReactNode
  onTaken: () => void
}): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { id, link } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const taking = useMutation({
    mutationFn: async () => {
      const { evidence_id, sealed_token } = await call(takeHandOff, { params: { code: link.code } })
      const token = evidence_id === id ? await openToken(sealed_token, link.key, id) : null
      if (token === null) return false
      await props.take(token)
      return true
    },
    onSuccess: (taken) => {
      if (taken) props.onTaken()
    },
  })
  useEffect(() => heading.current?.focus(), [])
  const refused = taking.data === false || (taking.error instanceof ApiError && [404, 410].includes(taking.error.status))
  return (
    <div className={styles['linked']}>
      <h1 ref={heading} tabIndex={-1}>
        {text('live.take_over.title')}
      </h1>
      <p>{text('live.take_over.text')}</p>
      {refused || taking.isError ? (
        <p className={styles['fault']} role="alert">
          {refused ? text('live.take_over.used') : errorText(taking.error)}
        </p>
      ) : null}
      <p className={styles['actions']}>
        {refused ? (
          props.elsewhere
        ) : (
          <Button size="md" loading={taking.isPending} onClick={() => taking.mutate()}>
            {text('live.take_over.confirm')}
          </Button>
        )}
      </p>
    </div>
  )
}
