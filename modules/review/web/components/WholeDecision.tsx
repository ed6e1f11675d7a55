import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { AdminUser } from '../../contract/review.ts'
import { documentKinds, type DocumentKind } from '../../domain/identity-document.ts'
import { askableKinds } from '../decision.ts'
import styles from '../users.module.css'
import { longestNote } from './DocumentDecision.tsx'

/** Over all documents: what was not sent and is asked for, what the person is told, and the way to the end. */
export function WholeDecision(props: {
  user: AdminUser
  today: string
  undecided: number
  missing: readonly DocumentKind[]
  note: string
  onMissing: (kinds: readonly DocumentKind[]) => void
  onNote: (note: string) => void
  onDecide: () => void
}): ReactNode {
  const text = useText()
  const id = useId()
  const { missing, onMissing } = props
  const askable = askableKinds(props.user, documentKinds, props.today)
  return (
    <section className={styles['panel']} aria-labelledby={id}>
      <h2 id={id}>{text('review.page.whole')}</h2>
      {askable.length === 0 ? null : (
        <fieldset className={styles['checks']}>
          <legend>{text('review.page.missing')}</legend>
          {askable.map((kind, i) => (
            <label key={kind}>
              <input
                type="checkbox"
                data-key={i === 0 ? 'missing' : undefined}
                checked={missing.includes(kind)}
                onChange={(event) =>
                  onMissing(event.currentTarget.checked ? [...missing, kind] : missing.filter((each) => each !== kind))
                }
              />
              {text(`review.page.kind.${kind}`)}
            </label>
          ))}
        </fieldset>
      )}
      <div className={styles['text']}>
        <label htmlFor={`${id}-note`}>{text('review.page.note.whole')}</label>
        <textarea
          id={`${id}-note`}
          data-key="whole"
          aria-keyshortcuts="w"
          rows={2}
          maxLength={longestNote}
          value={props.note}
          onChange={(event) => props.onNote(event.currentTarget.value)}
        />
      </div>
      <div className={styles['actions']}>
        <Button size="md" aria-keyshortcuts="Control+Enter" onClick={props.onDecide}>
          {text('review.page.decide')}
        </Button>
      </div>
      <p className={styles['soft']}>{text('review.page.undecided', { count: props.undecided })}</p>
    </section>
  )
}
