import { useText } from '../../../../ui/intl/text.tsx'
import type { InvoiceOnTheWire, InvoiceWithLines } from '../../contract/invoices.ts'
import { useMoney } from '../components/use-money.ts'

type Line = InvoiceWithLines['lines'][number]
type Status = InvoiceOnTheWire['status']

export const toneOf = { success: 'good', pending: 'caution', failed: 'bad' } as const satisfies Record<Status, string>

/** An invoice in words: how it is called, how it stands, what a line of it is for. */
export function useInvoiceWords() {
  const text = useText()
  const { span } = useMoney()
  const period = (days: ReturnType<typeof span>) => (days.from === days.to ? days.from : text('billing.fact.period.value', days))
  return {
    title: ({ kind, number }: InvoiceOnTheWire): string =>
      number === null ? text('billing.invoice.draft') : text(`billing.invoice.title.${kind}`, { number }),
    /** E-39, S-15…S-17; what was credited owes nobody anything. */
    status: ({ kind, status }: InvoiceOnTheWire): string =>
      text(kind === 'credit_note' ? 'billing.invoice.status.credited' : `billing.invoice.status.${status}`),
    tone: ({ kind, status }: InvoiceOnTheWire) => (kind === 'credit_note' ? ('plain' as const) : toneOf[status]),
    line: ({ item, plan, cycle, part, parts, covers_from: from, covers_to: to }: Line): string =>
      [
        item === 'plan'
          ? text('billing.line.plan', { plan: text(`billing.plan.${plan as 'essential'}`), cycle: cycle ?? 'month' })
          : text(`billing.line.${item}`),
        ...(part === null || parts === null || parts === 1 ? [] : [text('billing.quote.part', { part, parts })]),
        ...(from === null || to === null ? [] : [period(span(from, to))]),
      ].join(' – '),
  }
}
