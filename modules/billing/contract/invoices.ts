import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { locales } from '../../../kernel/locale.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { publicStatuses } from '../domain/invoice/status.ts'

/** Whoever sees what somebody pays manages his account. */
const managing = { access: ['user'], delegable: 'manage' } as const

export const categories = ['subscription', 'evidence', 'document', 'license'] as const

/** E-36…E-40. Amounts are whole cents of euros. */
export const invoice = z.object({
  id: z.uuid(),
  kind: z.enum(['invoice', 'credit_note']),
  number: z.string().nullable().describe('null: it is not issued before it is paid.'),
  date: z.iso.date().nullable().describe('Day on which it was issued.'),
  due_on: z.iso.date().nullable(),
  category: z.enum(categories),
  status: z.enum(publicStatuses).describe('`success`: paid; `pending`: to be paid; `failed`: its payment failed.'),
  net_cents: z.int().nonnegative(),
  vat_cents: z.int().nonnegative(),
  gross_cents: z.int().nonnegative(),
  to_pay_cents: z.int().nonnegative().describe('What is to be paid of it, credit taken off.'),
  paid_cents: z
    .int()
    .nonnegative()
    .describe('What was paid of it, while the rest, which was taken back by the bank, is to be paid again.'),
  covers_from: z.iso.date().nullable(),
  covers_to: z.iso.date().nullable(),
  instalments: z
    .array(
      z.object({
        part: z.int().positive(),
        parts: z.int().positive(),
        due_on: z.iso.date().nullable(),
        to_pay_cents: z.int().nonnegative(),
        status: z.enum(publicStatuses),
      }),
    )
    .describe('Each instalment of a year has an invoice of its own: which it is of how many.'),
  credits: z.uuid().nullable().describe('Id of the invoice that a credit note takes from.'),
})
export type InvoiceOnTheWire = z.infer<typeof invoice>

export const invoiceListQuery = pageQuery.extend({
  category: z.enum(categories).optional(),
  status: z.enum(publicStatuses).optional(),
  ordering: z.enum(['created_at', '-created_at']).default('-created_at'),
})

/** C-39. `search` looks in numbers. */
export const listInvoices = endpoint({
  method: 'GET',
  path: '/invoices/',
  summary: 'List the invoices and credit notes',
  ...managing,
  query: invoiceListQuery,
  response: pageOf(invoice),
})

export const invoiceWithLines = invoice.extend({
  vat_treatment: z.enum(['standard', 'reverse_charge', 'outside']),
  sha256: z.string().nullable().describe('Of the document as it was issued.'),
  refunds: z
    .array(
      z.object({
        date: z.iso.date().describe('Day on which it went; while it is under way, on which it began.'),
        amount_cents: z.int().positive(),
        status: z.enum(['processing', 'success']),
      }),
    )
    .describe('What was given back of it or, of a credit note, by it.'),
  lines: z.array(
    z.object({
      item: z.enum(['plan', 'evidence', 'document', 'license']),
      plan: z.string().nullable(),
      cycle: z.string().nullable(),
      part: z.int().nullable(),
      parts: z.int().nullable(),
      covers_from: z.iso.date().nullable(),
      covers_to: z.iso.date().nullable(),
      quantity: z.int().positive(),
      unit_cents: z.int().nonnegative(),
      net_cents: z.int().nonnegative(),
      vat_basis_points: z.int().nonnegative(),
      vat_cents: z.int().nonnegative(),
    }),
  ),
})
export type InvoiceWithLines = z.infer<typeof invoiceWithLines>

/** C-40. */
export const readInvoice = endpoint({
  method: 'GET',
  path: '/invoices/:id/',
  summary: 'Read an invoice or a credit note',
  ...managing,
  params: z.object({ id: z.uuid().describe('Id of the invoice.') }),
  response: invoiceWithLines,
})

/** C-42. A PDF that holds itself as data (Factur-X); it is signed. @throws `billing.not_issued`, `billing.document_being_made`: ask again in a moment */
export const readDocument = endpoint({
  method: 'GET',
  path: '/invoices/:id/pdf/',
  summary: 'Download an invoice or a credit note',
  ...managing,
  params: readInvoice.params,
  query: z.object({ language: z.enum(locales).optional().describe('That of the customer unless told.') }),
  response: 'stream',
})

/** H-36: the account of the customer in the seller's books, the newest first. */
export const readStatement = endpoint({
  method: 'GET',
  path: '/invoices/statement/',
  summary: 'Read the statement of the account',
  ...managing,
  query: pageQuery.pick({ page: true, page_size: true }),
  response: pageOf(
    z.object({
      date: z.iso.date(),
      kind: z.string().describe('`invoice`, `credit_note`, `payment`, `reversal`: the bank took it back; `refund`.'),
      invoice_id: z.uuid().nullable(),
      number: z.string().nullable().describe('Of the invoice or credit note that it is about.'),
      debit_cents: z.int().nonnegative(),
      credit_cents: z.int().nonnegative(),
      balance_cents: z.int().describe('After it: what is owed; negative: what is to the credit of the account.'),
    }),
  ),
})

/** H-36: the same as a signed PDF, as it stands today. @throws `billing.nothing_to_export`, `billing.document_being_made`: ask again in a moment */
export const readStatementDocument = endpoint({
  method: 'GET',
  path: '/invoices/statement/pdf/',
  summary: 'Download the statement of the account',
  ...managing,
  query: readDocument.query,
  response: 'stream',
})

/** C-43, H-36: what was issued, as a table or as the PDF files themselves. `fec`: what the seller’s journal has on the account (LPF, art. A47 A-1). */
export const exportInvoices = endpoint({
  method: 'GET',
  path: '/invoices/export/',
  summary: 'Export the invoices for an accountant',
  ...managing,
  query: z.object({ format: z.enum(['csv', 'zip', 'fec']).default('csv') }),
  response: 'stream',
})
