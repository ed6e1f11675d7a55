import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { TabStrip } from '../../../../ui/controls/TabStrip.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import type { IdentityDocument } from '../../contract/review.ts'
import { draftOf, isDecided, type Drafts } from '../decision.ts'
import { useShortcuts } from '../use-shortcuts.ts'
import styles from '../users.module.css'
import { DocumentViewer } from './DocumentViewer.tsx'

/** The documents of a file: one at a time, or two beside each other. Nothing is fetched before it is looked at: each look is recorded. */
export function DocumentsBeside(props: {
  userId: string
  documents: readonly IdentityDocument[]
  current: IdentityDocument | null
  drafts: Drafts
  today: string
  watermark: string
  /** A file that waits is shown to who holds it. */
  locked: boolean
  onShow: (id: string) => void
}): ReactNode {
  const text = useText()
  const { documents, current, locked } = props
  const [beside, setBeside] = useState<string | null>(null)
  const [looked, setLooked] = useState(false)
  const others = documents.filter(({ id, pages }) => id !== current?.id && pages > 0)
  const second = beside === null ? null : (others.find(({ id }) => id === beside) ?? others[0] ?? null)
  const pending = documents.some(({ state }) => state === 'pending')
  const hidden = locked || (!pending && !looked)
  useShortcuts({ b: () => setBeside(beside === null ? (others[0]?.id ?? null) : null) })
  if (documents.length === 0) return <p className={styles['empty']}>{text('review.page.documents.none')}</p>
  return (
    <section className={styles['documents']} aria-label={text('review.page.documents')}>
      <TabStrip>
        <div className={styles['tabs']} role="group" aria-label={text('review.page.documents')}>
          {documents.map((document, i) => {
            const { id, kind, state, version } = document
            const draft = draftOf(props.drafts, id)
            const mark = state === 'pending' ? (isDecided(kind, draft, props.today) ? draft.outcome : null) : null
            return (
              <button
                key={id}
                type="button"
                aria-pressed={id === current?.id}
                aria-keyshortcuts={i < 9 ? String(i + 1) : undefined}
                data-outcome={mark ?? undefined}
                onClick={() => props.onShow(id)}
              >
                {i < 9 ? <kbd aria-hidden="true">{i + 1}</kbd> : null} {text(`review.page.kind.${kind}`)}
                {version > 1 ? ` (${text('review.page.version', { version })})` : null}
                <small>{mark === null ? text(`review.page.document.${state}`) : text(`review.page.outcome.${mark}`)}</small>
              </button>
            )
          })}
          {others.length === 0 || hidden ? null : (
            <button
              type="button"
              aria-pressed={second !== null}
              aria-keyshortcuts="b"
              onClick={() => setBeside(second === null ? (others[0]?.id ?? null) : null)}
            >
              {text('review.page.beside')}
            </button>
          )}
        </div>
      </TabStrip>
      {hidden ? (
        <div className={styles['empty']}>
          <p>{text(locked ? 'review.page.documents.locked' : 'review.page.documents.settled')}</p>
          {locked ? null : (
            <Button variant="default" onClick={() => setLooked(true)}>
              {text('review.page.documents.look')}
            </Button>
          )}
        </div>
      ) : (
        <div className={styles['viewers']} data-two={second !== null || undefined}>
          {current === null ? null : (
            <DocumentViewer key={current.id} userId={props.userId} document={current} watermark={props.watermark} keys />
          )}
          {second === null ? null : (
            <DocumentViewer
              key={`beside ${second.id}`}
              userId={props.userId}
              document={second}
              watermark={props.watermark}
              keys={false}
            />
          )}
        </div>
      )}
    </section>
  )
}
