import type { ReactNode } from 'react'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { nameOfAuthority } from '../../domain/describe/describe-check.ts'
import { describeReliance } from '../../domain/describe/describe-proof.ts'
import type { ProvenDate } from '../../domain/report/proof-report.ts'
import { useWords } from './use-words.ts'
import styles from './verification-result.module.css'

/** Each proven date, in the reader's zone and in UTC, with the one whose word it is. */
export function DatesTable(props: { dates: readonly ProvenDate[] }): ReactNode {
  const text = useText()
  const words = useWords()
  const locale = useLocale()
  return (
    <section className={styles['section']}>
      <h3>{text('verification.page.dates')}</h3>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{text('verification.page.date_at')}</th>
            <th scope="col">{text('verification.page.date_kind')}</th>
            <th scope="col">{text('verification.page.date_by')}</th>
          </tr>
        </thead>
        <tbody>
          {props.dates
            .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
            .map((date, i) => (
              <tr key={i}>
                <td data-label={text('verification.page.date_at')}>{formatExact(date.at, locale)}</td>
                <td data-label={text('verification.page.date_kind')}>
                  {text(`verification.proof.date.${date.kind}`)}
                  {date.qualified === true ? <strong> {text('verification.proof.date.qualified')}</strong> : null}
                </td>
                <td data-label={text('verification.page.date_by')}>
                  <bdi>{nameOfAuthority(date.by, words)}</bdi>
                  <span className={styles['soft']}>{describeReliance(date.rests_on, words).join(' ')}</span>
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
