import { Button } from '@mantine/core'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { formatDay, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { AdminUser, IdentityDocument } from '../../contract/review.ts'
import { refusalReasons, type RefusalReason } from '../../domain/identity-document.ts'
import { bearsExpiry, checksOf, isExpired, typedFor, type Draft } from '../decision.ts'
import { countingOf } from '../documents.ts'
import { readDay } from '../read-day.ts'
import { typedDay } from '../typed-day.ts'
import styles from '../users.module.css'

export const longestNote = 1000

/** What is compared, ticked and typed of one document, and what was made of it. */
export function DocumentDecision(props: {
  user: AdminUser
  document: IdentityDocument
  draft: Draft
  today: string
  refusing: boolean
  onChange: (part: Partial<Draft>) => void
  onAccept: () => void
  onRefusing: (on: boolean) => void
  onRefuse: (reason: RefusalReason) => void
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const id = useId()
  const { document, draft, onChange } = props
  const { kind } = document
  const unticked = checksOf[kind].find((check) => !draft.ticked.includes(check))
  const day = readDay(draft.expiry)
  const expired = isExpired(draft, props.today)
  return (
    <section className={styles['panel']} aria-labelledby={id} data-outcome={draft.outcome ?? undefined}>
      <div className={styles['panelHead']}>
        <h2 id={id}>{text(`review.page.kind.${kind}`)}</h2>
        {draft.outcome === null ? null : (
          <Badge tone={draft.outcome === 'accepted' ? 'good' : 'bad'}>
            {text(`review.page.outcome.${draft.outcome}`)}
            {draft.outcome === 'refused' && draft.reason !== null ? ` – ${text(`review.page.reason.${draft.reason}`)}` : null}
          </Badge>
        )}
      </div>
      <Replaced document={document} documents={props.user.file?.documents ?? []} />
      <fieldset className={styles['checks']}>
        <legend>{text('review.page.checks')}</legend>
        {checksOf[kind].map((check) => (
          <label key={check}>
            <input
              type="checkbox"
              checked={draft.ticked.includes(check)}
              data-key={check === unticked ? 'check' : undefined}
              onChange={(event) =>
                onChange({
                  ticked: event.currentTarget.checked ? [...draft.ticked, check] : draft.ticked.filter((each) => each !== check),
                })
              }
            />
            <span>
              {text(`review.page.check.${check}`)}
              <Compared value={typedFor(check, props.user)} day={check === 'birth_date'} />
            </span>
          </label>
        ))}
        {bearsExpiry(kind) ? (
          <div className={styles['expiry']}>
            <label htmlFor={`${id}-expiry`}>{text('review.page.expiry')}</label>
            <input
              id={`${id}-expiry`}
              type="text"
              inputMode="numeric"
              autoComplete="off"
              maxLength={20}
              placeholder={text('review.page.expiry.form')}
              data-key="expiry"
              aria-keyshortcuts="e"
              aria-describedby={`${id}-judged`}
              value={draft.expiry}
              disabled={draft.noExpiry}
              onChange={(event) => onChange({ expiry: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.ctrlKey) event.currentTarget.blur()
              }}
            />
            <p id={`${id}-judged`} role="status" data-tone={day === null || expired ? 'bad' : 'good'}>
              {draft.expiry.trim() === ''
                ? null
                : day === null
                  ? text('review.page.expiry.unread')
                  : text(expired ? 'review.page.expiry.past' : 'review.page.expiry.good', {
                      date: new Intl.DateTimeFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', {
                        dateStyle: 'long',
                        timeZone: 'UTC',
                      }).format(new Date(day)),
                    })}
            </p>
            <label>
              <input
                type="checkbox"
                checked={draft.noExpiry}
                onChange={(event) => onChange({ noExpiry: event.currentTarget.checked, expiry: '' })}
              />
              {text('review.page.expiry.none')}
            </label>
          </div>
        ) : null}
      </fieldset>
      <div className={styles['actions']}>
        <Button aria-keyshortcuts="a" onClick={props.onAccept}>
          {text('review.page.accept')}
        </Button>
        <Button
          variant="outline"
          color="bad"
          aria-keyshortcuts="x"
          aria-expanded={props.refusing}
          onClick={() => props.onRefusing(!props.refusing)}
        >
          {text('review.page.refuse')}
        </Button>
      </div>
      {props.refusing ? <Reasons chosen={draft.reason} onRefuse={props.onRefuse} /> : null}
      <div className={styles['text']}>
        <label htmlFor={`${id}-note`}>{text('review.page.note.document')}</label>
        <textarea
          id={`${id}-note`}
          data-key="note"
          aria-keyshortcuts="n"
          rows={2}
          maxLength={longestNote}
          value={draft.note}
          onChange={(event) => onChange({ note: event.currentTarget.value })}
        />
      </div>
    </section>
  )
}

/** That it is a replacement, of which version, and how that one stands. */
function Replaced(props: { document: IdentityDocument; documents: readonly IdentityDocument[] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const counting = countingOf(props.documents, props.document.kind)
  if (counting === null || counting.decided_at === null) return null
  return (
    <p className={styles['soft']}>
      {text('review.page.replaces', {
        version: counting.version,
        date: formatInstant(counting.decided_at, locale),
        until: counting.expires_on === null ? 'none' : formatDay(counting.expires_on, locale),
      })}
    </p>
  )
}

function Compared(props: { value: string | null; day: boolean }): ReactNode {
  const locale = useLocale()
  const { value, day } = props
  return value === null ? null : <span className={styles['compared']}>{day ? typedDay(value, locale) : visible(value)}</span>
}

/** S-25…S-31, and two more (H-42): by its digit, or by the pointer. */
function Reasons(props: { chosen: RefusalReason | null; onRefuse: (reason: RefusalReason) => void }): ReactNode {
  const text = useText()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.focus(), [])
  return (
    <div ref={list} className={styles['reasons']} role="group" tabIndex={-1} aria-label={text('review.page.reasons')}>
      <p className={styles['soft']}>{text('review.page.reasons.lead')}</p>
      {refusalReasons.map((reason, i) => (
        <button
          key={reason}
          type="button"
          aria-pressed={props.chosen === reason}
          aria-keyshortcuts={String(i + 1)}
          onClick={() => props.onRefuse(reason)}
        >
          <kbd aria-hidden="true">{i + 1}</kbd> {text(`review.page.reason.${reason}`)}
        </button>
      ))}
    </div>
  )
}
