import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toHex } from '../../../../kernel/bytes.ts'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import {
  checkNoteSignature,
  isConsistent,
  leafHash,
  logEntryOf,
  parseCheckpoint,
  parseTlogProof,
  parseVerifierKey,
  rootOfInclusion,
} from '../../../verification/server/index.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import { readEntries } from './log-store.ts'
import { openPublicLog, type PublicLogDeps } from './open-public-log.ts'
import type { PublicLog } from './public-log.ts'
import { consistencyProof } from './read-log.ts'

const origin = 'proofs.example/log'
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let keyring: Awaited<ReturnType<typeof openKeyring>>
beforeAll(async () => {
  folder = await temporaryFolder()
  keyring = await openKeyring({ dir: join(folder.dir, 'keys'), clock: systemClock, log: silentLog })
})
afterAll(async () => await folder.remove())

const newRoot = () => new Uint8Array(randomBytes(32))
let places = 0
async function openLog(db: PublicLogDeps['db'], at?: string): Promise<PublicLog> {
  places += 1
  const kept = join(folder.dir, at ?? `log-${places}`)
  return await openPublicLog({ db, keyring, clock: systemClock, origin, folder: kept })
}

/** RFC 9162 §2.1.1 as it is written there, nothing shared with the product. */
function treeHash(leaves: readonly Uint8Array[]): Buffer {
  const sha = (...parts: Uint8Array[]) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
  if (leaves.length === 1) return sha(Uint8Array.of(0), leaves[0] ?? Buffer.alloc(0))
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  return sha(Uint8Array.of(1), treeHash(leaves.slice(0, half)), treeHash(leaves.slice(half)))
}

describe('the log over PostgreSQL', () => {
  const database = withDatabase()

  test('puts a root in once, under a signed checkpoint that proves it, and keeps the root to itself', async () => {
    const log = await openLog(database.db)
    expect(await log.checkpoint()).toBeNull()
    expect(await log.proofOf(newRoot())).toBeNull()
    const root = newRoot()
    const { logged, proof } = await log.include(root)
    expect(logged.index).toBe(0)
    const read = parseTlogProof(proof)
    if (typeof read === 'string') throw new Error(read)
    expect(read.extra).toEqual(new Uint8Array(logged.salt))
    const key = parseVerifierKey((await keyring.logSigner(origin)).vkey)
    expect(key !== null && checkNoteSignature(read.checkpoint.note, key)).toBe('valid')
    const entry = logEntryOf(logged.salt, root)
    expect(rootOfInclusion({ leafHash: leafHash(entry), index: 0, size: 1, path: read.path })).toEqual(read.checkpoint.rootHash)
    // The formula of public-log.ts, computed apart.
    const own = createHash('sha256').update('probant-log/1\n').update(logged.salt).update(root).digest()
    expect(Buffer.from(entry)).toEqual(own)
    expect((await readEntries(database.db, 0, 1)).map(toHex)).toEqual([own.toString('hex')])

    const again = await log.include(root)
    expect(again.logged).toEqual((await log.find(root)) as typeof again.logged)
    expect(again.logged.index).toBe(0)
    expect((await log.checkpoint())?.size).toBe(1)
  })

  test('refuses, by the database itself, to change or remove what stands in it', async () => {
    for (const table of ['log_leaf', 'log_checkpoint', 'log_subtree']) {
      await expect(sql`delete from ${sql.table(table)}`.execute(database.db), table).rejects.toThrow('append-only')
      await expect(sql`truncate ${sql.table(table)} cascade`.execute(database.db), table).rejects.toThrow('append-only')
    }
    await expect(sql`update log_leaf set at = now()`.execute(database.db)).rejects.toThrow('append-only')
    await expect(sql`update log_head set size = 0, frontier = ''`.execute(database.db)).rejects.toThrow('does not go back')
    await expect(sql`delete from log_head`.execute(database.db)).rejects.toThrow('does not go back')
    await expect(sql`update log_head set origin = 'other'`.execute(database.db)).rejects.toThrow('does not go back')
  })
})

