/** The SQL of who referred whom, and what they paid. */
import { sql } from 'kysely'
import type { Page } from '../../../kernel/page.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { KnownPerson } from '../domain/same-person.ts'

export type RefereeRow = {
  readonly id: string
  /** His primary address; null: his account is no more. */
  readonly email: string | null
  readonly registeredAt: Date
  readonly evidences: number
  readonly documents: number
  readonly subscribedOn: string | null
  readonly plan: string | null
  readonly earned: number
  /** The day after the last one on which what he pays brings something. */
  readonly until: string | null
}

/** Whoever never confirmed his address is nobody yet. */
const rows = (referrerId: string, months: number) => sql`
  select u.id, (select address from email_address a where a.user_id = u.id and a.is_primary) as email, u.created_at as "registeredAt",
    (select coalesce(sum(p.quantity), 0)::integer from purchase p where p.customer_id = c.id and p.status = 'paid' and p.category = 'evidence')
      as evidences,
    (select coalesce(sum(p.quantity), 0)::integer from purchase p where p.customer_id = c.id and p.status = 'paid' and p.category = 'document')
      as documents,
    first.on as "subscribedOn", first.plan,
    (select coalesce(sum(e.standing_cents), 0)::integer from earning e where e.source = 'referral' and e.subject_id = u.id
      and e.user_id = ${referrerId}::uuid) as earned,
    (begun.on + make_interval(months => ${months}))::date as until
  from account_user u left join billing_customer c on c.user_id = u.id
  left join lateral (select i.issued_on as on, l.plan from invoice i join invoice_line l on l.invoice_id = i.id
    where i.customer_id = c.id and i.kind = 'invoice' and i.category = 'subscription' and i.status = 'issued'
    order by i.issued_at, l.position limit 1) first on true
  left join lateral (select min(i.issued_on) as on from invoice i
    where i.customer_id = c.id and i.kind = 'invoice' and i.status = 'issued') begun on true
  where u.referred_by = ${referrerId}::uuid and u.status <> 'unconfirmed'`

export async function pageReferees(
  db: Db,
  referrerId: string,
  months: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page<RefereeRow>> {
  const { count } = await db
    .selectFrom('account_user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('referred_by', '=', referrerId)
    .where('status', '<>', 'unconfirmed')
    .executeTakeFirstOrThrow()
  const found = await sql<RefereeRow>`${rows(referrerId, months)}
    order by u.created_at desc, u.id desc limit ${limit} offset ${offset}`.execute(db)
  return { count, rows: found.rows }
}

/** null: it is nobody whom that account referred. */
export async function findReferee(db: Db, referrerId: string, months: number, id: string): Promise<RefereeRow | null> {
  const found = await sql<RefereeRow>`${rows(referrerId, months)} and u.id = ${id}::uuid`.execute(db)
  return found.rows[0] ?? null
}

export async function sumEarned(db: Db, referrerId: string): Promise<number> {
  const { rows: found } = await sql<{ cents: number }>`
    select coalesce(sum(standing_cents), 0)::integer as cents from earning where user_id = ${referrerId}::uuid and source = 'referral'`.execute(
    db,
  )
  return found[0]?.cents ?? 0
}

export async function findKnownPerson(db: Db | Tx, id: string): Promise<KnownPerson | null> {
  const { rows: found } = await sql<KnownPerson>`
    select u.id, u.first_name as "firstName", u.last_name as "lastName", p.birth_date as "birthDate", p.company_number as "companyNumber",
      p.address, p.zip, p.mobile_phone as "mobilePhone", m.group_id as "groupId",
      array(select a.address_key from email_address a where a.user_id = u.id and a.verified_at is not null order by 1) as addresses
    from account_user u left join profile p on p.user_id = u.id left join group_member m on m.user_id = u.id
    where u.id = ${id}::uuid`.execute(db)
  return found[0] ?? null
}

export type PaidLine = {
  readonly referrerId: string
  readonly refereeId: string
  readonly invoiceId: string
  readonly line: number
  readonly netCents: number
}

/** Lines of paid invoices of those who were referred, within the months that bring something, of which nothing was earned yet. */
export async function listUnearned(
  db: Db,
  months: number,
  { after, limit }: { readonly after: PaidLine | null; readonly limit: number },
): Promise<readonly PaidLine[]> {
  const { rows: found } = await sql<PaidLine>`
    select u.referred_by as "referrerId", u.id as "refereeId", i.id as "invoiceId", l.position as line, l.net_cents as "netCents"
    from account_user u join account_user r on r.id = u.referred_by and r.status in ('active', 'suspended')
    join billing_customer c on c.user_id = u.id
    join invoice i on i.customer_id = c.id and i.kind = 'invoice' and i.status = 'issued' and i.settlement = 'success'
    join invoice_line l on l.invoice_id = i.id and l.net_cents > 0
    where not exists (select from earning e where e.source = 'referral' and e.invoice_id = i.id and e.line = l.position)
      and i.issued_on < (select min(b.issued_on) from invoice b where b.customer_id = c.id and b.kind = 'invoice' and b.status = 'issued')
        + make_interval(months => ${months})
      and (${after?.invoiceId ?? null}::uuid is null or (i.id, l.position) > (${after?.invoiceId ?? null}::uuid, ${after?.line ?? 0}))
    order by i.id, l.position limit ${limit}`.execute(db)
  return found
}
