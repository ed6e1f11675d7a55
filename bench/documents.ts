/**
 * Deposits a second, each under a token of its own and ten thousand under one; and the lists of an account of many deposits beside one of
 * a thousand, with what they read: `node bench/documents.ts [rows] [rounds]`.
 * Figures of one run, and their ratios. With no rows there are no lists.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Actor } from '../kernel/actor.ts'
import { systemClock } from '../kernel/clock.ts'
import { buildHashTree } from '../modules/verification/server/index.ts'
import { archiveProofs } from '../modules/document/server/proofs/archive-proofs.ts'
import { createPlaces } from '../platform/http/request/places.ts'
import { createDocuments } from '../modules/document/server/change/create-documents.ts'
import type { DocumentSealDeps } from '../modules/document/server/deposit/deps.ts'
import { downloadProofs } from '../modules/document/server/proofs/download-proofs.ts'
import { findPage } from '../modules/document/server/lists/find-page.ts'
import type { ListFilter, ListQuery } from '../modules/document/server/lists/list-store.ts'
import { sealBatch } from '../modules/document/server/seal/seal-batch.ts'
import { createTimestampers, openKeyring, openPublicLog } from '../modules/sealing/server/index.ts'
import { createFolderBlobStore } from '../platform/blobs/folder-blob-store.ts'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { countReads } from './explain.ts'
import { fillDeposits } from './fill-deposits.ts'
import { median, treeSeconds } from './measure.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 5)
const folder = await mkdtemp(join(tmpdir(), 'probant-bench-documents-'))
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'pg'), log: silentLog })
await migrate(postgres.url)
const db = openDatabase(postgres.url, { max: 6, log: silentLog })
const clock = systemClock
const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
const deps: DocumentSealDeps = {
  db,
  blobs: createFolderBlobStore(join(folder, 'blobs')),
  clock,
  log: silentLog,
  keyring,
  timestampers: createTimestampers({ urls: [], keyring, clock, log: silentLog }),
  publicLog: await openPublicLog({ db, keyring, clock, origin: 'bench.example/log', folder: join(folder, 'log') }),
}

const web = { ...deps, secret: 's'.repeat(32) }

async function haveAccount(n: number): Promise<string> {
  const id = randomUUID()
  await sql`insert into account_user (id, status, password_hash, password_changed_at, first_name, last_name, locale, referral_code, terms_accepted_at, created_at)
    values (${id}::uuid, 'active', '$argon2id$x', now(), 'A', 'B', 'en', translate(lpad(${n}::text, 8, 'A'), '01', 'XY'), now(), now())`.execute(
    db,
  )
  return id
}
const actorOf = (userId: string): Actor => ({
  userId,
  accountId: userId,
  delegation: null,
  sessionId: userId,
  roles: new Set(),
  secondFactor: false,
  locale: 'en',
})
const fresh = (count: number) =>
  Array.from({ length: count }, () => ({
    sha256: randomBytes(32).toString('hex'),
    document_name: `Document ${randomUUID()}.pdf`,
    store: false,
  }))

/** Milliseconds of processor time of each deposit, of this program and of the database, by how it came; one figure a round. */
const processor = new Map<number, number[]>()

/** From the call to the last commit, deposits a second. */
async function pace(account: string, calls: number, each: number): Promise<number> {
  const used = await treeSeconds(process.pid)
  const began = performance.now()
  for (let call = 0; call < calls; call += 1) {
    const made = await createDocuments(deps, actorOf(account), { documents: fresh(each), agree: true })
    const waiting = [...new Set(made.map(({ batchId }) => batchId ?? ''))]
    // As many at a time as a worker does.
    const work = async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await sealBatch(deps, id)
    }
    await Promise.all(Array.from({ length: 4 }, work))
  }
  const perSecond = (calls * each * 1000) / (performance.now() - began)
  const ms = (((await treeSeconds(process.pid)) - used) * 1000) / (calls * each)
  processor.set(each, [...(processor.get(each) ?? []), ms])
  return perSecond
}

/** Proofs a second: of the newest ten thousand in one archive, and of some of them one archive each. */
async function paceOfProofs(
  account: string,
): Promise<{ readonly together: number; readonly each: number; readonly bytes: number }> {
  const ids = (
    await db
      .selectFrom('document')
      .select('id')
      .where('owner_id', '=', account)
      .orderBy('created_at', 'desc')
      .limit(10_000)
      .execute()
  ).map(({ id }) => id)
  const began = performance.now()
  let bytes = 0
  const places = createPlaces({ most: 1, ofOne: 1, busy: 'document.too_many_archives' })
  for await (const piece of await archiveProofs(web, places, actorOf(account), { ids })) bytes += (piece as Uint8Array).length
  const together = (ids.length * 1000) / (performance.now() - began)
  const some = ids.slice(0, 300)
  let read = 0
  const again = performance.now()
  for (const id of some) {
    const proofs = await downloadProofs(web, id)
    for await (const piece of await proofs.open(0, proofs.bytes)) read += (piece as Uint8Array).length
  }
  if (read === 0) throw new Error('no proof was read')
  return { together, each: (some.length * 1000) / (performance.now() - again), bytes }
}

