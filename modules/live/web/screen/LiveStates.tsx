import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { LiveSession } from '../session/live-session.ts'
import { isOver, qualityWords, type LiveView } from '../session/live-view.ts'
import styles from './live.module.css'

/** Whoever looks on knows it, and knows what he can do about it. */
export function RoleLine(props: { session: LiveSession; view: LiveView }): ReactNode {
  const text = useText()
  const { view, session } = props
  if (view.role === null || view.role === 'controller') return null
  if (view.role === 'witness') {
    const label = session.label()
    return (
      <p className={styles['role']}>
        {label === null ? text('live.witness.plain') : text('live.witness', { label: visible(label) })}
      </p>
    )
  }
  return (
    <p className={styles['role']}>
      <span>{text(view.viewers?.controllers === 0 ? 'live.watcher.nobody' : 'live.watcher')}</span>
      <Button
        size="compact-md"
        mih={44}
        disabled={view.connection !== 'open' || view.state?.phase !== 'capturing'}
        onClick={() => session.send({ type: 'take_control' })}
      >
        {text('live.take_control')}
      </Button>
    </p>
  )
}

/** Over the picture: that there is none yet, that the connection is gone, that the session is over and what happens now. */
export function StateOverStage(props: { view: LiveView }): ReactNode {
  // There before it has anything to say: what is put into it is read out, what comes with its content may not be.
  return <div role={props.view.connection === 'refused' ? 'alert' : 'status'}>{stateOverStage(props.view, useText())}</div>
}

function stateOverStage(view: LiveView, text: ReturnType<typeof useText>): ReactNode {
  const { connection, state } = view
  if (isOver(view))
    return (
      <div className={styles['over']}>
        <h2>{text('live.over.title')}</h2>
        <p>{text('live.over.text')}</p>
        <ol>
          <li>{text('live.over.shots')}</li>
          <li>{text('live.over.recording')}</li>
          <li>{text('live.over.seal')}</li>
          <li>{text('live.over.review')}</li>
        </ol>
      </div>
    )
  if (connection === 'refused')
    return (
      <div className={styles['over']}>
        <h2>{text('live.refused.title')}</h2>
        <p>{text('live.refused.text')}</p>
        <p>
          <Button size="md" onClick={() => location.reload()}>
            {text('ui.error.reload')}
          </Button>
        </p>
      </div>
    )
  const waits =
    state === null
      ? 'live.connecting'
      : connection === 'reconnecting'
        ? 'live.reconnecting'
        : state.phase === 'preparing'
          ? 'live.preparing'
          : null
  return waits === null ? null : (
    <p className={styles['lost']}>
      <span className={styles['spinner']} aria-hidden="true" />
      {text(waits)}
    </p>
  )
}

export function StatusLine(props: { view: LiveView; steers: boolean }): ReactNode {
  const text = useText()
  const { quality, roundTrip, viewers } = props.view
  const others = viewers === null ? 0 : viewers.watchers + viewers.witnesses.length
  return (
    <div className={styles['status']} data-quality={quality?.level ?? 'full'}>
      <span>
        {quality === null ? text('live.quality.recording') : text(qualityWords(quality), { frames: quality.frames_per_second })}
      </span>
      {roundTrip === null ? null : <span className={styles['wide']}>{text('live.round_trip', { milliseconds: roundTrip })}</span>}
      {others === 0 ? null : <span>{text('live.looking_on', { count: others })}</span>}
      {props.steers ? <span className={styles['hint']}>{text('live.keyboard.hint')}</span> : null}
    </div>
  )
}
