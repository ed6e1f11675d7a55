import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { Evidence } from '../../contract/evidence.ts'
import { Ended } from '../components/Ended.tsx'
import { LiveCapture } from '../components/LiveCapture.tsx'
import { Preview } from '../components/Preview.tsx'
import { Result } from '../components/Result.tsx'
import { Finalizing } from '../components/Finalizing.tsx'
import { useErrorText } from '../error-text.ts'
import { useEvidenceToken } from '../held-evidences.ts'
import { useEvidence } from '../queries.ts'
import styles from './capture.module.css'

/** One address for the whole life of a capture: live, preview, report in the making, result, and its ends. A reload finds the same state. */
export function CapturePage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const token = useEvidenceToken(id)
  return token === null ? <Notice kind="missing" /> : <Held key={id} id={id} token={token} />
}

function Held(props: { id: string; token: string }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { data, error, refetch, connected } = useEvidence(props.id, props.token)
  if (data !== undefined)
    return <Stage evidence={data} token={props.token} connected={connected} refresh={() => void refetch()} />
  if (error instanceof ApiError && [400, 403, 404, 410].includes(error.status)) return <Notice kind="gone" />
  if (error !== null) {
    return (
      <div className={styles['notice']} role="alert">
        <h1>{text('evidence.unreadable.heading')}</h1>
        <p>{errorText(error)}</p>
        <p>{text('evidence.unreadable.kept')}</p>
        <p>
          <Button size="md" onClick={() => void refetch()}>
            {text('ui.retry')}
          </Button>
        </p>
      </div>
    )
  }
  return <p role="status">{text('ui.loading')}</p>
}

function Stage(props: { evidence: Evidence; token: string; connected: boolean; refresh: () => void }): ReactNode {
  const { evidence } = props
  const stage = stageOf(evidence)
  const box = useRef<HTMLDivElement>(null)
  const before = useRef(stage)
  useEffect(() => {
    // The page changed under the visitor: the heading of what is now shown is where he is.
    if (before.current === stage) return
    before.current = stage
    const heading = box.current?.querySelector('h1')
    if (heading === null || heading === undefined) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [stage])
  return (
    <div ref={box}>
      {stage === 'live' ? <LiveCapture evidence={evidence} connected={props.connected} /> : null}
      {stage === 'preview' && evidence.preview !== null ? (
        <Preview evidence={evidence} preview={evidence.preview} token={props.token} refresh={props.refresh} />
      ) : null}
      {stage === 'finalizing' ? <Finalizing evidence={evidence} connected={props.connected} /> : null}
      {stage === 'result' ? <Result evidence={evidence} token={props.token} refresh={props.refresh} /> : null}
      {stage === 'ended' ? <Ended evidence={evidence} token={props.token} /> : null}
    </div>
  )
}

function stageOf(evidence: Evidence): 'live' | 'preview' | 'finalizing' | 'result' | 'ended' {
  switch (evidence.status) {
    case 'queued':
    case 'preparing':
    case 'capturing':
    case 'completing':
      return 'live'
    case 'to_validate':
      return evidence.preview === null ? 'live' : 'preview'
    case 'finalizing':
      return 'finalizing'
    case 'final':
      return 'result'
    case 'rejected':
    case 'failed':
    case 'expired':
      return 'ended'
    default:
      return evidence.status satisfies never
  }
}

function Notice(props: { kind: 'missing' | 'gone' }): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <div className={styles['notice']}>
      <h1>{text(`evidence.${props.kind}.heading`)}</h1>
      <p>{text(`evidence.${props.kind}.text`)}</p>
      <p>
        <Button size="md" renderRoot={(root) => <Link to="/$locale/" params={{ locale }} {...root} />}>
          {text('evidence.ended.other')}
        </Button>
      </p>
    </div>
  )
}
