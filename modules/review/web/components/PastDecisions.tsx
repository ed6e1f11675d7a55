import type { ReactNode } from 'react'
import { formatDay, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { AdminUser, IdentityDocument } from '../../contract/review.ts'
import styles from '../users.module.css'
import { NoteText } from './NoteText.tsx'

type History = NonNullable<AdminUser['file']>['history']

/** Who decided what, on which versions, and when. */
export function PastDecisions(props: { history: History; documents: readonly IdentityDocument[] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  if (props.history.length === 0) return null
  const named = (id: string) => {
    const document = props.documents.find((each) => each.id === id)
    return document === undefined
      ? text('review.page.decision.erased')
      : `${text(`review.page.kind.${document.kind}`)} (${text('review.page.version', { version: document.version })})`
  }
  return (
    <section className={styles['panel']}>
      <h2>{text('review.page.past')}</h2>
      <ol className={styles['past']}>
        {props.history.map(({ round, by, at, outcome, final, note, missing, decisions }) => (
          <li key={`${round} ${at}`}>
            <p>
              <strong>
                {text(`review.page.past.${outcome}`, { round, name: visible(by.name), date: formatInstant(at, locale) })}
              </strong>
              {final ? null : ` – ${text('review.page.past.first')}`}
            </p>
            <ul>
              {decisions.map(({ document_id: id, outcome: each, reason, note: words, expires_on: until }) => (
                <li key={id}>
                  {named(id)}
                  {' – '}
                  {text(`review.page.document.${each === 'accepted' ? 'success' : 'failure'}`)}
                  {reason === null ? null : ` – ${text(`review.page.reason.${reason}`)}`}
                  {until === null ? null : ` – ${text('review.page.good_until', { date: formatDay(until, locale) })}`}
                  {words === null ? null : <NoteText note={words} />}
                </li>
              ))}
              {missing.map((kind) => (
                <li key={kind}>
                  {text(`review.page.kind.${kind}`)} – {text('review.page.confirm.missing')}
                </li>
              ))}
            </ul>
            {note === null ? null : <NoteText note={note} />}
          </li>
        ))}
      </ol>
    </section>
  )
}