describe('a log of some size', () => {
  const database = withDatabase()

  test('has the tree of RFC 9162 at every size, with proofs of inclusion and consistency', async () => {
    const log = await openLog(database.db)
    const sizes: number[] = []
    // Batches of many lengths, across the edges of tiles and of a tile of tiles.
    for (const count of [1, 1, 1, 4, 56, 64, 128, 2, 260, 1, 250, 700]) {
      await Promise.all(Array.from({ length: count }, async () => await log.include(newRoot())))
      sizes.push((await log.checkpoint())?.size ?? 0)
    }
    const total = sizes.at(-1) ?? 0
    expect(total).toBe(1468)
    const entries = await readEntries(database.db, 0, total)
    for (const size of sizes) {
      const checkpoint = await log.checkpointAt(size)
      expect(toHex(checkpoint?.rootHash ?? new Uint8Array()), String(size)).toBe(treeHash(entries.slice(0, size)).toString('hex'))
      for (const index of [0, 1, Math.floor(size / 2), size - 1].filter((each) => each < size)) {
        const path = await log.inclusionPath(index, size)
        const leaf = leafHash(entries[index] ?? new Uint8Array())
        expect(rootOfInclusion({ leafHash: leaf, index, size, path }), `${index} of ${size}`).toEqual(
          new Uint8Array(checkpoint?.rootHash ?? []),
        )
      }
      for (const to of sizes.filter((each) => each >= size)) {
        const [before, after] = [await log.checkpointAt(size), await log.checkpointAt(to)]
        if (before === null || after === null) throw new Error('a checkpoint is missing')
        const proof = await consistencyProof(database.db, size, to)
        expect(isConsistent(before, after, proof), `${size} to ${to}`).toBe(true)
      }
    }
  })

  test('gives every root one leaf when two workers ask for the same roots at once', async () => {
    const [one, two] = [await openLog(database.db), await openLog(database.db)]
    const before = (await one.checkpoint())?.size ?? 0
    const roots = Array.from({ length: 40 }, newRoot)
    const answers = await Promise.all([...roots, ...roots].map(async (root, i) => await (i % 3 === 0 ? one : two).include(root)))
    const indexes = new Map<string, Set<number>>()
    for (const { logged } of answers) {
      const key = toHex(logged.root)
      indexes.set(key, (indexes.get(key) ?? new Set()).add(logged.index))
    }
    expect([...indexes.values()].map((set) => set.size)).toEqual(roots.map(() => 1))
    expect((await one.checkpoint())?.size).toBe(before + roots.length)
    for (const { logged, proof } of answers) {
      const read = parseTlogProof(proof)
      if (typeof read === 'string') throw new Error(read)
      const leaf = leafHash(logEntryOf(logged.salt, logged.root))
      expect(rootOfInclusion({ leafHash: leaf, ...read, size: read.checkpoint.size })).toEqual(read.checkpoint.rootHash)
    }
  })
})

describe('a log whose database is not the newest', () => {
  const database = withDatabase()

  test('signs nothing beside a kept checkpoint that the database does not have, and everything once it does', async () => {
    const log = await openLog(database.db, 'kept')
    await log.include(newRoot())
    const path = join(folder.dir, 'kept', 'newest-checkpoint')
    const first = await readFile(path)
    expect(parseCheckpoint(first)?.size).toBe(1)
    await log.include(newRoot())
    const second = await readFile(path)
    expect(parseCheckpoint(second)?.size).toBe(2)

    // As if the database had been put back to before its last three leaves.
    const signer = await keyring.logSigner(origin)
    const newer = second.toString('utf8').replace('\n2\n', '\n5\n')
    await writeFile(path, newer)
    await expect(log.include(newRoot())).rejects.toThrow('sealing.log_went_back')
    // As if it had grown again since: the size is there, the tree is another.
    await writeFile(path, first.toString('utf8').replace(/\n1\n.*\n/, `\n1\n${randomBytes(32).toString('base64')}\n`))
    await expect((await openLog(database.db, 'kept')).include(newRoot())).rejects.toThrow('sealing.log_went_back')
    await writeFile(path, 'cut')
    await expect(log.include(newRoot())).rejects.toThrow('sealing.log_kept_damaged')
    expect((await log.checkpoint())?.size).toBe(2)
    await writeFile(path, second)
    expect((await log.include(newRoot())).logged.index).toBe(2)
    expect(signer.name).toBe(origin)
  })

  test('keeps the origin of its first leaf, whatever it is called later', async () => {
    const renamed = await openPublicLog({
      db: database.db,
      keyring,
      clock: systemClock,
      origin: 'elsewhere.example/log',
      folder: join(folder.dir, 'kept'),
    })
    await renamed.include(newRoot())
    expect(parseCheckpoint((await renamed.checkpoint())?.note ?? new Uint8Array())?.origin).toBe(origin)
  })
})
