/**
 * The public log at 10,000, 100,000 and a million entries: what a proof and an append cost, and how that grows. Beside an append
 * stands what the same PostgreSQL needs to commit one row; beside a proof, hashing the whole tree again, which is what a log
 * without tiles would do. Run: `node bench/log.ts [largest size]`.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openKeyring } from '../modules/sealing/server/index.ts'
import { growTree, writeFrontier, type Frontier } from '../modules/sealing/server/log/grow-tree.ts'
import { appendLeaves, readEntries } from '../modules/sealing/server/log/log-store.ts'
import { openPublicLog } from '../modules/sealing/server/log/open-public-log.ts'
import { consistencyProof } from '../modules/sealing/server/log/read-log.ts'
import { formatCheckpoint, formatNote, leafHash, logEntryOf, merkleRoot } from '../modules/verification/server/index.ts'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { median } from './measure.ts'

const largest = Number(process.argv[2] ?? 1_000_000)
const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= largest)
const origin = 'bench.example/log'
const clock = { now: () => new Date() }
const dir = mkdtempSync(join(tmpdir(), 'probant-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: dir, log: silentLog })
await migrate(postgres.url)
const db = openDatabase(postgres.url, { log: silentLog })
const keyring = await openKeyring({ dir: join(dir, 'keys'), clock, log: silentLog })

/** The product's own functions without the proof of each: a million proofs are not what is measured here. */
async function fill(from: Frontier, size: number): Promise<Frontier> {
  let frontier = from
  while (frontier.size < size) {
    const at = clock.now()
    const first = frontier.size
    const leaves = Array.from({ length: Math.min(5000, size - first) }, (_, i) => {
      const [root, salt] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))]
      const entry = logEntryOf(salt, root)
      return { index: first + i, root, salt, entry, leafHash: leafHash(entry) }
    })
    const grown = growTree(
      frontier,
      leaves.map((leaf) => leaf.leafHash),
    )
    const signer = await keyring.logSigner(origin)
    const text = formatCheckpoint({ origin, size: grown.size, rootHash: grown.rootHash, extensions: [] })
    const signature = await signer.sign(Buffer.from(text))
    const note = formatNote(text, [{ name: signer.name, keyId: signer.keyId, signature }])
    const checkpoint = { rootHash: grown.rootHash, note }
    const change = { origin, size: grown.size, frontier: writeFrontier(grown), leaves, subtrees: grown.subtrees, checkpoint, at }
    await db.transaction().execute(async (tx) => await appendLeaves(tx, change))
    frontier = { size: grown.size, hashes: grown.hashes }
  }
  return frontier
}

async function millisecondsOf(times: number, act: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let i = 0; i < times; i += 1) {
    const start = performance.now()
    await act()
    taken.push(performance.now() - start)
  }
  return median(taken)
}

const newRoot = () => new Uint8Array(randomBytes(32))
const show = (name: string, ms: number, base: number) => console.log(`  ${name}: ${ms.toFixed(2)} ms, ×${(ms / base).toFixed(2)}`)

try {
  await sql`create table bench_row (id bigint generated always as identity primary key, bytes bytea not null)`.execute(db)
  const row = await millisecondsOf(
    200,
    async () => await sql`insert into bench_row (bytes) values (${randomBytes(64)})`.execute(db),
  )
  console.log(`one row committed by the same database: ×1 (${row.toFixed(2)} ms)`)
  let frontier: Frontier = { size: 0, hashes: [] }
  let firstProof: number | undefined
  for (const size of sizes) {
    const filling = performance.now()
    const before = frontier.size
    frontier = await fill(frontier, size)
    const speed = ((size - before) / (performance.now() - filling)) * 1000
    await sql`vacuum analyze log_leaf, log_subtree, log_root, log_checkpoint`.execute(db)
    const log = await openPublicLog({ db, keyring, clock, origin, folder: join(dir, 'kept') })
    console.log(`${size} entries (filled by ${Math.round(speed)} a second in one process)`)
    const anyIndex = () => createHash('sha256').update(randomBytes(8)).digest().readUInt32BE(0) % size
    const proof = await millisecondsOf(300, async () => await log.inclusionPath(anyIndex(), size))
    firstProof ??= proof
    show('inclusion proof, beside the one at the first size', proof, firstProof)
    show(
      'consistency proof, beside it',
      await millisecondsOf(100, async () => await consistencyProof(db, anyIndex() + 1, size)),
      proof,
    )
    show(
      'one root put in, signed, committed and proven, beside one row',
      await millisecondsOf(100, async () => await log.include(newRoot())),
      row,
    )
    const together = await millisecondsOf(
      5,
      async () => await Promise.all(Array.from({ length: 200 }, async () => await log.include(newRoot()))),
    )
    show('each of 200 that come at once, beside one row', together / 200, row)
    if (size <= 100_000) {
      const entries = await readEntries(db, 0, size)
      const leaves = entries.map(leafHash)
      const whole = await millisecondsOf(3, async () => await Promise.resolve(merkleRoot(leaves)))
      show('the whole tree hashed again, beside a proof', whole, proof)
    }
    frontier = await currentFrontier()
  }
} finally {
  await db.destroy()
  await postgres.stop()
  rmSync(dir, { recursive: true, force: true })
}

/** What was put in meanwhile belongs to the tree that is filled on. */
async function currentFrontier(): Promise<Frontier> {
  const { size, frontier } = await db.selectFrom('log_head').select(['size', 'frontier']).executeTakeFirstOrThrow()
  return { size, hashes: Array.from({ length: frontier.length / 32 }, (_, i) => frontier.subarray(i * 32, i * 32 + 32)) }
}
