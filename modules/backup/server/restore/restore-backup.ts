import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { DomainError } from '../../../../kernel/errors.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { listMigrations, migrate, migrationsFolder } from '../../../../platform/db/migrate.ts'
import {
  clearDatabase,
  countRows,
  emptyTables,
  endRestoring,
  forgetWhatWasGivenOut,
  holdsTables,
  isBeingRestored,
  loadTable,
  setSequence,
  suspendRules,
} from '../database/load-store.ts'
import type { BlobLine, FileLine, SequenceLine, TableLine } from '../manifest/contents.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { openPieces, readContents } from '../manifest/read-contents.ts'
import type { Decipher } from '../pieces/cipher.ts'
import { listBlobs } from '../take/back-up-blobs.ts'
import { listKeptFiles } from '../take/files.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { readSince, type AllSince } from '../since/since.ts'
import { takeAwayAgain } from '../since/since-store.ts'
import { leaveLog } from './log-tail.ts'
import { clearMarker, readMarker, setMarker, writeWhole } from './marker.ts'
import { verifyStored } from './verify-backup.ts'

export type RestoreDeps = {
  readonly dataFolder: string
  readonly blobs: BlobStore
  /** The database, started for as long as it is used where it is the embedded one. */
  readonly withDatabase: <T>(use: (url: string) => Promise<T>) => Promise<T>
  /** Whether there is an embedded database already. */
  readonly hasDatabase: boolean
}

export type Restored = {
  readonly tables: number
  readonly rows: number
  readonly blobs: number
  readonly bytes: number
  readonly files: number
  readonly takenAway: number
  readonly logEntries: number
}

/**
 * Puts a backup into an installation in which there is nothing. Everything is read and checked before anything is written; killed at any
 * moment, it goes on when it is called again with the same backup, and until it is done the product does not start.
 * @throws DomainError `backup.not_empty`, `backup.other_restore`, `backup.newer_version`, `backup.faults`, and those of reading
 */
export async function restoreBackup(
  deps: RestoreDeps,
  { target, manifest, decipher }: { readonly target: BackupTarget; readonly manifest: Manifest; readonly decipher: Decipher },
): Promise<Restored> {
  const { dataFolder } = deps
  const begun = await readMarker(dataFolder)
  if (begun !== null && begun.backup !== manifest.id)
    throw new DomainError('conflict', 'backup.other_restore', { id: begun.backup })
  if (begun === null) await refuseUnlessEmpty(deps)
  const head = await readHead(target, decipher, manifest)
  await refuseNewer(manifest, head)
  const since = await readSince(target, decipher, manifest)
  if (begun === null) {
    const { faults } = await verifyStored(target, manifest)
    const [first] = faults
    if (first !== undefined) throw new DomainError('conflict', 'backup.faults', { count: faults.length, first: first.object })
    await setMarker(dataFolder, manifest.id)
  }
  const figures = { blobs: 0, bytes: 0, files: 0 }
  for await (const line of readContents(target, decipher, manifest)) {
    if (line.kind === 'blob') {
      await restoreBlob(deps.blobs, line, openPieces(target, decipher, line.objects))
      figures.blobs += 1
      figures.bytes += line.bytes
    } else if (line.kind === 'file') {
      await restoreFile(dataFolder, line, openPieces(target, decipher, line.objects))
      figures.files += 1
    }
  }
  await leaveLog(dataFolder, since)
  await deps.withDatabase(async (url) => {
    await withClient(url, async (client) => {
      // Called again, it may have been given another database by mistake.
      if ((await holdsTables(client)) && !(await isBeingRestored(client, manifest.id)))
        throw new DomainError('conflict', 'backup.not_empty', { what: 'PostgreSQL' })
      await clearDatabase(client, manifest.id)
      await restoreDatabase(client, url, head, since, (objects) => openPieces(target, decipher, objects))
      await clearMarker(dataFolder)
      await endRestoring(client)
    })
  })
  const known = { takenAway: since.acts.length, logEntries: since.log?.entries.length ?? 0 }
  return { ...figures, ...known, tables: head.tables.length, rows: head.tables.reduce((total, { rows }) => total + rows, 0) }
}

