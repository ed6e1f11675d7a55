import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import type { ResponseOf } from '../../../../kernel/endpoint.ts'
import { verifyActs } from '../../contract/endpoints.ts'
import styles from './acts.module.css'

type Outcome = ResponseOf<typeof verifyActs>

/** Recomputes the chain of the record, some thousand lines at a time, and says how far it holds. */
export function VerifyActs(): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const id = useId()
  const [typed, setTyped] = useState('1')
  const [progress, setProgress] = useState<Outcome | null>(null)
  const stopping = useRef<AbortController | null>(null)
  const from = /^\d{1,15}$/.test(typed) && Number(typed) >= 1 ? Number(typed) : null
  const verifying = useMutation({
    mutationFn: async (first: number): Promise<Outcome | null> => {
      const controller = new AbortController()
      stopping.current = controller
      let next = first
      for (;;) {
        const done = await call(verifyActs, { body: { from: next }, signal: controller.signal })
        setProgress({ ...done, from: first })
        if (done.broken !== null || done.to >= done.last) return { ...done, from: first }
        next = done.to + 1
      }
    },
    onSettled: () => {
      stopping.current = null
    },
  })
  const stopped = verifying.isError && verifying.error instanceof DOMException
  const outcome = verifying.data ?? null
  return (
    <section className={styles['verify']} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{text('identity.acts.verify')}</h2>
      <p>{text('identity.acts.verify.lead')}</p>
      <form
        noValidate
        className={styles['range']}
        onSubmit={(event) => {
          event.preventDefault()
          if (from === null || verifying.isPending) return
          setProgress(null)
          verifying.mutate(from)
        }}
      >
        <div className={styles['field']}>
          <label htmlFor={id}>{text('identity.acts.verify.from')}</label>
          <input
            id={id}
            type="text"
            inputMode="numeric"
            value={typed}
            maxLength={15}
            aria-invalid={from === null}
            aria-describedby={`${id}-error`}
            onChange={(event) => setTyped(event.currentTarget.value.trim())}
          />
        </div>
        {verifying.isPending ? (
          <Button variant="default" onClick={() => stopping.current?.abort()}>
            {text('identity.acts.verify.stop')}
          </Button>
        ) : (
          <Button type="submit">{text('identity.acts.verify.action')}</Button>
        )}
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {from === null ? text('identity.acts.verify.from_wrong') : null}
        </p>
      </form>
      <div role="status">
        {verifying.isPending && progress !== null ? (
          <p>{text('identity.acts.verify.progress', { to: progress.to, last: progress.last })}</p>
        ) : null}
        {stopped ? <p>{text('identity.acts.verify.stopped', { to: progress?.to ?? 0 })}</p> : null}
        {outcome === null ? null : <Verdict outcome={outcome} />}
      </div>
      <p className={styles['error']} role="alert">
        {verifying.isError && !stopped ? errorText(verifying.error) : null}
      </p>
    </section>
  )
}

function Verdict(props: { outcome: Outcome }): ReactNode {
  const text = useText()
  const { from, to, head, broken } = props.outcome
  if (broken !== null)
    return <p className={styles['bad']}>{text('identity.acts.verify.broken', { number: broken.number, fault: broken.fault })}</p>
  return (
    <>
      <p className={styles['good']}>{text('identity.acts.verify.holds', { from, to, lines: Math.max(0, to - from + 1) })}</p>
      <p className={styles['head']}>
        <span>
          {text('identity.acts.verify.head', { to })} <code>{head}</code>
        </span>
        <CopyButton value={head} what={text('identity.acts.hash')} />
      </p>
    </>
  )
}
