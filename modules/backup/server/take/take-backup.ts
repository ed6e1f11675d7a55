import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { packageSoftware } from '../../../../platform/config/software.ts'
import { openSnapshot, type Snapshot, type Table } from '../database/dump-store.ts'
import { writeLine, type ContentsLine } from '../manifest/contents.ts'
import { refuseOthers, writeManifest, type Manifest, type NamedPiece } from '../manifest/manifest.ts'
import { openBackupSecret } from '../pieces/backup-secret.ts'
import { cipherFor } from '../pieces/cipher.ts'
import { cutBytes, cutRows } from '../pieces/cut.ts'
import { openPieceStore, sha256, type PieceStore } from '../pieces/piece-store.ts'
import { carrySince, newestOf } from '../since/carry-since.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { backUpBlob, listBlobs, type BackedUpBlob, type FoundBlob } from './back-up-blobs.ts'
import { listKeptFiles, readKept } from './files.ts'
import { withBackupLock } from './lock.ts'

export type BackupDeps = {
  readonly databaseUrl: string
  readonly blobs: BlobStore
  readonly dataFolder: string
  readonly clock: Clock
}

export type TakenBackup = {
  readonly manifest: Manifest
  readonly sent: { readonly pieces: number; readonly bytes: number }
  /** Blobs that rows name and that are not in the store, or are damaged there. */
  readonly missing: readonly { readonly scope: string; readonly sha256: string }[]
}

/** How often a snapshot is taken anew because blobs went between it and the look at the store. */
const mostSnapshots = 10

/**
 * Takes a backup in three steps, while others write:
 *
 * 1. blobs, however long that takes: they never change, and no row has to be known for it;
 * 2. the snapshot of the database; every blob that it names was stored before its row was committed;
 * 3. what the snapshot names and step 1 did not see; then rows, keys, and last the manifest.
 *
 * A blob that the snapshot names may be removed before step 3 comes to it: where step 1 did not see it either, the snapshot is taken anew.
 */
export async function takeBackup(
  deps: BackupDeps,
  options: { readonly target: BackupTarget; readonly recipients: readonly string[]; readonly withMasterKey: boolean },
): Promise<TakenBackup> {
  const { target, recipients, withMasterKey } = options
  const cipher = cipherFor(recipients)
  return await withBackupLock(deps.databaseUrl, async () => {
    const startedAt = deps.clock.now()
    const secret = openBackupSecret(deps, recipients)
    await refuseOthers(target, secret.installation)
    const previous = await newestOf(target)
    const pieces = await openPieceStore(target, secret, cipher)
    const held = await holdBlobs(deps.blobs, pieces)
    for (let attempt = 1; ; attempt += 1) {
      const snapshot = await openSnapshot(deps.databaseUrl)
      try {
        const missing = await held.complete(snapshot)
        if (missing.length > 0 && attempt < mostSnapshots) continue
        const taken = await writeContents(deps, { snapshot, pieces, blobs: held.lines(), withMasterKey })
        const manifest = await writeManifest(
          target,
          secret,
          {
            id: `${startedAt.toISOString().replaceAll(/[:.-]/g, '')}-${randomBytes(4).toString('hex')}`,
            started_at: startedAt.toISOString(),
            taken_at: snapshot.takenAt.toISOString(),
            ended_at: deps.clock.now().toISOString(),
            software: packageSoftware,
            recipients: [...recipients],
            ...taken.body,
            blobs: { ...taken.blobs, missing: missing.length },
            with_master_key: withMasterKey,
          },
          taken.needed,
        )
        // What happened between the last time that it was carried and this snapshot, for whoever restores the one before.
        if (previous !== null) await carrySince(deps, { target, recipients }, previous)
        return { manifest, sent: pieces.sent, missing }
      } finally {
        await snapshot.end()
      }
    }
  })
}

/** While one waits for a disk, another is enciphered; a piece of each is held. */
const atOnce = 6

