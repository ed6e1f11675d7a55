import type { ReactNode } from 'react'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { PlanTermsOnTheWire } from '../../contract/plans.ts'

export const moneyFields = ['month_cents', 'year_cents', 'report_cents', 'timestamp_cents'] as const
export const countFields = ['reports_per_month', 'timestamps_per_month', 'drafts', 'seats'] as const

/** What a plan costs and holds; beside it what it did before, where that is another. */
export function TermsFacts(props: { terms: PlanTermsOnTheWire; before?: PlanTermsOnTheWire | null }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { terms, before = null } = props
  const money = (cents: number | null) => (cents === null ? text('billing.admin.not_so') : formatMoney(cents, 'EUR', locale))
  const count = (value: number | null) => (value === null ? text('billing.admin.any_number') : String(value))
  const said = (now: string, was: string | null) =>
    was === null || was === now ? now : text('billing.admin.change', { before: was, after: now })
  return (
    <Facts
      rows={[
        ...moneyFields.map(
          (field) =>
            [
              text(`billing.admin.field.${field}`),
              said(money(terms[field]), before === null ? null : money(before[field])),
            ] as const,
        ),
        ...countFields.map(
          (field) =>
            [
              text(`billing.admin.field.${field}`),
              said(count(terms[field]), before === null ? null : count(before[field])),
            ] as const,
        ),
      ]}
    />
  )
}
