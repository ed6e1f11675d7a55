/** The SQL of what others than the owner may spend. */
import { sql } from 'kysely'
import type { Actor } from '../../../../kernel/actor.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Span } from '../../domain/calendar/calendar.ts'
import type { Cents } from '../../domain/money/money.ts'
import type { Bought } from '../purchase/purchase-store.ts'

export const holderKinds = ['delegate', 'member', 'key'] as const
/** Who spends what is another's: somebody with access to the account, a member of its group, a program. */
export type Holder = { readonly kind: (typeof holderKinds)[number]; readonly id: string }

/** Those by whose ceilings a call is held; none: it is the owner's own. */
export function holdersOf(actor: Pick<Actor, 'accountId' | 'delegation' | 'apiKey'>, payerId: string): readonly Holder[] {
  return [
    ...(actor.delegation === null ? [] : [{ kind: 'delegate', id: actor.delegation.id } as const]),
    ...(actor.apiKey === undefined ? [] : [{ kind: 'key', id: actor.apiKey.id } as const]),
    ...(actor.accountId === payerId ? [] : [{ kind: 'member', id: actor.accountId } as const]),
  ]
}

export type Ceiling = { readonly ceiling: Cents; readonly spent: Cents }

/** Of a month of the calendar; what came to nothing was not spent. */
export async function readCeiling(db: Db | Tx, { kind, id }: Holder, month: Span): Promise<Ceiling> {
  const { rows } = await sql<{ ceiling: number | null; spent: number }>`
    select (select ceiling_cents from spending_limit where kind = ${kind} and holder_id = ${id}::uuid) as ceiling,
      (select coalesce(sum(coalesce(p.net_cents + p.vat_cents, i.gross_cents)), 0)::integer from purchase_spender s
        join purchase p on p.id = s.purchase_id left join invoice i on i.id = p.invoice_id
        where s.kind = ${kind} and s.holder_id = ${id}::uuid and p.status <> 'dropped'
          and p.created_at >= ${month.from}::timestamp at time zone 'Europe/Paris'
          and p.created_at < ${month.to}::timestamp at time zone 'Europe/Paris') as spent`.execute(db)
  return { ceiling: rows[0]?.ceiling ?? 0, spent: rows[0]?.spent ?? 0 }
}

export async function setCeiling(tx: Tx, { kind, id }: Holder, ceiling: Cents, now: Date): Promise<void> {
  await tx
    .insertInto('spending_limit')
    .values({ kind, holder_id: id, ceiling_cents: ceiling, changed_at: now })
    .onConflict((conflict) => conflict.columns(['kind', 'holder_id']).doUpdateSet({ ceiling_cents: ceiling, changed_at: now }))
    .execute()
}

export async function insertSpenders(tx: Tx, { category, subjectId }: Bought, holders: readonly Holder[]): Promise<void> {
  for (const { kind, id } of holders)
    await sql`insert into purchase_spender (purchase_id, kind, holder_id)
      select id, ${kind}, ${id}::uuid from purchase where category = ${category} and subject_id = ${subjectId}::uuid
        and status <> 'dropped' on conflict do nothing`.execute(tx)
}

/** Of whoever is invoiced, for whom he lets spend. */
export async function nameOfPayer(tx: Tx, accountId: string): Promise<string> {
  const { first_name: first, last_name: last } = await tx
    .selectFrom('account_user')
    .select(['first_name', 'last_name'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return `${first} ${last}`.trim()
}

export type NamedHolder = Holder & { readonly name: string }

/** Everybody whose ceiling that account sets: whom it opened itself to, its programs, and the members of the group that it owns. */
export async function listHolders(db: Db | Tx, accountId: string, now: Date): Promise<NamedHolder[]> {
  const { rows } = await sql<NamedHolder>`
    select 'delegate' as kind, id, address as name, 1 as place from access_delegation
      where grantor_id = ${accountId}::uuid and ended_at is null and expires_at > ${now}::timestamptz and scope <> 'read'
    union all select 'member', u.id, concat_ws(' ', u.first_name, u.last_name), 2 from group_member owner
      join group_member m on m.group_id = owner.group_id and m.user_id <> owner.user_id join account_user u on u.id = m.user_id
      where owner.user_id = ${accountId}::uuid and owner.role = 'owner'
    union all select 'key', id, name, 3 from api_key
      where user_id = ${accountId}::uuid and expires_at > ${now}::timestamptz and scopes && array['documents:create', 'evidences:create']
    order by place, name, id`.execute(db)
  return rows.map(({ kind, id, name }) => ({ kind, id, name }))
}
