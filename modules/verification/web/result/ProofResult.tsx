import type { ReactNode } from 'react'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { formatBytes, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { ConclusionSaid } from '../../domain/describe/describe-conclusion.ts'
import {
  algorithmName,
  describeFact,
  describeProofCheck,
  reliancesSaid,
  whatDatesProve,
} from '../../domain/describe/describe-proof.ts'
import type { Bound, ProofReport } from '../../domain/report/proof-report.ts'
import { useWords } from './use-words.ts'
import { CheckList } from './CheckList.tsx'
import { DatesTable } from './DatesTable.tsx'
import { VerdictBand } from './VerdictBand.tsx'
import styles from './verification-result.module.css'

/** One proof: what was concluded, what it proves and on whose word, then everything that was checked. */
export function ProofResult(props: {
  name: string
  said: ConclusionSaid
  report: ProofReport
  bound: readonly Bound[]
  focused: boolean
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const words = useWords()
  const { report } = props
  const proves = report.verdict === null ? '' : whatDatesProve(report.dates, words)
  const rests = reliancesSaid(report, words)
  const facts = report.facts.map((fact) => {
    const { name, value } = describeFact(report.kind, fact, words)
    const shown =
      fact.form === 'hex' ? (
        <code key={fact.id}>{groupHex(value)}</code>
      ) : fact.form === 'bytes' && typeof fact.value === 'number' ? (
        formatBytes(fact.value, locale)
      ) : (
        <bdi key={fact.id}>{value}</bdi>
      )
    return [name, shown] as const
  })
  return (
    <div className={styles['result']} data-verdict={report.verdict ?? 'none'} data-kind={report.kind}>
      <VerdictBand said={props.said} at={report.verified_at} name={props.name} focused={props.focused}>
        {proves === '' ? null : <p className={styles['proves']}>{proves}</p>}
      </VerdictBand>
      {rests.length === 0 ? null : (
        <ul className={styles['assumption']} aria-label={text('verification.page.rests')}>
          {rests.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {report.dates.length === 0 ? null : <DatesTable dates={report.dates} />}
      <CheckList checks={report.checks} describe={(check) => describeProofCheck(report.kind, check, words)} />
      {facts.length === 0 ? null : (
        <section className={styles['section']}>
          <h3>{text('verification.page.facts')}</h3>
          <Facts rows={distinct(facts)} />
        </section>
      )}
      <Digests bound={props.bound} />
    </div>
  )
}

/** Several facts of one name stand in one row. */
function distinct(rows: readonly (readonly [string, ReactNode])[]): (readonly [string, ReactNode])[] {
  const grouped = Map.groupBy(rows, ([name]) => name)
  return [...grouped].map(([name, each]) => [
    name,
    each.length === 1 ? (
      each[0]?.[1]
    ) : (
      <ul key={name} className={styles['plain']}>
        {each.map(([, value], i) => (
          <li key={i}>{value}</li>
        ))}
      </ul>
    ),
  ])
}

const mostDigests = 12

export function Digests(props: { bound: readonly Bound[] }): ReactNode {
  const text = useText()
  const bound = props.bound.filter(({ of }) => of !== 'entry').slice(0, mostDigests)
  if (bound.length === 0) return null
  return (
    <section className={styles['section']}>
      <h3>{text('verification.page.digest')}</h3>
      <ul className={styles['digests']}>
        {bound.map(({ algorithm, hex, of }, i) => (
          <li key={i}>
            <span className={styles['soft']}>
              {text(`verification.page.of.${of}`)}, {algorithmName(algorithm)}
            </span>
            <code>{groupHex(hex)}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