const none: ListFilter = {
  category: null,
  search: null,
  fingerprint: null,
  status: null,
  createdAfter: null,
  createdBefore: null,
  createdBy: null,
}
const newest: ListQuery['ordering'] = { column: 'created_at', direction: 'desc' }
const asked = (account: string): readonly (readonly [string, Partial<ListQuery>])[] => [
  ['first page', {}],
  ['page 40 of 20', { offset: 780 }],
  ['by name', { ordering: { column: 'name_key', direction: 'asc' } }],
  ['by name, from the end', { ordering: { column: 'name_key', direction: 'desc' } }],
  ['a word that all have', { filter: { ...none, search: 'contract' } }],
  ['a word that the oldest 500 have', { filter: { ...none, search: 'gathered late' } }],
  ['a word that none has', { filter: { ...none, search: 'nowhere' } }],
  ['a fingerprint', { filter: { ...none, fingerprint: createHash('sha256').update(`${account}7`).digest('hex') } }],
  [
    'eight digits of one',
    { filter: { ...none, fingerprint: createHash('sha256').update(`${account}7`).digest('hex').slice(0, 8) } },
  ],
]

type Cost = { readonly ms: number; readonly rows: number; readonly pages: number }

async function costOf(account: string, query: Partial<ListQuery>): Promise<Cost> {
  const whole = {
    caller: { accountId: account, delegation: null },
    standing: null,
    filter: none,
    ordering: newest,
    limit: 20,
    offset: 0,
    ...query,
  }
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const began = performance.now()
    await findPage(db, whole)
    // The first one warms up.
    if (round > 0) times.push(performance.now() - began)
  }
  return { ms: median(times), ...(await countReads(postgres.url, async (other) => await findPage(other, whole))) }
}

try {
  const depositor = await haveAccount(1)
  await pace(depositor, 5, 1)
  processor.clear()
  const [singles, twenties, manies]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    singles.push(await pace(depositor, 60, 1))
    twenties.push(await pace(depositor, 5, 20))
    manies.push(await pace(depositor, 1, 10_000))
  }
  const [single, twenty, many] = [median(singles), median(twenties), median(manies)]
  for (const [each, found] of processor)
    console.log(
      `${String(each)} a call: ${median(found).toFixed(2)} ms of processor time each (${Math.min(...found).toFixed(2)} to ${Math.max(...found).toFixed(2)})`,
    )
  console.log(`one a call, each under its own token: ${single.toFixed(0)} a second, sealed`)
  console.log(`twenty a call, each under its own token: ${twenty.toFixed(0)} a second (×${(twenty / single).toFixed(1)})`)
  console.log(`ten thousand a call under one token: ${many.toFixed(0)} a second (×${(many / single).toFixed(1)})`)
  const proofs = await paceOfProofs(depositor)
  console.log(
    `proofs of ten thousand in one archive: ${proofs.together.toFixed(0)} a second, ${(proofs.bytes / 1e6).toFixed(0)} MB; one each: ${proofs.each.toFixed(0)} a second (×${(proofs.together / proofs.each).toFixed(1)})`,
  )
  const leaves = Array.from({ length: 10_000 }, () => randomBytes(32))
  const began = performance.now()
  const tree = buildHashTree(leaves, (bytes) => createHash('sha256').update(bytes).digest())
  for (let index = 0; index < leaves.length; index += 1) tree.path(index)
  console.log(`of which the tree and its ten thousand ways: ${(performance.now() - began).toFixed(0)} ms`)

  if (rows > 0) await lists()
} finally {
  await db.destroy()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function lists(): Promise<void> {
  const [small, large] = [await haveAccount(2), await haveAccount(3)]
  await fillDeposits(db, small, 1_000)
  await fillDeposits(db, large, rows)
  await sql`vacuum analyze`.execute(db)
  const said = ({ ms, rows: read, pages }: Cost) => `${ms.toFixed(1)} ms, ${read} rows, ${pages} pages`
  for (const [index, [name, query]] of asked(large).entries()) {
    const [few, all] = [await costOf(small, asked(small)[index]?.[1] ?? {}), await costOf(large, query)]
    console.log(`${name}: ${said(all)} among ${rows}; ${said(few)} among 1000 (×${(all.ms / few.ms).toFixed(1)})`)
  }
}
