import { Button } from '@mantine/core'
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { askToSignIn } from '../../../../ui/api/ask-to-sign-in.ts'
import { call } from '../../../../ui/api/call.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { InDefaultLayout } from '../../../../ui/shell/Layouts.tsx'
import { readEvidence } from '../../contract/endpoints.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { Ended } from '../life/Ended.tsx'
import { BrowserReady, LiveCapture } from '../life/LiveCapture.tsx'
import { Preview } from '../preview/Preview.tsx'
import { Result } from '../result/Result.tsx'
import { Finalizing } from '../life/Finalizing.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { hold, useEvidenceToken, useIsKept, type EvidenceToken } from '../held/held-evidences.ts'
import { LiveScreen, readLiveLink, TakeOver, type LiveLink } from '../../../live/web/index.ts'
import { useEvidence } from '../life/queries.ts'
import styles from './capture.module.css'

/** One address for the whole life of a capture: live, preview, report in the making, result, and its ends. A reload finds the same state. */
export function CapturePage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const locale = useLocale()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const token = useEvidenceToken(id)
  // A link for one use is read once: what it carries must not stay in the address bar, nor in the history. A witness may reload.
  const [taken, setTaken] = useState<LiveLink | null>(null)
  const given = readLiveLink(hash)
  if (given?.kind === 'hand_off' && taken?.kind !== 'hand_off') setTaken(given)
  const link = given ?? taken
  const isForOneUse = given?.kind === 'hand_off'
  useEffect(() => {
    if (isForOneUse) void navigate({ to: '/$locale/capture/$id/', params: { locale, id }, hash: '', replace: true })
  }, [isForOneUse, navigate, locale, id])
  if (link?.kind === 'witness')
    return (
      <Suspense fallback={<Loading />}>
        <LiveScreen access={{ by: 'invitation', token: link.token }} />
      </Suspense>
    )
  if (link !== null && typeof token !== 'string')
    return (
      <InDefaultLayout>
        <Suspense fallback={<Loading />}>
          <TakeOver id={id} link={link} take={holdTaken(id)} elsewhere={<Elsewhere />} onTaken={() => setTaken(null)} />
        </Suspense>
      </InDefaultLayout>
    )
  if (token === undefined)
    return (
      <InDefaultLayout>
        <Notice kind="missing" />
      </InDefaultLayout>
    )
  return <Held key={id} id={id} token={token} />
}

/** A draft that was handed over is held here from then on. */
const holdTaken = (id: string) => async (token: string) => {
  const { page_url, created_at } = await call(readEvidence, { params: { id }, evidenceToken: token })
  hold({ id, token, page_url, created_at })
}

function Elsewhere(): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <Button size="md" renderRoot={(root) => <Link to="/$locale/" params={{ locale }} {...root} />}>
      {text('evidence.ended.other')}
    </Button>
  )
}

function Loading(): ReactNode {
  const text = useText()
  return <p role="status">{text('ui.loading')}</p>
}

function Held(props: { id: string; token: EvidenceToken }): ReactNode {
  const { data, error, refetch, connected } = useEvidence(props.id, props.token)
  // The visitor's own minutes; what comes before and after is followed as any other capture.
  if (data?.action === 'interactive' && data.status === 'capturing')
    return (
      <Suspense fallback={<BrowserReady />}>
        <LiveScreen access={{ by: 'token', id: props.id, token: props.token, page: location.origin + location.pathname }} />
      </Suspense>
    )
  return (
    <InDefaultLayout>
      <Followed data={data} error={error} token={props.token} connected={connected} refetch={() => void refetch()} />
    </InDefaultLayout>
  )
}

function Followed(props: {
  data: Evidence | undefined
  error: Error | null
  token: EvidenceToken
  connected: boolean
  refetch: () => void
}): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { data, error, connected, refetch } = props
  if (data !== undefined) return <Stage evidence={data} token={props.token} connected={connected} refresh={refetch} />
  if (error instanceof ApiError && [400, 403, 404, 410].includes(error.status)) return <Notice kind="gone" />
  if (error !== null) {
    return (
      <div className={styles['notice']} role="alert">
        <h1>{text('evidence.unreadable.heading')}</h1>
        <p>{errorText(error)}</p>
        <p>{text('evidence.unreadable.kept')}</p>
        <p>
          <Button size="md" onClick={refetch}>
            {text('ui.retry')}
          </Button>
        </p>
      </div>
    )
  }
  return <p role="status">{text('ui.loading')}</p>
}

function Stage(props: { evidence: Evidence; token: EvidenceToken; connected: boolean; refresh: () => void }): ReactNode {
  const { evidence } = props
  const text = useText()
  const isKept = useIsKept()
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
      {isKept || props.token === null || stage === 'ended' ? null : (
        <p className={styles['unkept']}>{text('evidence.held.not_kept')}</p>
      )}
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
    case 'awaiting_payment':
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
  return (
    <div className={styles['notice']}>
      <h1>{text(`evidence.${props.kind}.heading`)}</h1>
      <p>{text(`evidence.${props.kind}.text`)}</p>
      {props.kind === 'gone' ? null : <p>{text('evidence.missing.account')}</p>}
      <div className={styles['ways']}>
        {props.kind === 'gone' ? null : (
          <Button variant="default" size="md" onClick={() => void askToSignIn('required')}>
            {text('ui.sign_in')}
          </Button>
        )}
        <Elsewhere />
      </div>
    </div>
  )
}
