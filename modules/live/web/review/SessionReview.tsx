import { useDeferredValue, useMemo, useRef, useState, type ReactNode } from 'react'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { EvidenceSession } from '../../../evidence/contract/session-review.ts'
import { LineList } from './LineList.tsx'
import { SessionVideo, type VideoHandle } from './SessionVideo.tsx'
import { clockOf, exchangeOf, groupOf, lineAt, lineGroups, type LineGroup, type TimelineLine } from './timeline.ts'
import { useLineText } from './use-line-text.ts'
import { useTimeline } from './use-timeline.ts'
import styles from './review.module.css'

/** Where the review is led to: a moment of the recording, a screenshot, or an exchange by the number of its line. */
export type Focus = { readonly ms: number } | { readonly shot: number } | { readonly exchange: number }

const none: readonly TimelineLine[] = []
/** What a timeline has hundreds of, and nobody looks for. */
const hiddenAtFirst: readonly LineGroup[] = ['moves', 'pictures']

/** The recording beside the timeline: each leads into the other. */
export function SessionReview(props: {
  session: EvidenceSession
  focus: Focus | null
  show: (focus: Focus) => void
  refresh: () => void
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const lineText = useLineText()
  const { session } = props
  const { data, error, isLoading } = useTimeline(session)
  const all = data?.lines ?? none
  const startMs = props.focus !== null && 'ms' in props.focus ? props.focus.ms : 0
  const [at, setAt] = useState(startMs)
  const [follows, setFollows] = useState(true)
  const [hidden, setHidden] = useState<ReadonlySet<LineGroup>>(() => new Set(hiddenAtFirst))
  const [sought, setSought] = useState('')
  const search = useDeferredValue(sought.trim().toLocaleLowerCase())
  const [chosen, setChosen] = useState<TimelineLine | null>(null)
  const handle = useRef<VideoHandle | null>(null)

  const whole = new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-GB')
  const counts = useMemo(() => {
    const found = new Map<LineGroup, number>()
    for (const line of all) found.set(groupOf(line), (found.get(groupOf(line)) ?? 0) + 1)
    return found
  }, [all])
  const lines = useMemo(
    () =>
      all.filter((line) => !hidden.has(groupOf(line)) && (search === '' || lineText(line).toLocaleLowerCase().includes(search))),
    [all, hidden, search, lineText],
  )
  const chosenAt = useMemo(() => (chosen === null ? -1 : lines.indexOf(chosen)), [lines, chosen])
  const now = lineAt(lines, at + 1)
  const seek = (ms: number) => {
    setAt(Math.max(0, ms))
    handle.current?.seek(ms)
  }
  const { video } = session
  return (
    <>
      <p className={styles['soft']}>{text('review.lead')}</p>
      <div className={styles['review']}>
        <div className={styles['column']}>
          <div className={styles['shown']}>
            {video === null ? (
              <p className={styles['noVideo']}>{text('review.video.none')}</p>
            ) : (
              <>
                <SessionVideo
                  video={video}
                  lines={all}
                  startMs={startMs}
                  led={props.focus !== null && 'ms' in props.focus}
                  handle={handle}
                  onTime={setAt}
                  refresh={props.refresh}
                />
                {video.gaps.map((gap) => (
                  <p key={gap.from_ms} className={styles['gap']}>
                    {text('review.video.gap', { from: clockOf(gap.from_ms, locale), to: clockOf(gap.to_ms, locale) })}
                  </p>
                ))}
              </>
            )}
          </div>
          <Chosen session={session} line={chosen} lines={all} seek={seek} show={props.show} />
        </div>
        <section className={styles['happened']} aria-labelledby="timeline-heading">
          <h2 id="timeline-heading">{text('review.list')}</h2>
          {error === null && session.timeline.url !== null ? null : <p role="alert">{text('review.list.none')}</p>}
          {isLoading ? <p role="status">{text('review.list.loading')}</p> : null}
          <div className={styles['kinds']} role="group" aria-label={text('review.list.kinds')}>
            {lineGroups
              .filter((group) => counts.has(group))
              .map((group) => (
                <button
                  key={group}
                  type="button"
                  aria-pressed={!hidden.has(group)}
                  onClick={() => {
                    const next = new Set(hidden)
                    if (!next.delete(group)) next.add(group)
                    setHidden(next)
                  }}
                >
                  {text(`review.group.${group}`)} <span className={styles['count']}>{whole.format(counts.get(group) ?? 0)}</span>
                </button>
              ))}
          </div>
          <div className={styles['find']}>
            <input
              type="search"
              value={sought}
              aria-label={text('review.list.search')}
              placeholder={text('review.list.search')}
              onChange={(event) => setSought(event.currentTarget.value)}
            />
            <label>
              <input type="checkbox" checked={follows} onChange={(event) => setFollows(event.currentTarget.checked)} />{' '}
              {text('review.list.follow')}
            </label>
          </div>
          <p className={styles['soft']} role="status">
            {data === undefined ? '' : text('review.list.shown', { shown: lines.length, all: all.length })}
          </p>
          {data !== undefined && data.unreadable > 0 ? (
            <p role="alert">{text('review.list.unreadable', { count: data.unreadable })}</p>
          ) : null}
          {data?.cut === true ? <p role="alert">{text('review.list.cut')}</p> : null}
          {data !== undefined && lines.length === 0 ? <p>{text('review.list.empty')}</p> : null}
          {lines.length === 0 ? null : (
            <LineList
              lines={lines}
              label={text('review.list')}
              hint={text('review.list.keys')}
              chosen={chosenAt}
              now={now}
              follows={follows}
              onTouched={() => setFollows(false)}
              onChoose={(index, opens) => {
                const line = lines[index]
                if (line === undefined) return
                setChosen(line)
                if (opens) seek(line.ms)
              }}
            />
          )}
        </section>
      </div>
    </>
  )
}

/** All that the chosen line says, and where it leads. */
function Chosen(props: {
  session: EvidenceSession
  line: TimelineLine | null
  lines: readonly TimelineLine[]
  seek: (ms: number) => void
  show: (focus: Focus) => void
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const lineText = useLineText()
  const { line, session } = props
  if (line === null) return <p className={`${styles['told']} ${styles['soft']}`}>{text('review.line.nothing')}</p>
  const number = line.type === 'screenshot' ? line.data['number'] : null
  const shot = session.screenshots.find((one) => one.number === number)
  const exchange = exchangeOf(props.lines, line)
  return (
    <section className={`${styles['told']} ${styles['chosen']}`} aria-labelledby="chosen-line">
      <h2 id="chosen-line">{text('review.line', { n: line.n })}</h2>
      <p className={styles['soft']}>
        {text('review.line.at', { time: clockOf(line.ms, locale), instant: instantOf(line.at, locale) })}
      </p>
      <p className={styles['sentence']}>{lineText(line)}</p>
      <p className={styles['ways']}>
        <button type="button" onClick={() => props.seek(line.ms)}>
          {text('review.go.video')}
        </button>
        {shot === undefined ? null : (
          <button type="button" onClick={() => props.show({ shot: shot.number })}>
            {text('review.go.shot', { number: shot.number })}
          </button>
        )}
        {exchange === null ? null : (
          <button type="button" onClick={() => props.show({ exchange: exchange.n })}>
            {text('review.go.exchange')}
          </button>
        )}
      </p>
      <details>
        <summary>{text('review.line.raw')}</summary>
        <pre className={styles['raw']}>{visibleLines(JSON.stringify(line.data, null, 2).slice(0, 20_000))}</pre>
      </details>
    </section>
  )
}

/** The time of a line is its writer's word: one that is none is shown as it stands. */
function instantOf(at: string, locale: 'en' | 'fr'): string {
  return Number.isNaN(Date.parse(at)) ? visible(at.slice(0, 60)) : formatExact(at, locale)
}

const visibleLines = (json: string): string => json.split('\n').map(visible).join('\n')
