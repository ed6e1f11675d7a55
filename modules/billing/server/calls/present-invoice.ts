import type { InvoiceOnTheWire, InvoiceWithLines } from '../../contract/invoices.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { numberIn } from '../../domain/invoice/number.ts'
import { publicStatusOf } from '../../domain/invoice/status.ts'
import type { InvoiceRow, Line } from '../invoice/invoice-store.ts'
import type { Listed, listGivenBack } from './invoice-list-store.ts'

const numberOf = ({ series, number }: Pick<InvoiceRow, 'series' | 'number'>): string | null =>
  series === null || number === null ? null : numberIn(series, number)

export function presentInvoice(invoice: Listed): InvoiceOnTheWire {
  const { amount, kind } = invoice
  const status = publicStatusOf(invoice.settlement)
  const toPay = kind === 'credit_note' ? 0 : (invoice.toPay ?? 0)
  return {
    id: invoice.id,
    kind,
    number: numberOf(invoice),
    date: invoice.issuedOn,
    due_on: invoice.dueOn,
    category: invoice.category,
    status,
    net_cents: amount.net,
    vat_cents: amount.vat,
    gross_cents: amount.gross,
    to_pay_cents: toPay,
    paid_cents: invoice.kept,
    covers_from: invoice.covers?.from ?? null,
    covers_to: invoice.covers?.to ?? null,
    instalments:
      kind === 'credit_note'
        ? []
        : [{ part: invoice.part, parts: invoice.parts, due_on: invoice.dueOn, to_pay_cents: toPay, status }],
    credits: invoice.credits,
  }
}

export function presentWithLines(
  invoice: Listed,
  lines: readonly Line[],
  givenBack: Awaited<ReturnType<typeof listGivenBack>>,
): InvoiceWithLines {
  return {
    ...presentInvoice(invoice),
    vat_treatment: invoice.vatTreatment,
    sha256: invoice.sha256?.toString('hex') ?? null,
    refunds: givenBack.map(({ at, cents, isDone }) => ({
      date: dayOf(at),
      amount_cents: cents,
      status: isDone ? 'success' : 'processing',
    })),
    lines: lines.map((line) => ({
      item: line.item,
      plan: line.plan,
      cycle: line.cycle,
      part: line.part,
      parts: line.parts,
      covers_from: line.covers?.from ?? null,
      covers_to: line.covers?.to ?? null,
      quantity: line.quantity,
      unit_cents: line.unitCents,
      net_cents: line.netCents,
      vat_basis_points: line.vatRate,
      vat_cents: line.vatCents,
    })),
  }
}
