import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { formatBytes } from '../../../../ui/intl/format.ts'
import { visible } from '../../../../ui/intl/visible.ts'
import { Icon } from './icons.tsx'
import { activeTab, type LiveEvent, type LiveView } from '../session/live-view.ts'
import styles from './live.module.css'

/** Said by other parts of the page while they last. */
const shownElsewhere: ReadonlySet<string> = new Set<LiveEvent['code']>(['time_up'])
/** Notices that nobody has to act on go by themselves. */
const passesAfterMs = 8_000

/** What happened, in the visitor's words; figures and names of strangers come as data. */
export function useEventText(): (event: Pick<LiveEvent, 'code' | 'data'>) => string {
  const optionalText = useOptionalText()
  const locale = useLocale()
  return ({ code, data }) => {
    const values = Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        name,
        typeof value === 'string' ? visible(value).slice(0, 200) : name.endsWith('bytes') ? formatBytes(value, locale) : value,
      ]),
    )
    return optionalText(`live.notice.${code}`, values) ?? optionalText(`live.notice.${code}.plain`) ?? code
  }
}

/**
 * Calm: one at a time over the picture's edge, the newest; read out by screen readers, the grave ones at once. An ordinary one that a
 * newer takes the place of does not come back, a grave one does: both stand in the list of what happened.
 */
export function LiveNotices(props: { view: LiveView; onSeen: (key: number) => void }): ReactNode {
  const text = useText()
  const eventText = useEventText()
  const waiting = props.view.events.filter(({ code, seen }) => !seen && !shownElsewhere.has(code))
  const shown = waiting.slice(-1)
  const overtaken = waiting.slice(0, -1).find(({ grave }) => !grave)?.key
  const passed = useEffectEvent((key: number) => props.onSeen(key))
  useEffect(() => {
    if (overtaken !== undefined) passed(overtaken)
  }, [overtaken])
  return (
    <div className={styles['notices']}>
      <div role="status">
        {shown
          .filter(({ grave }) => !grave)
          .map((event) => (
            <Notice
              key={event.key}
              event={event}
              words={eventText(event)}
              close={text('ui.notice.dismiss')}
              onSeen={props.onSeen}
            />
          ))}
      </div>
      <div role="alert">
        {shown
          .filter(({ grave }) => grave)
          .map((event) => (
            <Notice
              key={event.key}
              event={event}
              words={eventText(event)}
              close={text('ui.notice.dismiss')}
              onSeen={props.onSeen}
            />
          ))}
      </div>
    </div>
  )
}

function Notice(props: { event: LiveEvent; words: string; close: string; onSeen: (key: number) => void }): ReactNode {
  const { key, code, grave } = props.event
  const [held, setHeld] = useState(false)
  const passed = useEffectEvent(() => props.onSeen(key))
  useEffect(() => {
    if (grave || held) return undefined
    const timer = setTimeout(() => passed(), passesAfterMs)
    return () => clearTimeout(timer)
  }, [grave, held])
  return (
    <div
      className={styles['notice']}
      data-grave={grave}
      data-refusal={grave && code.startsWith('screenshot_failed.')}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <p>{props.words}</p>
      <button
        type="button"
        aria-label={props.close}
        onClick={() => props.onSeen(key)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

/** For whoever does not see the picture: where the page is, told once it has come, and which of the tabs it is. */
export function PageStatus(props: { view: LiveView }): ReactNode {
  const text = useText()
  const { tabs } = props.view
  const tab = activeTab(props.view)
  const words =
    tab === null || tab.loading
      ? ''
      : tab.failure !== null
        ? text('live.status.failed', { address: visible(tab.url), failure: tab.failure })
        : text('live.status.at', {
            title: tab.title === '' ? text('live.page.untitled') : visible(tab.title),
            address: visible(tab.url),
            tab: tabs.indexOf(tab) + 1,
            tabs: tabs.length,
          })
  return (
    <p className="visually-hidden" role="status">
      {words}
    </p>
  )
}
