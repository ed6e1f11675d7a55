/** By what an issued invoice was paid, or is going to be, as SQL. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../../platform/db/database.ts'
import type { PaymentMeans } from '../../../domain/document/invoice-document.ts'
import type { Seller } from '../../seller/deps.ts'
import type { IssuedRow } from './issued-store.ts'

type Known = {
  readonly means: string | null
  /** As the provider shows a card: its last four digits are among the last characters. */
  readonly alias: string | null
  /** Of the mandate, as the bank prints it beside the debit. */
  readonly mandate: string | null
  /** Of a transfer that was announced. */
  readonly reference: string | null
}

/** The attempt that paid it; null: no attempt of ours did. */
async function findPaidBy(db: Db | Tx, invoiceId: string): Promise<Known | null> {
  const { rows } = await sql<Known>`
    select a.means, c.alias, m.bank_reference as mandate, t.reference from payment_attempt a
      join instalment i on i.id = a.instalment_id left join payment_card c on c.id = a.card_id
      left join payment_mandate m on m.id = a.mandate_id left join transfer_announced t on t.payment = a.reference
    where i.invoice_id = ${invoiceId}::uuid and a.status = 'succeeded' and a.reversed_at is null
    order by a.created_at desc, a.id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** What it will be charged to without the customer; null: nothing, he pays it himself. */
async function findCharged(db: Db | Tx, invoiceId: string): Promise<Known | null> {
  const { rows } = await sql<Known>`
    select case when i.plan is null then 'mandate' else k.renewed_by end as means, c.alias, m.bank_reference as mandate, null as reference
    from instalment i join payment_customer k on k.customer_id = i.customer_id and (k.renewed_by is not null or i.plan is null)
      left join payment_series s on s.id = k.series_id left join payment_card c on c.id = s.card_id
      left join payment_mandate m on m.customer_id = k.customer_id and m.realm = k.realm and m.status in ('submitted', 'active')
    where i.invoice_id = ${invoiceId}::uuid and i.subscription_id is not null
      and (m.id is not null or (i.plan is not null and k.renewed_by = 'card'))
    order by k.asked_at desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Four digits at its end; null: the provider shows it otherwise. */
const lastDigits = (alias: string | null): string | null => /(\d{4})$/.exec(alias ?? '')?.[1] ?? null

const transferTo = ({ iban, bic, name }: Seller, reference: string): PaymentMeans => ({
  kind: 'transfer',
  iban,
  bic,
  holder: name,
  reference,
})

/** Of a card that shows no digits nothing is said. */
function saidOf(known: Known, { seller, number }: IssuedRow): PaymentMeans | null {
  if (known.means === 'mandate') return { kind: 'direct_debit', mandate: known.mandate, creditor: null, iban: null }
  if (known.means === 'transfer') return transferTo(seller, known.reference ?? number)
  const digits = lastDigits(known.alias)
  return known.means !== 'card' || digits === null ? null : { kind: 'card', lastDigits: digits }
}

/**
 * How it was paid, where it was paid as it was issued; else what it will be charged to; else the seller's account. Of what nobody pays, or what
 * was wholly to the customer's credit, there is none.
 */
export async function findMeans(
  db: Db | Tx,
  found: IssuedRow,
  paid: { readonly amount: number } | null,
): Promise<PaymentMeans | null> {
  const { invoice, seller, number } = found
  if (invoice.kind === 'credit_note' || paid?.amount === 0) return null
  const known = paid === null ? await findCharged(db, invoice.id) : await findPaidBy(db, invoice.id)
  if (known !== null) return saidOf(known, found)
  return paid === null ? transferTo(seller, number) : null
}
