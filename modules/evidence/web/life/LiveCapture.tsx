import type { ReactNode } from 'react'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { formatSeconds } from '../../../../ui/intl/format.ts'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import type { Evidence, EvidencePhase } from '../../contract/evidence.ts'
import { isLate, preparingMinutes } from '../../domain/told-times.ts'
import { useIsKept } from '../held/held-evidences.ts'
import styles from './live-capture.module.css'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'

const phases = ['waiting', 'preparing', 'capturing', 'completing', 'review'] as const
type Phase = (typeof phases)[number]

const phaseOf: Readonly<Record<EvidencePhase['name'], Phase>> = {
  waiting_environment: 'waiting',
  pending: 'waiting',
  preparing: 'preparing',
  capturing: 'capturing',
  completing: 'completing',
  finished: 'review',
}

/** S-32…S-37: which phase, for how long, and the figure that the work has reached. */
export function LiveCapture(props: { evidence: Evidence; connected: boolean }): ReactNode {
  const text = useText()
  const isKept = useIsKept()
  const { evidence } = props
  const now = useServerTime(1000)
  const current = phaseOf[evidence.phase.name]
  const at = phases.indexOf(current)
  const detail = useDetail(evidence.phase)
  // A session needs its visitor: what comes before it cannot be left as a capture by the robot can.
  const isAhead = evidence.action === 'interactive' && at < phases.indexOf('completing')
  const heading = isAhead
    ? 'live.wait.heading'
    : evidence.action === 'interactive'
      ? 'live.wait.completing'
      : 'evidence.live.heading'
  return (
    <div className={styles['live']}>
      <header className={styles['head']}>
        <h1>{text(heading)}</h1>
        <p>
          <PageAddress url={evidence.page_url} />
        </p>
        <p className={styles['elapsed']}>
          {text('evidence.live.elapsed', { time: formatSeconds((now - Date.parse(evidence.created_at)) / 1000) })}
        </p>
      </header>
      <p className="visually-hidden" role="status">
        {text(`evidence.phase.${current}`)}
      </p>
      <ol className={styles['phases']} aria-label={text('evidence.live.phases')}>
        {phases.map((phase, i) => {
          const state = i < at ? 'done' : i === at ? 'now' : 'later'
          return (
            <li
              key={phase}
              data-state={state}
              data-recording={phase === 'capturing' && state === 'now'}
              aria-current={state === 'now' ? 'step' : undefined}
            >
              <div className={styles['phase']}>
                <span>
                  {text(`evidence.phase.${phase}`)}
                  <span className="visually-hidden"> ({text(`evidence.phase.${state}`)})</span>
                </span>
                {state === 'now' && phase !== 'review' ? (
                  <span className={styles['seconds']}>
                    <span className="visually-hidden">
                      {text('evidence.live.phase_time', {
                        time: formatSeconds((now - Date.parse(evidence.phase.since)) / 1000),
                      })}
                    </span>
                    <span aria-hidden="true">{formatSeconds((now - Date.parse(evidence.phase.since)) / 1000)}</span>
                  </span>
                ) : null}
              </div>
              {state === 'now' && detail !== null && !(isAhead && isStep(evidence.phase.step)) ? (
                <p className={styles['detail']}>{detail}</p>
              ) : null}
              {state === 'now' && phase === 'preparing' ? (
                <p className={styles['detail']}>
                  {isLate(evidence.phase.since, now, preparingMinutes)
                    ? text('evidence.phase.preparing.late')
                    : text('evidence.phase.preparing.hint', { minutes: preparingMinutes })}
                </p>
              ) : null}
              {state === 'now' && isAhead ? <Steps phase={evidence.phase} /> : null}
            </li>
          )
        })}
      </ol>
      {props.connected ? null : (
        <p className={styles['lost']} role="status">
          {text('evidence.live.reconnecting')}
        </p>
      )}
      {/* A key that this page alone holds is not found again. */}
      {isKept || isAhead ? <p className={styles['leave']}>{text(isAhead ? 'live.wait.stay' : 'evidence.live.leave')}</p> : null}
    </div>
  )
}

/** What is made ready, in order: one that runs has those before it behind it. */
const steps = ['preflight', 'tunnel', 'browser', 'display'] as const

const isStep = (step: string | null): boolean => steps.some((one) => one === step)

/** Whoever waits for his own minutes sees each check pass. */
function Steps({ phase }: { phase: EvidencePhase }): ReactNode {
  const text = useText()
  const under = steps.findIndex((step) => step === phase.step)
  // Nothing is known of the steps before one of them began.
  if (under < 0 && phase.name !== 'preparing') return null
  return (
    <ul className={styles['steps']} aria-label={text('review.steps')}>
      {steps.map((step, i) => {
        const isDone = i < under || (i === 0 && phase.name === 'preparing')
        const state = isDone ? 'done' : i === under ? 'now' : 'later'
        return (
          <li key={step} data-step={state}>
            {text(`capture.step.${step}`)}
            <span className="visually-hidden"> ({text(`evidence.phase.${state}`)})</span>
          </li>
        )
      })}
    </ul>
  )
}

/** Between the queue and the session, for as long as its viewer is fetched. */
export function BrowserReady(): ReactNode {
  const text = useText()
  return (
    <div className={styles['ready']} role="status">
      <h1>{text('review.ready')}</h1>
      <p>{text('review.ready.text')}</p>
    </div>
  )
}

function useDetail(phase: EvidencePhase): string | null {
  const text = useText()
  const optionalText = useOptionalText()
  if (phase.name === 'waiting_environment') {
    if (phase.reason !== null && phase.reason !== 'queue') return text(`evidence.phase.waiting.${phase.reason}`)
    return phase.queue_position === null ? null : text('evidence.phase.waiting.queue', { position: phase.queue_position })
  }
  return phase.step === null ? null : optionalText(`capture.step.${phase.step}`, phase.data)
}
