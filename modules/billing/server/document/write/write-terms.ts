import type { DocumentWords } from '../words/document-words.ts'
import type { InvoiceFacts } from './invoice-facts.ts'

/** BT-20: when, and of a price in parts each of them with its day. */
export function writeTerms(facts: InvoiceFacts, paidInFull: boolean, { t, day, money }: DocumentWords): string | null {
  const { dueOn, schedule, settled } = facts
  const said = [
    settled === null ? null : t(`billing.document.terms.${settled}`),
    dueOn === null ? null : t(paidInFull ? 'billing.document.terms.paid' : 'billing.document.terms.due', { date: day(dueOn) }),
  ]
  if (schedule !== null) {
    const { parts, current } = schedule
    const all = parts
      .map(({ gross, dueOn: on }) => t('billing.document.terms.each', { gross: money(gross), date: day(on) }))
      .join(', ')
    const values = { count: parts.length, all }
    said.push(
      current === null
        ? t('billing.document.terms.parts', values)
        : t('billing.document.terms.part', { ...values, number: current + 1 }),
    )
  }
  const words = said.filter((each) => each !== null)
  return words.length === 0 ? null : words.join(' ')
}
