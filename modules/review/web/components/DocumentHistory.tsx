import type { ReactNode } from 'react'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { IdentityDocument } from '../../contract/review.ts'
import { olderOf } from '../documents.ts'
import styles from '../identity-documents.module.css'

/** Every version that another stands for now: which kind, when, and what was decided of it. */
export function DocumentHistory(props: { documents: readonly IdentityDocument[] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const older = olderOf(props.documents)
  if (older.length === 0) return null
  return (
    <details className={styles['history']}>
      <summary>{text('review.page.history', { count: older.length })}</summary>
      <ul className={styles['versions']}>
        {older.map(({ id, kind, version, state, uploaded_at, reason, erased_at }) => (
          <li key={id}>
            <strong>{text(`review.page.kind.${kind}`)}</strong> – {text('review.page.version', { version })}
            <br />
            {text('review.page.uploaded', { date: formatInstant(uploaded_at, locale) })} · {text(`review.page.document.${state}`)}
            {reason === null ? null : ` · ${text(`review.page.reason.${reason}`)}`}
            {erased_at === null ? null : ` · ${text('review.page.erased', { date: formatInstant(erased_at, locale) })}`}
          </li>
        ))}
      </ul>
    </details>
  )
}
