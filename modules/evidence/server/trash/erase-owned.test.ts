import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { finish } from '../finish.test-data.ts'
import { insertVantage } from '../vantage/vantage-store.ts'
import { eraseOwnedEvidence } from './erase-owned.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-erase-'))
beforeEach(async () => {
  await sql`truncate evidence cascade`.execute(database.db)
  await sql`alter table evidence drop column if exists nickname, drop column if exists rank`.execute(database.db)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const deps = (): EvidenceWebDeps => ({
  db: database.db,
  blobs: createFolderBlobStore(folder),
  clock: { now: () => new Date('2026-11-21T10:00:00.000Z') },
  log: silentLog,
  secret: 's'.repeat(32),
  allowAddresses: [],
  scenarios: [],
})

/** Columns in which nothing stands that the owner wrote or that the page showed, and why. Every other one is to be forgotten. */
const noWords: Readonly<Record<string, string>> = {
  id: 'an id',
  token_hash: 'a hash',
  asker: 'a hash',
  owner_id: 'an id, which leads to nobody once the account is erased',
  created_by: 'an id, likewise',
  claimed_by: 'an id, likewise',
  pending_owner: 'an id, likewise',
  replaced_by: 'an id',
  group_id: 'an id; what is erased is in no group, or its group ends',
  asked_server: 'id of a capture server',
  server_id: 'id of a capture server',
  lease_owner: 'id of a process',
  origin: 'ids of a request and its trace',
  asker_country: 'two letters, until the capture is over',
  action: 'one of a list',
  sale: 'one of a list',
  device: 'one of a list',
  locale: 'one of a list',
  status: 'one of a list',
  category: 'one of a list',
  lane: 'one of a list',
  close_cookies: 'yes or no',
  store: 'yes or no',
  outside_stamps: 'yes or no',
  attempts: 'a number',
  fence: 'a number',
  version: 'a number',
  turn: 'a number',
  target_slot: 'a number',
  status_changed_at: 'an instant',
  created_at: 'an instant',
  captured_at: 'an instant',
  finalized_at: 'an instant',
  expires_at: 'an instant',
  anchored_at: 'an instant',
  claimed_at: 'an instant',
  trashed_at: 'an instant',
  content_deleted_at: 'an instant',
  unstored_at: 'an instant',
  keep_files_until: 'an instant',
  downloaded_at: 'an instant',
  queued_at: 'an instant',
  begun_at: 'an instant',
  lease_until: 'an instant',
}

function aWord(column: string, type: string): string {
  if (type === 'text') return 'quill'
  return JSON.stringify(column === 'failure' ? { code: 'unknown_host', data: { host: 'quill' } } : { title: 'quill' })
}

/**
 * Erases an evidence whose columns all hold a word, but those without any, and what a second server saw.
 * @returns where the word still stands, in any table; columns that can hold none and are not named; names of no column
 */
async function leftOf(status: 'failed' | 'final'): Promise<string[]> {
  const owner = await haveAccount(database.db)
  const asked = { url: 'https://quill.example/', action: 'static', locale: 'en', label: 'quill' } as const
  const { evidence } = await createEvidence(deps(), asked, { addressPrefix: null, actor: actorOf(owner) })
  const { rows: columns } = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = 'evidence'`.execute(database.db)
  const unnamed = columns.filter(({ name }) => !Object.hasOwn(noWords, name))
  const others = unnamed.filter(({ type }) => type !== 'text' && type !== 'jsonb').map(({ name }) => name)
  // A failure is kept of what failed alone.
  const filled = unnamed.filter(({ name }) => !others.includes(name) && (name !== 'failure' || status === 'failed'))
  if (status === 'final') await finish(database.db, evidence.id, 'final')
  await sql`update evidence set status = ${status}, ${sql.join(
    filled.map(({ name, type }) => sql`${sql.ref(name)} = ${sql.lit(aWord(name, type))}`),
  )} where id = ${evidence.id}::uuid`.execute(database.db)
  await database.db.transaction().execute(async (tx) => await insertVantage(tx, evidence.id, null))
  await sql`update evidence_vantage set status = 'captured', facts = '{"title":"quill"}', files = '[]'
    where evidence_id = ${evidence.id}::uuid`.execute(database.db)
  const { rows: before } = await sql<{ name: string }>`select key as name from evidence, jsonb_each_text(to_jsonb(evidence))
    where id = ${evidence.id}::uuid and value like '%quill%'`.execute(database.db)
  expect(before.map(({ name }) => name).toSorted()).toEqual(filled.map(({ name }) => name).toSorted())

  await eraseOwnedEvidence(deps(), owner)

  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema = 'public'`.execute(database.db)
  const left: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ column: string }>`
      select distinct held.name as column from ${sql.table(name)} t, jsonb_each_text(to_jsonb(t)) as held (name, word)
      where held.word like '%quill%'`.execute(database.db)
    left.push(...rows.map(({ column }) => `${name}.${column}`))
  }
  const known = new Set(columns.map(({ name }) => name))
  return [...left, ...others, ...Object.keys(noWords).filter((name) => !known.has(name))]
}

test.each(['failed', 'final'] as const)(
  'H-38 of a %s evidence of a closed account no word is left in any column; one that holds none is named here',
  async (status) => {
    expect(await leftOf(status)).toEqual([])
    await sql`alter table evidence add column nickname text not null default '', add column rank integer`.execute(database.db)
    expect(await leftOf(status)).toEqual(['evidence.nickname', 'rank'])
  },
)
