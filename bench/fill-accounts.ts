/** What calls need beside rows in lists: sessions, addresses with passwords, and evidences that are whole where a page shows them. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { sampleFacts } from '../modules/evidence/server/sample-facts.test-data.ts'
import { argonCost, createPasswordHasher } from '../modules/identity/server/index.ts'
import type { Db } from '../platform/db/database.ts'
import { accountOf } from './fill-evidences.ts'

export const password = 'correct horse battery staple'
export const addressOf = (n: number): string => `bench-${String(n)}@example.org`
/** Token of the session `n` of account `account`. */
export const tokenOf = (account: number, n: number): string => `bench-${String(account)}-${String(n)}-`.padEnd(43, 'x')

/** Pieces of an evidence: a static capture has as many. */
const pieces = 14
const hex = (column: string) => sql`encode(sha256(${sql.ref(column)}::text::bytea), 'hex')`

/** @param accounts so many have a session each, the first one has as many; and an address with {@link password} */
export async function fillAccounts(db: Db, accounts: number): Promise<void> {
  const phc = await createPasswordHasher(argonCost).hash(password)
  const numbers = Array.from({ length: accounts }, (_, n) => n)
  const ids = numbers.map(accountOf)
  const hashes = (of: (n: number) => string) => numbers.map((n) => createHash('sha256').update(of(n)).digest())
  await sql`update account_user set password_hash = ${phc}, confirmed_at = now() where id = any(${ids}::uuid[])`.execute(db)
  await sql`insert into email_address (id, user_id, address, address_key, is_primary, verified_at, created_at)
    select gen_random_uuid(), id, address, address, true, now(), now()
    from unnest(${ids}::uuid[], ${numbers.map(addressOf)}::text[]) as given (id, address)`.execute(db)
  for (const [owners, tokens] of [
    [ids, hashes((n) => tokenOf(n, 0))],
    [numbers.slice(1).map(() => accountOf(0)), hashes((n) => tokenOf(0, n)).slice(1)],
  ] as const)
    await sql`insert into user_session (id, user_id, token_hash, created_at, seen_at, expires_at, remembered, browser, network)
      select gen_random_uuid(), id, hash, now(), now(), now() + interval '30 days', true, 'Bench', 'loopback'
      from unnest(${owners}::uuid[], ${tokens}::bytea[]) as given (id, hash)`.execute(db)
  await sql`create temporary table shown on commit preserve rows as
    select id from (select e.id, row_number() over (partition by owner_id order by e.created_at desc) as place from evidence e
      where owner_id = any(${ids}::uuid[])) placed where place <= 100 or place between 981 and 1000 or place between 9981 and 10000`.execute(
    db,
  )
  const facts = { ...sampleFacts, checklist: Array.from({ length: 24 }, () => sampleFacts.checklist[0]) }
  await sql`alter table evidence disable trigger user`.execute(db)
  await sql`update evidence set facts = ${JSON.stringify(facts)}::jsonb, captured_at = created_at
    where id in (select id from shown) and status in ('final', 'to_validate')`.execute(db)
  await sql`alter table evidence enable trigger user`.execute(db)
  await sql`insert into evidence_file (evidence_id, path, section, role, media_type, bytes, sha256, crc32, position)
    select id, case n when 0 then 'capture/viewport.png' else 'capture/piece-' || n end, 'piece', 'piece-' || n, 'image/png', 50000, ${hex('id')}, n, n
    from shown, generate_series(0, ${pieces - 1}) n`.execute(db)
  const stamp = {
    file: 'a',
    ca_file: 'b',
    authority: 'Authority',
    gen_time: '2026-11-21T10:00:00.000Z',
    qualified: false,
    serial: '1',
    embedded: false,
  }
  const summary = {
    signed_at: '2026-11-21T10:00:00.000Z',
    signer: { subject: 'Seal', serial: '1', sha256: '0'.repeat(64) },
    timestamps: [stamp, stamp],
    pending_authorities: [],
    log: null,
  }
  await sql`insert into seal (evidence_id, root, summary, sealed_at)
    select id, ${hex('id')}, ${JSON.stringify(summary)}::jsonb, now() from shown`.execute(db)
  await sql`vacuum analyze`.execute(db)
}
