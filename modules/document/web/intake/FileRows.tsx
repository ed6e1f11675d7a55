import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { formatBytes } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Intake, IntakeFile, IntakeGlance } from './intake.ts'
import styles from './file-rows.module.css'

/** Where lines are short, what is said of a file takes three of them. */
const narrow = 560
const heightOf = (width: number) => (width < narrow ? 104 : 72)
/** Drawn above and below what is in view, so that nothing is empty while one scrolls. */
const beyond = 6
const mostShown = 480

/** The files that were given. Only those in view are drawn: a hundred thousand are as light as ten. */
export function FileRows(props: { intake: Intake; glance: IntakeGlance }): ReactNode {
  const text = useText()
  const { intake, glance } = props
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [{ width, height }, setBox] = useState({ width: Number.POSITIVE_INFINITY, height: mostShown })
  const rowHeight = heightOf(width)
  const { total } = glance
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setBox({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const last = Math.min(total, Math.ceil((top + height) / rowHeight) + beyond)
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, i) => intake.fileAt(first + i))
  return (
    <div
      ref={box}
      className={styles['scroll']}
      data-narrow={width < narrow}
      style={{ height: Math.min(mostShown, total * rowHeight + 2) }}
      role="region"
      aria-label={text('document.intake.files')}
      // What scrolls is reached by the keyboard.
      tabIndex={0}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul style={{ height: total * rowHeight }}>
        {rows.map((file, i) =>
          file === undefined ? null : (
            <li
              key={file.id}
              className={styles['row']}
              style={{ top: (first + i) * rowHeight, height: rowHeight }}
              aria-setsize={total}
              aria-posinset={first + i + 1}
            >
              <Row file={file} intake={intake} />
            </li>
          ),
        )}
      </ul>
    </div>
  )
}

function Row(props: { file: IntakeFile; intake: Intake }): ReactNode {
  const text = useText()
  const { file, intake } = props
  const name = visible(file.path)
  return (
    <>
      <div className={styles['what']}>
        <bdi className={styles['name']} title={name}>
          {name}
        </bdi>
        <span className={styles['state']} data-state={file.state}>
          <State file={file} />
        </span>
        {file.state === 'hashing' && file.size > 0 ? (
          <progress
            className={styles['bar']}
            value={file.done}
            max={file.size}
            aria-label={text('document.intake.progress_of', { name })}
          />
        ) : null}
      </div>
      <div className={styles['acts']}>
        {file.state === 'hashing' || file.state === 'waiting' ? (
          <Act words={text('document.intake.pause_one', { name })} onAct={() => intake.pause(file.id)} d="M7 5v12M15 5v12" />
        ) : null}
        {file.state === 'paused' ? (
          <Act words={text('document.intake.resume_one', { name })} onAct={() => intake.resume(file.id)} d="M7 4l10 7-10 7z" />
        ) : null}
        {file.state === 'failed' ? (
          <Act
            words={text('document.intake.again_one', { name })}
            onAct={() => intake.again(file.id)}
            d="M17 8a7 7 0 1 0 1 4M17 3v5h-5"
          />
        ) : null}
        <Act words={text('document.intake.remove_one', { name })} onAct={() => intake.remove(file.id)} d="m5 5 12 12M17 5 5 17" />
      </div>
    </>
  )
}

function Act(props: { words: string; onAct: () => void; d: string }): ReactNode {
  return (
    <button type="button" aria-label={props.words} title={props.words} onClick={props.onAct}>
      <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
        <path d={props.d} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </button>
  )
}

function State({ file }: { file: IntakeFile }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const size = formatBytes(file.size, locale)
  if (file.state === 'failed') return text(`document.intake.failed.${file.reason ?? 'unreadable'}`)
  if (file.hashes !== null)
    return (
      <>
        {size} · <code title={file.hashes.sha256}>{file.hashes.sha256.slice(0, 16)}…</code>
        {file.size === 0 ? ` · ${text('document.intake.empty')}` : null}
        {file.twin === null ? null : ` · ${text('document.intake.twin', { name: visible(file.twin) })}`}
      </>
    )
  if (file.state === 'hashing') return text('document.intake.hashing', { done: formatBytes(file.done, locale), size })
  return `${size} · ${text(`document.intake.${file.state === 'paused' ? 'paused' : 'waiting'}`)}`
}
