import type { ReactNode } from 'react'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { formatDay, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { IdentityVerification } from '../../contract/review.ts'
import { dayAfter, hasEnded, renewalDays } from '../../domain/renewal.ts'
import styles from '../identity-documents.module.css'
import { ReviewersNote } from './NoteText.tsx'

/** S-22…S-24: how it stands, in a sentence, with what there is to do. */
export function VerificationState(props: { verification: IdentityVerification }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { state, submitted_at, decided_at, note, missing, erase_documents_at: erased } = props.verification
  const { stands } = props.verification
  const today = new Date(serverNow()).toISOString().slice(0, 10)
  const ended = stands !== null && hasEnded(stands.until, today)
  const sentence = sentenceOf(props.verification, today)
  const until = stands?.until == null ? null : formatDay(stands.until, locale)
  const date = (instant: string | null) => (instant === null ? '' : formatInstant(instant, locale))
  return (
    <section
      className={styles['state']}
      data-state={state === 'success' && ended ? 'failure' : state}
      aria-labelledby="identity-state"
      aria-live="polite"
    >
      <h3 id="identity-state">{text(state === 'success' && ended ? 'review.page.state.ended' : `review.page.state.${state}`)}</h3>
      <p>
        {state === 'pending'
          ? text('review.page.state.pending.text', { date: date(submitted_at) })
          : state === 'collecting'
            ? text('review.page.state.collecting.text')
            : text(`review.page.state.${state}.text`, { date: date(decided_at) })}
      </p>
      {sentence === null ? null : <p>{text(`review.page.stands.${sentence}`, { until: until ?? 'none' })}</p>}
      {state === 'failure' && missing.length > 0 ? (
        <>
          <p>{text('review.page.state.failure.redo')}</p>
          <ul className={styles['points']}>
            {missing.map((kind) => (
              <li key={kind}>{text(`review.page.kind.${kind}`)}</li>
            ))}
          </ul>
        </>
      ) : null}
      {note === null ? null : <ReviewersNote note={note} />}
      {erased === null ? null : (
        <p className={styles['soft']}>
          {text(state === 'collecting' ? 'review.page.erased_on.unsent' : 'review.page.erased_on', { date: date(erased) })}
        </p>
      )}
    </section>
  )
}

/** What counts now, and until when: also while something new is with the reviewers, or was refused by them. */
function sentenceOf({ state, stands, due, documents }: IdentityVerification, today: string) {
  if (stands === null) {
    const isUnlike = ({ kind, state: of, expires_on: until }: IdentityVerification['documents'][number]) =>
      of === 'success' && due.includes(kind) && !hasEnded(until, today)
    return documents.some(isUnlike) ? 'unlike' : null
  }
  const ended = hasEnded(stands.until, today)
  if (state !== 'success') return ended ? 'over' : 'meanwhile'
  if (ended) return 'ended'
  const ends = stands.until !== null && stands.until <= dayAfter(today, renewalDays)
  if (due.length > 0) return ends ? 'due' : 'renamed'
  return stands.until === null ? null : 'good'
}
