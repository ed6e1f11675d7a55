/** The SQL of renewals that are made together: each statement is of all of them. */
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Customer } from '../customer/customer-store.ts'
import type { VatCheck } from '../../domain/invoice/vat.ts'
import type { NewInvoice } from '../invoice/invoice-store.ts'
import { columnsOf, type Held } from '../subscription/subscription-store.ts'

/** Where a look at those whose time has come goes on. */
export type Place = { readonly wakeAt: string; readonly id: string }
export type Claimed = Place & { readonly customer: Customer }

/**
 * Whose time has come and who may be renewed as he was, after a place, with the customer held until the transaction ends. Whoever is held by
 * somebody else is left out: nobody is waited for.
 */
export async function claimAwake(tx: Tx, now: Date, after: Place | null, limit: number): Promise<Claimed[]> {
  const { rows } = await sql<{
    id: string
    wake_at: string
    customer_id: string
    user_id: string
    vat_number: string | null
    vat_check: string | null
  }>`
    select s.id, s.wake_at::text, c.id as customer_id, c.user_id, c.vat_number, c.vat_check
    from subscription s join billing_customer c on c.id = s.customer_id
    where s.wake_at <= ${now} and s.status = 'active' and s.pending_kind is null and s.plan <> 'custom' and s.instalments = 1
      and c.credit_cents = 0 and c.user_id is not null
      and (${after === null} or (s.wake_at, s.id) > (${after?.wakeAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by s.wake_at, s.id limit ${limit} for update of c skip locked`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    wakeAt: row.wake_at,
    customer: { id: row.customer_id, userId: row.user_id, vatNumber: row.vat_number, vatCheck: row.vat_check as VatCheck | null },
  }))
}

const given = (rows: readonly unknown[]) =>
  sql`jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as given (row, at)`

/** Drafts, each of one line. */
export async function insertDrafts(tx: Tx, drafts: readonly NewInvoice[]): Promise<void> {
  const rows = drafts.map(({ salt, ...draft }) => ({ ...draft, salt: salt.toString('hex') }))
  await sql`insert into invoice (id, customer_id, subscription_id, kind, category, status, covers_from, covers_to, vat_treatment, vat_rate,
      net_cents, vat_cents, gross_cents, credit_used_cents, created_at)
    select r.id, r."customerId", r."subscriptionId", r.kind, r.category, 'draft', (r.covers ->> 'from')::date, (r.covers ->> 'to')::date,
      r."vatTreatment", r."vatRate", (r.amount ->> 'net')::integer, (r.amount ->> 'vat')::integer, (r.amount ->> 'gross')::integer,
      r."creditUsed", r."createdAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, "customerId" uuid, "subscriptionId" uuid, kind text, category text,
      covers jsonb, "vatTreatment" text, "vatRate" integer, amount jsonb, "creditUsed" integer, "createdAt" timestamptz)`.execute(
    tx,
  )
  const lines = drafts.flatMap(({ id, lines: all }) => all.map((line, index) => ({ ...line, id, position: index + 1 })))
  await sql`insert into invoice_line (invoice_id, position, item, plan, cycle, part, parts, covers_from, covers_to, quantity, unit_cents,
      net_cents, vat_rate, vat_cents)
    select r.id, r.position, r.item, r.plan, r.cycle, r.part, r.parts, (r.covers ->> 'from')::date, (r.covers ->> 'to')::date, r.quantity,
      r."unitCents", r."netCents", r."vatRate", r."vatCents"
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r (id uuid, position smallint, item text, plan text, cycle text, part smallint,
      parts smallint, covers jsonb, quantity integer, "unitCents" integer, "netCents" integer, "vatRate" integer, "vatCents" integer)`.execute(
    tx,
  )
  await sql`insert into invoice_buyer (invoice_id, salt, buyer) select (row ->> 'id')::uuid, decode(row ->> 'salt', 'hex'), row -> 'buyer'
    from ${given(rows)}`.execute(tx)
}

/** Renewed, each with a line of what became of it, and when the calendar looks at it again. */
export async function saveRenewed(
  tx: Tx,
  renewed: readonly { readonly held: Held; readonly wakeAt: Date | null }[],
  now: Date,
): Promise<void> {
  const rows = renewed.map(({ held, wakeAt }) => ({ id: held.id, wake_at: wakeAt, state: held.state, ...columnsOf(held.state) }))
  await sql`update subscription s set months_before = r.months_before, period_from = r.period_from, period_to = r.period_to, wake_at = r.wake_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, months_before integer, period_from date, period_to date, wake_at timestamptz)
    where s.id = r.id`.execute(tx)
  await sql`insert into subscription_change (subscription_id, kind, at, state)
    select (row ->> 'id')::uuid, 'renewed', ${now}, row -> 'state' from ${given(rows)} order by at`.execute(tx)
}

export type Numbered = { readonly id: string; readonly number: number; readonly content: Buffer; readonly sha256: Buffer }

/** Issued on one day, of one series. */
export async function setAllIssued(
  tx: Tx,
  all: readonly Numbered[],
  of: { readonly series: string; readonly issuedOn: string; readonly dueOn: string; readonly issuedAt: Date },
): Promise<void> {
  await sql`update invoice i set status = 'issued', series = ${of.series}, number = r.number, issued_on = ${of.issuedOn}::date,
      due_on = ${of.dueOn}::date, issued_at = ${of.issuedAt}, content = r.content, sha256 = r.sha256
    from unnest(${all.map(({ id }) => id)}::uuid[], ${all.map(({ number }) => number)}::integer[], ${all.map(({ content }) => content)}::bytea[],
      ${all.map(({ sha256 }) => sha256)}::bytea[]) as r (id, number, content, sha256)
    where i.id = r.id`.execute(tx)
}
