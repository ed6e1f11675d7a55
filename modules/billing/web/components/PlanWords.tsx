import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { PlanTermsOnTheWire } from '../../contract/plans.ts'
import { useMoney } from './use-money.ts'

/** What a plan costs and holds, in a line: as the server has it today. */
export function PlanWords(props: { terms: PlanTermsOnTheWire }): ReactNode {
  const text = useText()
  const { money } = useMoney()
  const { month_cents: month, year_cents: year, report_cents: report, timestamp_cents: stamp, ...terms } = props.terms
  const price =
    month !== null && year !== null
      ? text('billing.terms.month', { month: money(month), year: money(year) })
      : month !== null || year !== null
        ? text(month === null ? 'billing.terms.year_alone' : 'billing.terms.month_alone', { price: money(month ?? year ?? 0) })
        : report !== null && stamp !== null
          ? text('billing.terms.unit', { report: money(report), stamp: money(stamp) })
          : text('billing.terms.quote')
  return (
    <>
      {price}
      {month === null && year === null ? null : (
        <>
          {' '}
          {terms.reports_per_month === null
            ? text('billing.terms.reports.any')
            : text('billing.terms.reports', { count: terms.reports_per_month })}
          {', '}
          {terms.timestamps_per_month === null
            ? text('billing.terms.timestamps.any')
            : text('billing.terms.timestamps', { count: terms.timestamps_per_month })}
          {terms.seats === 1 ? '.' : `, ${text('billing.terms.seats', { count: terms.seats })}.`}
        </>
      )}
    </>
  )
}
