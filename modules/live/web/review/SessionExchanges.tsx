import { useDeferredValue, useMemo, useState, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { EvidenceSession } from '../../../evidence/contract/session-review.ts'
import { LineList } from './LineList.tsx'
import type { Focus } from './SessionReview.tsx'
import type { TimelineLine } from './timeline.ts'
import { useLineText } from './use-line-text.ts'
import { useTimeline } from './use-timeline.ts'
import styles from './review.module.css'

const none: readonly TimelineLine[] = []

/** Every exchange that the browser told of, in order; each leads to its second. */
export function SessionExchanges(props: {
  session: EvidenceSession
  focus: Focus | null
  show: (focus: Focus) => void
}): ReactNode {
  const text = useText()
  const lineText = useLineText()
  const { data, isLoading } = useTimeline(props.session)
  const all = data?.lines ?? none
  const [sought, setSought] = useState('')
  const search = useDeferredValue(sought.trim().toLocaleLowerCase())
  const led = props.focus !== null && 'exchange' in props.focus
  const [chosen, setChosen] = useState<number | null>(
    props.focus !== null && 'exchange' in props.focus ? props.focus.exchange : null,
  )
  const lines = useMemo(
    () => all.filter((line) => line.type === 'request' && (search === '' || lineText(line).toLocaleLowerCase().includes(search))),
    [all, search, lineText],
  )
  const at = lines.findIndex(({ n }) => n === chosen)
  const line = at < 0 ? undefined : lines[at]
  return (
    <section className={styles['exchanges']} aria-labelledby="exchanges-heading">
      <h2 id="exchanges-heading">{text('review.exchanges')}</h2>
      <p className={styles['soft']}>{text('review.exchanges.lead')}</p>
      {isLoading ? <p role="status">{text('review.list.loading')}</p> : null}
      <div className={styles['find']}>
        <input
          type="search"
          value={sought}
          aria-label={text('review.list.search')}
          placeholder={text('review.list.search')}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      </div>
      {lines.length === 0 ? (
        <p>{isLoading ? null : text('review.list.empty')}</p>
      ) : (
        <LineList
          led={led}
          lines={lines}
          label={text('review.exchanges')}
          hint={text('review.list.keys')}
          chosen={at}
          now={-1}
          follows={false}
          onChoose={(index) => setChosen(lines[index]?.n ?? null)}
        />
      )}
      {line === undefined ? null : (
        <div className={styles['chosen']}>
          <p className={styles['sentence']}>{lineText(line)}</p>
          <p className={styles['ways']}>
            <button type="button" onClick={() => props.show({ ms: line.ms })}>
              {text('review.go.video')}
            </button>
          </p>
        </div>
      )}
    </section>
  )
}