type Head = {
  readonly migrations: readonly { name: string; sha256: string }[]
  readonly tables: TableLine[]
  readonly sequences: SequenceLine[]
}

/** All but blobs and files, which are many. */
async function readHead(target: BackupTarget, decipher: Decipher, manifest: Manifest): Promise<Head> {
  const migrations: { name: string; sha256: string }[] = []
  const tables: TableLine[] = []
  const sequences: SequenceLine[] = []
  for await (const line of readContents(target, decipher, manifest)) {
    if (line.kind === 'migration') migrations.push({ name: line.name, sha256: line.sha256 })
    else if (line.kind === 'table') tables.push(line)
    else if (line.kind === 'sequence') sequences.push(line)
    // They stand after all of these.
    else break
  }
  return { migrations, tables, sequences }
}

/** @throws DomainError `backup.not_empty` */
async function refuseUnlessEmpty({ dataFolder, blobs, hasDatabase, withDatabase }: RestoreDeps): Promise<void> {
  const refuse = (what: string) => new DomainError('conflict', 'backup.not_empty', { what })
  for await (const path of listKeptFiles(dataFolder, true)) throw refuse(join(dataFolder, path))
  for await (const { sha256 } of listBlobs(blobs)) throw refuse(sha256)
  if (hasDatabase) {
    const holds = await withDatabase(async (url) => await withClient(url, holdsTables))
    if (holds) throw refuse('PostgreSQL')
  }
}

/** @throws DomainError `backup.newer_version` where this version does not know the schema */
async function refuseNewer({ id }: Manifest, { migrations }: Head): Promise<void> {
  const known = new Map((await listMigrations()).map(({ name, sha256 }) => [name, sha256]))
  if (migrations.some(({ name, sha256 }) => known.get(name) !== sha256))
    throw new DomainError('conflict', 'backup.newer_version', { id })
}

async function restoreBlob(blobs: BlobStore, line: BlobLine, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const store = line.scope === null ? blobs : blobs.scope(line.scope)
  // A blob in a store is whole: an interrupted restore left it there.
  if (await store.has(line.sha256)) return
  const stored = await store.putStream(chunks)
  if (stored.sha256 === line.sha256) return
  await store.remove(stored.sha256)
  throw new DomainError('conflict', 'backup.altered', { name: line.sha256 })
}

async function restoreFile(dataFolder: string, line: FileLine, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const bytes = Buffer.concat(await Array.fromAsync(chunks))
  const path = join(dataFolder, line.path)
  const isBelow = !line.path.startsWith('/') && !line.path.split('/').some((part) => part === '..' || part === '' || part === '.')
  if (!isBelow || createHash('sha256').update(bytes).digest('hex') !== line.sha256)
    throw new DomainError('conflict', 'backup.altered', { name: line.path.slice(0, 100) })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeWhole(path, bytes)
}

/** The schema as it was, then all rows in one transaction: a database that has any row has every row. */
async function restoreDatabase(
  client: Client,
  url: string,
  { migrations, tables, sequences }: Head,
  { acts }: AllSince,
  open: (objects: readonly string[]) => AsyncIterable<Buffer>,
): Promise<void> {
  await migrate(url, migrationsFolder, migrations.at(-1)?.name ?? '')
  await client.query('begin')
  try {
    const restoreRules = await suspendRules(client)
    await emptyTables(client, tables)
    for (const line of tables) {
      await loadTable(client, line, checked(line, open(line.objects)))
      const rows = await countRows(client, line)
      if (rows !== line.rows) throw new DomainError('conflict', 'backup.altered', { name: line.name })
    }
    for (const sequence of sequences) await setSequence(client, sequence)
    await forgetWhatWasGivenOut(client)
    await restoreRules()
    await takeAwayAgain(client, acts)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** @throws DomainError `backup.altered` after the last chunk, when together they are not what they were */
async function* checked(line: TableLine, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== line.sha256) throw new DomainError('conflict', 'backup.altered', { name: line.name })
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'probant-restore', keepAlive: true })
  // Each query that meets it rejects with it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`set client_min_messages = warning; set timezone = 'UTC'`)
    return await use(client)
  } finally {
    await client.end()
  }
}
