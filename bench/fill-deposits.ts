/** An account's deposits in numbers, for the benches that ask how lists bear them. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { foldTally } from '../platform/lists/tally-store.ts'
import type { Db } from '../platform/db/database.ts'

/** Rows as years leave them, of one account; triggers are left out, and their sums made at once. */
export async function fillDeposits(db: Db, account: string, count: number): Promise<void> {
  const batch = randomUUID()
  await sql`insert into document_batch (id, owner_id, state, size, outside_stamps, blind, created_at, give_up_at, root, summary, sealed_at)
    values (${batch}::uuid, ${account}::uuid, 'sealed', 1, false, sha256('b'), now(), now(), sha256('r'),
      '{"signed_at":"2026-11-01T00:00:00.000Z","timestamps":[],"log":null}', now())`.execute(db)
  await sql`alter table document disable trigger user`.execute(db)
  await sql`insert into document (id, owner_id, created_by, batch_id, sha256, name, label, store, status, status_changed_at, created_at, sealed_at,
      category, search_text, name_key)
    select gen_random_uuid(), ${account}::uuid, ${account}::uuid, ${batch}::uuid, sha256(convert_to(${account}::text || n, 'UTF8')), name, label, false, 'final', at, at, at,
      'completed', name || ' ' || label || ' ', lower(name)
    from (select n, 'Contract ' || n % 5000 || ' of ' || n || '.pdf' as name,
        'case ' || n % 20000 || case when n >= ${count} - 500 then ' gathered late' else '' end as label,
        timestamptz '2026-11-21' - make_interval(mins => n::int) as at from generate_series(0, ${count - 1}) n) made`.execute(db)
  await sql`alter table document enable trigger user`.execute(db)
  await sql`insert into document_tally (owner_id, category, sealed, month, change)
    select owner_id, category, true, document_month(sealed_at, created_at), count(*) from document where owner_id = ${account}::uuid group by 1, 2, 3, 4`.execute(
    db,
  )
  while ((await foldTally(db, 'document', 50_000)) > 0);
}
