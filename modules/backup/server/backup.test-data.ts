import { execFileSync } from 'node:child_process'
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { systemClock } from '../../../kernel/clock.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import type { Db } from '../../../platform/db/database.ts'
import { insertEvidence } from '../../evidence/server/record/store.ts'
import { openSnapshot } from './database/dump-store.ts'
import { cutRows } from './pieces/cut.ts'
import type { RestoreDeps } from './restore/restore-backup.ts'
import type { BackupDeps } from './take/take-backup.ts'

export const testFolder = (): string => mkdtempSync(join(tmpdir(), 'probant-backup-'))

/** By Debian's own tool. */
export function keyPair(folder: string, name = 'identity'): { identity: string; recipient: string } {
  const identity = join(folder, name)
  execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' })
  return { identity, recipient: execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim() }
}

/** A data folder with a key in it, and a blob store. */
export function installation(folder: string, name: string, databaseUrl: string): BackupDeps {
  const dataFolder = join(folder, name)
  mkdirSync(join(dataFolder, 'keys'), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataFolder, 'keys', 'platform-ca.1.pem'), `a key of ${name}\n`, { mode: 0o600 })
  writeFileSync(join(dataFolder, 'master-key'), randomBytes(32).toString('base64url'), { mode: 0o600 })
  return { databaseUrl, blobs: createFolderBlobStore(join(dataFolder, 'blobs')), dataFolder, clock: systemClock }
}

/** Where there is nothing yet. */
export function emptyInstallation(folder: string, name: string, url: string): RestoreDeps {
  const dataFolder = join(folder, name)
  return {
    dataFolder,
    blobs: createFolderBlobStore(join(dataFolder, 'blobs')),
    withDatabase: async (use) => await use(url),
    hasDatabase: true,
  }
}

/** A blob and the row that names it, as every module writes them: the blob first. @returns its name */
export async function putNamed(db: Db, blobs: BlobStore, bytes: Uint8Array, path: string = randomUUIDv7()): Promise<string> {
  const id = await evidenceId(db)
  const { sha256, bytes: size } = await blobs.scope(id).putBytes(bytes)
  await db
    .insertInto('evidence_file')
    .values({
      evidence_id: id,
      path,
      section: 'seal',
      media_type: 'text/plain',
      bytes: size,
      sha256,
      crc32: 0,
      position: (position += 1),
    })
    .execute()
  return sha256
}
let position = 0

/** Another content in its place; the one before goes once no row names it. */
export async function replaceNamed(db: Db, blobs: BlobStore, path: string, bytes: Uint8Array): Promise<void> {
  const scope = blobs.scope(await evidenceId(db))
  const before = await db.selectFrom('evidence_file').select('sha256').where('path', '=', path).executeTakeFirstOrThrow()
  const { sha256, bytes: size } = await scope.putBytes(bytes)
  await db.updateTable('evidence_file').set({ sha256, bytes: size }).where('path', '=', path).execute()
  await scope.remove(before.sha256)
}

/** Where the blobs of {@link putNamed} are. */
export async function evidenceId(db: Db): Promise<string> {
  const found = await db.selectFrom('evidence').select('id').executeTakeFirst()
  if (found !== undefined) return found.id
  const { id } = await insertEvidence(db, {
    id: randomUUIDv7(),
    tokenHash: randomBytes(32),
    action: 'static',
    requestedUrl: 'https://example.org/',
    locale: 'en',
    now: new Date(),
    askedServer: null,
    askerCountry: null,
    ownership: null,
  })
  return id
}

/** What stands in each table, by its name: as many rows, and the hash of all of them in an order of their own. */
export async function readEverything(url: string): Promise<Map<string, string>> {
  const snapshot = await openSnapshot(url)
  try {
    const found = new Map<string, string>()
    for (const table of await snapshot.tables()) {
      const rows = []
      for await (const row of snapshot.rows(table)) rows.push(row.toString('latin1'))
      const hash = createHash('sha256').update(rows.toSorted().join('')).digest('hex')
      found.set(`${table.schema}.${table.name}`, `${String(rows.length)} ${hash}`)
    }
    for (const { schema, name, value, called } of await snapshot.sequences())
      found.set(`${schema}.${name}`, `${value} ${String(called)}`)
    return found
  } finally {
    await snapshot.end()
  }
}

/** Rules of the schema: keys, checks, triggers and whether these act. */
export async function readRules(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ rule: string }>(
      `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as rule from pg_constraint
         where connamespace = 'public'::regnamespace
       union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
       union all select tablename || ' ' || indexdef from pg_indexes where schemaname = 'public' order by 1`,
    )
    return rows.map(({ rule }) => rule)
  } finally {
    await client.end()
  }
}

export async function sizesOfCuts(rows: readonly Uint8Array[]): Promise<string[]> {
  async function* each(): AsyncGenerator<Uint8Array> {
    for (const row of rows) yield await Promise.resolve(row)
  }
  const cuts = await Array.fromAsync(cutRows(each()))
  return cuts.map((cut) => createHash('sha256').update(cut).digest('hex'))
}

export const textOf = (path: string): string => readFileSync(path, 'utf8')
