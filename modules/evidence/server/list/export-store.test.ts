import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { deleteNotifications } from '../notify/notify-store.ts'
import { exportNotifications, exportOwnedEvidence } from './export-store.ts'

const database = withDatabase()

async function account(): Promise<string> {
  const id = randomUUIDv7()
  await sql`insert into account_user
      (id, status, password_hash, password_changed_at, first_name, last_name, locale, referral_code, terms_accepted_at, created_at)
    values (${id}::uuid, 'active', '$argon2id$', now(), 'A', 'B', 'en', translate(upper(left(md5(${id}), 8)), '01', 'YZ'), now(), now())`.execute(
    database.db,
  )
  return id
}

/** So many evidences, four of them at each instant. */
async function evidences(owner: string, group: string | null, count: number): Promise<void> {
  await sql`insert into evidence
      (id, token_hash, action, requested_url, locale, status, status_changed_at, created_at, owner_id, created_by, group_id)
    select gen_random_uuid(), sha256(n::text::bytea), 'static', 'https://example.org/' || n, 'en', 'queued', now(),
      timestamptz '2026-01-01' + (n / 4) * interval '1 millisecond', ${owner}::uuid, ${owner}::uuid, ${group}::uuid
    from generate_series(1, ${count}::integer) n`.execute(database.db)
}

test('H-38 every evidence of an account is exported once, in groups and out of them, and nobody else’s', async () => {
  const [owner, other] = [await account(), await account()]
  const group = randomUUIDv7()
  await sql`insert into account_group (id, name, seats, created_at) values (${group}::uuid, 'G', 5, now())`.execute(database.db)
  await evidences(owner, null, 1_203)
  await evidences(owner, group, 5)
  await evidences(other, group, 7)
  await sql`update evidence set status = 'failed', failure = '{"code":"blank","data":{}}', label = 'A case' where owner_id = ${owner}::uuid and requested_url like '%/1_'`.execute(
    database.db,
  )
  const found: Readonly<Record<string, unknown>>[] = []
  for await (const row of exportOwnedEvidence(database.db, owner)) found.push(row)
  expect(new Set(found.map((row) => row['id'])).size).toBe(1_208)
  expect(found).toHaveLength(1_208)
  expect(found.filter((row) => row['created_by'] !== owner)).toEqual([])
  expect(found.filter((row) => row['group_id'] === group)).toHaveLength(5)
  expect(found.filter((row) => row['label'] === 'A case')).toHaveLength(10)
})

/** Columns that are not given to their owner, and why. */
const withheld: Readonly<Record<string, string>> = {
  token_hash: 'a hash: the export has none',
  asker: 'a hash: the export has none',
  owner_id: 'he whose export it is',
  pending_owner: 'nobody, of what has an owner',
  facts: 'stands in the package, with the pieces it was measured from',
  scenario_recipe: 'text of the installation; `scenario` names it',
  search_text: 'made of address, label and title',
  target_host: 'made of the address',
  asker_country: 'stands in the profile; kept only until the capture is over',
  unstored_at: '`keep_files_until` is reckoned from it',
  status_changed_at: 'course of the work',
  progress: 'course of the work',
  attempts: 'course of the work',
  lease_owner: 'course of the work',
  lease_until: 'course of the work',
  fence: 'course of the work',
  version: 'course of the work',
  server_id: 'course of the work; the report names the server',
  queued_at: 'course of the work',
  lane: 'course of the work',
  turn: 'course of the work',
  origin: 'ids of the request and its trace: course of the work',
  begun_at: 'course of the work',
  target_slot: 'course of the work',
}

/** Columns of the table that are neither in the export nor withheld for a reason; and reasons without such a column. */
async function unaccounted(): Promise<string[]> {
  const owner = await account()
  await evidences(owner, null, 1)
  const [row = {}] = await Array.fromAsync(exportOwnedEvidence(database.db, owner))
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'evidence'`.execute(database.db)
  const columns = new Set(rows.map(({ name }) => name))
  return [
    ...[...columns].filter((name) => Object.hasOwn(row, name) === Object.hasOwn(withheld, name)),
    ...Object.keys(withheld).filter((name) => !columns.has(name)),
  ]
}

test('H-38 each column of an evidence is in the export, or withheld for a reason that is named here', async () => {
  expect(await unaccounted()).toEqual([])
  await sql`alter table evidence add column nickname text not null default ''`.execute(database.db)
  expect(await unaccounted()).toEqual(['nickname'])
  await sql`alter table evidence drop column nickname`.execute(database.db)
})

test('H-38 so is every mail about evidences that was to be written to him; with the account the lines go', async () => {
  const [owner, other] = [await account(), await account()]
  await evidences(owner, null, 1_203)
  await sql`insert into notification (id, user_id, evidence_id, kind, created_at)
    select gen_random_uuid(), u, id, 'report_ready', now() from evidence, unnest(array[${owner}, ${other}]::uuid[]) u
    where owner_id = ${owner}::uuid`.execute(database.db)
  const exported = async (of: string) => await Array.fromAsync(exportNotifications(database.db, of))
  const found = await exported(owner)
  expect(new Set(found.map((row) => row['evidence_id'])).size).toBe(1_203)
  expect(found).toHaveLength(1_203)
  await deleteNotifications(database.db, owner)
  expect([(await exported(owner)).length, (await exported(other)).length]).toEqual([0, 1_203])
})
