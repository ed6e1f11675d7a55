/** Accounts and evidences in numbers, for the benches that ask how lists, searches and calls bear them. */
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** The account that is measured. */
export const ada = '00000000-0000-4000-8000-00000000000a'
/** Those beside it. */
export const others = 999

/** From 0, which is the measured one, to {@link others}. */
export const accountOf = (n: number): string => (n === 0 ? ada : `00000000-0000-4000-8000-1${String(n - 1).padStart(11, '0')}`)

/** The newest evidence of an account, however many there are. */
export const evidenceOf = (account: number): string => `00000000-0000-4000-8000-2${String(account).padStart(11, '0')}`

/** Rows as years of work leave them: nearly all final, some rejected or gone, a few drafts. */
export async function fillEvidences(db: Db, rows: number, owned: 'spread' | 'all'): Promise<void> {
  await sql`insert into account_user (id, status, password_hash, password_changed_at, first_name, last_name, locale, referral_code, terms_accepted_at, created_at)
    select case when n < 0 then ${ada}::uuid else ('00000000-0000-4000-8000-1' || lpad(n::text, 11, '0'))::uuid end,
      'active', '$argon2id$x', now(), 'A', 'B', 'en', translate(lpad((n + 1)::text, 8, 'A'), '01', 'XY'), now(), now()
    from generate_series(-1, ${others - 1}) n`.execute(db)
  await db.connection().execute(async (one) => await insertRows(one, rows, owned))
  await sql`vacuum analyze`.execute(db)
}

/** On one connection, whose triggers and foreign keys rest: what they would do row by row, through five statuses, is written at once. */
async function insertRows(db: Db, rows: number, owned: 'spread' | 'all'): Promise<void> {
  const owner =
    owned === 'all'
      ? sql`${ada}::uuid`
      : sql`case when n % ${others + 1} = 0 then ${ada}::uuid else ('00000000-0000-4000-8000-1' || lpad((n % ${others + 1} - 1)::text, 11, '0'))::uuid end`
  await sql`set session_replication_role = replica`.execute(db)
  await sql`set maintenance_work_mem = '512MB'`.execute(db)
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'evidence'::regclass and not indisunique`.execute(db)
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db)
  // What stands in the oldest rows alone is the last that reading in order would come to.
  await sql`insert into evidence (id, token_hash, action, requested_url, locale, status, status_changed_at, created_at, finalized_at, owner_id, created_by, label, category, search_text, failure)
    select ('00000000-0000-4000-8000-2' || lpad(n::text, 11, '0'))::uuid, sha256(n::text::bytea), 'static', url, 'en', status, at, at, case when status = 'final' then at end, owner, owner, label,
      case status when 'final' then 'completed' when 'to_validate' then 'draft' else 'trash' end,
      url || ' ' || label || ' Title of page ' || n || case when n >= ${rows} - 1100 then ' gathered late' else '' end ||
      case when n >= ${rows} * 2 / 3 then ' archived' else '' end, null
    from (select n, 'https://site' || n % 5000 || '.example/articles/' || n as url, ${owner} as owner, 'case ' || n % 20000 as label,
        timestamptz '2026-11-21' - make_interval(mins => n::int) as at,
        case when n < 40 then 'to_validate' when n % 20 = 7 then 'rejected' when n % 50 = 3 then 'expired' else 'final' end as status
      from generate_series(0, ${rows - 1}) n) made`.execute(db)
  for (const { definition } of indexes) await sql.raw(definition).execute(db)
  await sql`insert into evidence_tally (owner_id, category, sealed, month, change, folded)
    select owner_id, category, status = 'final', evidence_month(finalized_at, created_at), count(*), true
    from evidence group by 1, 2, 3, 4`.execute(db)
  await sql`reset session_replication_role`.execute(db)
  await sql`reset maintenance_work_mem`.execute(db)
}
