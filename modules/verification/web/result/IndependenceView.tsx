import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { describeScenario } from '../../domain/describe/describe-proof.ts'
import { independence, type Scenario } from '../../domain/dossier/concluded/independence.ts'
import type { ProvenDate } from '../../domain/report/proof-report.ts'
import { useWords } from './use-words.ts'
import styles from './verification-result.module.css'

/** What still stands when one of those relied upon is gone, or lied. Derived from the dates; nothing is said of what is not dated. */
export function IndependenceView(props: { dates: readonly ProvenDate[] }): ReactNode {
  const text = useText()
  const scenarios = independence(props.dates)
  if (props.dates.length === 0) return null
  return (
    <section className={styles['section']} aria-labelledby="independence">
      <h2 id="independence">{text('verification.independence.title')}</h2>
      <p className={styles['note']}>{text('verification.independence.lead')}</p>
      {scenarios.length === 0 ? (
        <p>{text('verification.independence.none')}</p>
      ) : (
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{text('verification.independence.who')}</th>
              <th scope="col">{text('verification.independence.if_gone')}</th>
              <th scope="col">{text('verification.independence.if_lied')}</th>
            </tr>
          </thead>
          <tbody>
            {scenarios.map((scenario) => (
              <Row key={`${scenario.party} ${scenario.name ?? ''}`} scenario={scenario} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Row(props: { scenario: Scenario }): ReactNode {
  const text = useText()
  const { who, gone, lied } = describeScenario(props.scenario, useWords())
  return (
    <tr data-stands={props.scenario.stands.length > 0}>
      <th scope="row">{who}</th>
      <td data-label={text('verification.independence.if_gone')}>{gone}</td>
      <td data-label={text('verification.independence.if_lied')}>{lied}</td>
    </tr>
  )
}
