import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Day } from '../../domain/calendar/calendar.ts'
import { numberIn } from '../../domain/invoice/number.ts'
import type { Buyer } from '../customer/read-buyer.ts'
import type { Seller } from '../seller/deps.ts'
import type { InvoiceRow, Line } from './invoice-store.ts'

/** The buyer stands beside the document, which holds this of him: without the salt it could be guessed from a list of names. */
export function digestBuyer(buyer: object, salt: Buffer): string {
  return createHash('sha256')
    .update(salt)
    .update(canonicalize(buyer) ?? '')
    .digest('hex')
}

export type Issue = {
  readonly series: string
  readonly number: number
  readonly issuedOn: Day
  readonly dueOn: Day | null
  /** Of the one before it in the series; null: it is the first. */
  readonly previous: Buffer | null
  /** Number of the invoice that a credit note takes from. */
  readonly credits: string | null
}

/** The bytes of a document as it is issued: RFC 8785 JSON of everything that it says. */
export function composeContent(
  invoice: InvoiceRow,
  lines: readonly Line[],
  parties: { readonly seller: Seller; readonly buyer: Buyer; readonly salt: Buffer },
  issue: Issue,
): { readonly content: Buffer; readonly sha256: Buffer } {
  const { amount } = invoice
  const text = canonicalize({
    format: 'probant-invoice-1',
    kind: invoice.kind,
    number: numberIn(issue.series, issue.number),
    category: invoice.category,
    currency: 'EUR',
    issued_on: issue.issuedOn,
    due_on: issue.dueOn,
    covers_from: invoice.covers?.from ?? null,
    covers_to: invoice.covers?.to ?? null,
    credits: issue.credits,
    seller: parties.seller,
    buyer_sha256: digestBuyer(parties.buyer, parties.salt),
    vat: { treatment: invoice.vatTreatment, rate: invoice.vatRate },
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
      vat_rate: line.vatRate,
      vat_cents: line.vatCents,
    })),
    net_cents: amount.net,
    vat_cents: amount.vat,
    gross_cents: amount.gross,
    credit_used_cents: invoice.creditUsed,
    to_pay_cents: amount.gross - invoice.creditUsed,
    previous_sha256: issue.previous?.toString('hex') ?? null,
  })
  const content = Buffer.from(text ?? '')
  return { content, sha256: createHash('sha256').update(content).digest() }
}
