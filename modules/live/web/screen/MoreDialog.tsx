import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { Message, useText } from '../../../../ui/intl/text.tsx'
import { Icon } from './icons.tsx'
import type { LiveSession } from '../session/live-session.ts'
import { activeTab, qualityWords, type LiveView } from '../session/live-view.ts'
import { useEventText } from './LiveNotices.tsx'
import styles from '../dialogs/dialogs.module.css'

const keyTag = { k: (chunks: ReactNode): ReactNode => <kbd>{chunks}</kbd> }

/** What is not needed every minute, and what has no room on a telephone. */
export function MoreDialog(props: {
  open: boolean
  session: LiveSession
  view: LiveView
  steers: boolean
  holds: boolean
  zoom: number
  muted: boolean
  volume: number
  onZoom: (step: 1 | -1 | 0) => void
  onFit: () => void
  onMuted: (muted: boolean) => void
  onVolume: (volume: number) => void
  onHandOff: () => void
  onWitnesses: () => void
  onSecret: () => void
  onClose: () => void
}): ReactNode {
  const text = useText()
  const eventText = useEventText()
  const volume = useId()
  const { view, session, steers } = props
  const tab = activeTab(view)
  const go = (act: () => void) => () => {
    act()
    props.onClose()
  }
  return (
    <Dialog open={props.open} onClose={props.onClose} title={text('live.more.title')}>
      <div className={styles['more']}>
        {steers ? (
          <section aria-label={text('live.more.page')}>
            <h3>{text('live.more.page')}</h3>
            <div className={styles['buttons']}>
              <Button
                variant="default"
                disabled={tab?.back !== true}
                onClick={go(() => session.send({ type: 'history', to: 'back' }))}
              >
                {text('live.back')}
              </Button>
              <Button
                variant="default"
                disabled={tab?.forward !== true}
                onClick={go(() => session.send({ type: 'history', to: 'forward' }))}
              >
                {text('live.forward')}
              </Button>
              <Button variant="default" onClick={go(() => session.send({ type: 'history', to: 'reload' }))}>
                {text('live.reload')}
              </Button>
              <Button
                variant="default"
                disabled={view.limits !== null && view.tabs.length >= view.limits.tabs}
                onClick={go(() => session.send({ type: 'tab', act: 'new' }))}
              >
                {text('live.tab.open')}
              </Button>
              <Button variant="default" onClick={props.onSecret}>
                {text('live.secret')}
              </Button>
            </div>
            <div className={styles['buttons']} role="group" aria-label={text('live.zoom')}>
              <Button variant="default" aria-label={text('live.zoom.out')} onClick={() => props.onZoom(-1)}>
                −
              </Button>
              <output className={styles['figure']}>{text('live.zoom.percent', { percent: props.zoom })}</output>
              <Button variant="default" aria-label={text('live.zoom.in')} onClick={() => props.onZoom(1)}>
                +
              </Button>
              <Button variant="default" onClick={go(props.onFit)}>
                {text('live.fit')}
              </Button>
            </div>
          </section>
        ) : null}
        <section aria-label={text('live.sound')}>
          <h3>{text('live.sound')}</h3>
          <div className={styles['buttons']}>
            <Button
              variant="default"
              aria-pressed={!props.muted}
              leftSection={<Icon name={props.muted ? 'silent' : 'sound'} />}
              onClick={() => props.onMuted(!props.muted)}
            >
              {text(props.muted ? 'live.sound.on' : 'live.sound.off')}
            </Button>
            <label htmlFor={volume}>{text('live.sound.volume')}</label>
            <input
              id={volume}
              type="range"
              min={0}
              max={100}
              value={Math.round(props.volume * 100)}
              onChange={(event) => props.onVolume(Number(event.target.value) / 100)}
            />
          </div>
          <p className={styles['quiet']}>{text('live.sound.recorded')}</p>
        </section>
        <section aria-label={text('live.more.people')}>
          <h3>{text('live.more.people')}</h3>
          {view.viewers === null ? null : (
            <p>
              {text('live.viewers', {
                controllers: view.viewers.controllers,
                watchers: view.viewers.watchers,
                witnesses: view.viewers.witnesses.length,
              })}
            </p>
          )}
          {props.holds ? (
            <div className={styles['buttons']}>
              <Button variant="default" leftSection={<Icon name="device" />} onClick={props.onHandOff}>
                {text('live.hand_off')}
              </Button>
              <Button variant="default" leftSection={<Icon name="witness" />} onClick={props.onWitnesses}>
                {text('live.witnesses')}
              </Button>
            </div>
          ) : null}
        </section>
        <section aria-label={text('live.more.keys')}>
          <h3>{text('live.more.keys')}</h3>
          <dl className={styles['keys']}>
            {(['leave', 'paste', 'address', 'reload', 'zoom'] as const).map((key) => (
              <div key={key}>
                <dt>
                  <Message id={`live.key.${key}`} values={keyTag} />
                </dt>
                <dd>{text(`live.key.${key}.what`)}</dd>
              </div>
            ))}
          </dl>
          <p className={styles['quiet']}>{text('live.more.fingers', { touch: view.mobile === null ? 'no' : 'yes' })}</p>
        </section>
        {view.events.length === 0 ? null : (
          <section aria-label={text('live.more.events')}>
            <h3>{text('live.more.events')}</h3>
            <ul className={styles['events']}>
              {view.events
                .toReversed()
                .slice(0, 12)
                .map((event) => (
                  <li key={event.key}>{eventText(event)}</li>
                ))}
            </ul>
          </section>
        )}
        <p className={styles['quiet']}>
          {[
            view.quality === null ? [] : text(qualityWords(view.quality), { frames: view.quality.frames_per_second }),
            view.roundTrip === null ? [] : text('live.round_trip', { milliseconds: view.roundTrip }),
          ]
            .flat()
            .join(' · ')}
        </p>
      </div>
    </Dialog>
  )
}