async function forEachOf<T>(items: Iterable<T>, run: (item: T) => Promise<void>): Promise<void> {
  const rest = Iterator.from(items)
  const one = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await run(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

type HeldBlobs = {
  /** What the snapshot names, and what is in the store besides; @returns what it names and nobody has any more */
  complete(snapshot: Snapshot): Promise<NamedBlob[]>
  lines(): AsyncIterable<ContentsLine>
}

type NamedBlob = { readonly scope: string; readonly sha256: string }

const keyOf = ({ scope, sha256 }: Pick<FoundBlob, 'scope' | 'sha256'>) => `${scope ?? ''}/${sha256}`

/** Sends what is in the store now. */
async function holdBlobs(blobs: BlobStore, pieces: PieceStore): Promise<HeldBlobs> {
  const seen = new Map<string, BackedUpBlob>()
  // The whole list before the first is read: others may write faster than they are sent.
  await forEachOf(await Array.fromAsync(listBlobs(blobs)), async (found) => {
    const backedUp = await backUpBlob(blobs, pieces, found)
    if (backedUp !== null) seen.set(keyOf(found), backedUp)
  })
  let named = new Set<string>()
  return {
    async complete(snapshot) {
      named = new Set()
      const missing: NamedBlob[] = []
      const unseen = new Map<string, NamedBlob>()
      for await (const name of snapshot.namedBlobs()) {
        named.add(keyOf(name))
        if (!seen.has(keyOf(name))) unseen.set(keyOf(name), name)
      }
      await forEachOf(unseen, async ([key, name]) => {
        const backedUp = await backUpBlob(blobs, pieces, name)
        if (backedUp === null) missing.push(name)
        else seen.set(key, backedUp)
      })
      return missing
    },
    async *lines() {
      for (const [key, { blob, objects }] of seen) {
        // What was erased meanwhile does not come back; what nobody names yet may be named by whoever goes on.
        const isThere = named.has(key) || (await (blob.scope === null ? blobs : blobs.scope(blob.scope)).has(blob.sha256))
        if (isThere) yield { kind: 'blob', ...blob, objects: [...objects] }
      }
    },
  }
}

/** Every row, key and blob of the backup, as lines in pieces. */
async function writeContents(
  deps: BackupDeps,
  of: { snapshot: Snapshot; pieces: PieceStore; blobs: AsyncIterable<ContentsLine>; withMasterKey: boolean },
) {
  const { snapshot, pieces } = of
  const needed = new Map<string, NamedPiece>()
  const need = (objects: readonly string[]) => {
    for (const object of objects) needed.set(object, { object, bytes: pieces.bytesOf(object) })
  }
  const put = async (bytes: Uint8Array): Promise<string> => {
    const content = `data ${sha256(bytes)}`
    return pieces.find(content) ?? (await pieces.put(content, bytes))
  }
  const migrations = await snapshot.migrations()
  const tables = await snapshot.tables()
  const figures = { rows: 0, blobs: { count: 0, bytes: 0 } }

  async function* lines(): AsyncGenerator<ContentsLine> {
    for (const { name, sha256 } of migrations) yield { kind: 'migration', name, sha256 }
    for (const table of tables) yield await backUpTable(snapshot, table, put)
    for (const sequence of await snapshot.sequences()) yield { kind: 'sequence', ...sequence }
    yield* of.blobs
    for await (const path of listKeptFiles(deps.dataFolder, of.withMasterKey)) {
      const bytes = await readKept(deps.dataFolder, path)
      if (bytes === null) continue
      const objects: string[] = []
      for await (const piece of cutBytes(asStream(bytes))) objects.push(await put(piece))
      yield { kind: 'file', path, sha256: sha256(bytes), objects }
    }
  }
  async function* written(): AsyncGenerator<Buffer> {
    for await (const line of lines()) {
      if ('objects' in line) need(line.objects)
      if (line.kind === 'table') figures.rows += line.rows
      if (line.kind === 'blob') figures.blobs = { count: figures.blobs.count + 1, bytes: figures.blobs.bytes + line.bytes }
      yield writeLine(line)
    }
  }
  const contents: string[] = []
  for await (const piece of cutRows(written())) contents.push(await put(piece))
  need(contents)
  return {
    needed: [...needed.values()],
    blobs: figures.blobs,
    body: {
      database: {
        migration: migrations.at(-1)?.name ?? '',
        tables: tables.length,
        rows: figures.rows,
        last_act: await snapshot.lastAct(),
      },
      log: await snapshot.logHead(),
      contents,
    },
  }
}

async function backUpTable(snapshot: Snapshot, table: Table, put: (bytes: Uint8Array) => Promise<string>): Promise<ContentsLine> {
  const whole = createHash('sha256')
  const objects: string[] = []
  let rows = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const row of snapshot.rows(table)) {
      rows += 1
      yield row
    }
  }
  for await (const piece of cutRows(counted())) {
    whole.update(piece)
    objects.push(await put(piece))
  }
  return { kind: 'table', ...table, columns: [...table.columns], rows, sha256: whole.digest('hex'), objects }
}

async function* asStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}
