/**
 * Billing when there is much of it: the monthly run beside the same rows by plain SQL, lists of few invoices and of many beside their rows by
 * key, documents by one typesetter beside one for each. Each round does all three; only ratios within a run are concluded from. Run:
 * `node bench/billing.ts [rounds] [subscriptions] [of these one by one] [invoices in lists] [documents]`; with five rounds of 100,000 subscriptions
 * about an hour. PostgreSQL is embedded, with its fsync.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase, type Db } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { urlOfDatabase } from '../testing/database-url.ts'
import { each, fillInvoices, openPeer, readings } from './billing/list.ts'
import { renew, type Renewed } from './billing/renew.ts'
import { kindsOfDocuments, openTypesetting, type Rate } from './billing/typeset.ts'
import { median } from './measure.ts'

const given = (at: number, otherwise: number) => Number(process.argv[at] ?? otherwise)
const rounds = given(2, 5)
const subscriptions = given(3, 100_000)
const oneByOne = given(4, 1_000)
const invoices = given(5, 1_000_000)
const documents = given(6, 200)
/** Each page is read so often in a round. */
const times = 21
const dataDir = mkdtempSync(join(tmpdir(), 'probant-bench-billing-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const admin = openDatabase(postgres.url, { max: 1, log: silentLog })

async function open(name: string): Promise<{ readonly db: Db; readonly drop: () => Promise<void> }> {
  await sql`create database ${sql.ref(name)}`.execute(admin)
  await migrate(urlOfDatabase(postgres.url, name))
  const db = openDatabase(urlOfDatabase(postgres.url, name), { max: 1, log: silentLog })
  return {
    db,
    drop: async () => {
      await db.destroy()
      await sql`drop database ${sql.ref(name)} with (force)`.execute(admin)
    },
  }
}

async function renewed(count: number, way: 'together' | 'alone'): Promise<Renewed> {
  const { db, drop } = await open(way)
  const measured = await renew(db, count, way)
  await drop()
  return measured
}

const spread = (values: readonly number[], digits: number): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`
const of = <Measured>(all: readonly Measured[], read: (one: Measured) => number, digits: number): string =>
  spread(all.map(read), digits)

function sayRenewed(name: string, all: readonly Renewed[]): void {
  console.log(
    `${name}: ${of(all, ({ second }) => second, 0)} invoices a second, ×${of(all, ({ second, plain }) => second / plain, 2)} of as many of plain SQL, which made ${of(
      all,
      ({ plain }) => plain,
      0,
    )}; ${of(all, ({ ms }) => ms, 2)} ms of our processor time each; at most ${of(all, ({ megabytes }) => megabytes[0], 0)} MB in the first tenth, ${of(
      all,
      ({ megabytes }) => megabytes[1],
      0,
    )} MB in all; then every invariant looked at in ${of(all, ({ invariants }) => invariants, 1)} s, none broken`,
  )
}

type Sizes = { readonly few: readonly number[]; readonly many: readonly number[] }
const ratios = ({ few, many }: Sizes): number => median(many) / median(few)

/** Milliseconds of each reading, one of few after one of many. */
async function timed(few: () => Promise<unknown>, many: () => Promise<unknown>): Promise<Sizes> {
  const took: { few: number[]; many: number[] } = { few: [], many: [] }
  for (let time = 0; time <= times; time += 1)
    for (const [size, read] of [
      ['few', few],
      ['many', many],
    ] as const) {
      const began = performance.now()
      await read()
      // The first one warms what every later one finds warm.
      if (time > 0) took[size].push(performance.now() - began)
    }
  return took
}

try {
  const [together, alone]: Renewed[][] = [[], []]
  const lists = new Map<string, Sizes[]>()
  const set: Record<'for each' | 'for 20' | 'for all' | 'for 20, and signed', Rate[]> = {
    'for each': [],
    'for 20': [],
    'for all': [],
    'for 20, and signed': [],
  }
  const [few, many] = [await open('few'), await open('many')]
  await fillInvoices(few.db, each)
  await fillInvoices(many.db, invoices)
  const [fewPeer, manyPeer] = [await openPeer(few.db), await openPeer(many.db)]
  const typesetting = await openTypesetting()
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`round ${round}, load ${loadavg()[0]?.toFixed(1) ?? ''}`)
    const note = (name: string, sizes: Sizes) => lists.set(name, [...(lists.get(name) ?? []), sizes])
    note('the same twenty by their keys', await timed(fewPeer, manyPeer))
    for (const [name, read] of Object.entries(readings))
      note(
        name,
        await timed(
          async () => await read(few.db),
          async () => await read(many.db),
        ),
      )
    set['for each'].push(await typesetting.rate(Math.ceil(documents / 20), 1, false))
    set['for 20'].push(await typesetting.rate(documents, 20, false))
    set['for all'].push(await typesetting.rate(documents, documents, false))
    set['for 20, and signed'].push(await typesetting.rate(documents, 20, true))
    alone?.push(await renewed(oneByOne, 'alone'))
    together?.push(await renewed(subscriptions, 'together'))
  }
  sayRenewed(`${oneByOne} one by one`, alone ?? [])
  sayRenewed(`${subscriptions} together`, together ?? [])
  console.log(
    `\n| of ${invoices} invoices beside ${each} | ms of ${each} | ratio | beside the same twenty by their keys |\n| --- | --- | --- | --- |`,
  )
  const peer = lists.get('the same twenty by their keys') ?? []
  for (const [name, all] of lists) {
    const beside = all.map((one, at) => median(one.many) / median(peer[at]?.many ?? []))
    console.log(`| ${name} | ${of(all, (one) => median(one.few), 2)} | ×${of(all, ratios, 2)} | ×${spread(beside, 1)} |`)
  }
  console.log(
    `\n${documents} documents of ${kindsOfDocuments} kinds in two languages, one page each: documents a second, and processor time of each`,
  )
  for (const [name, all] of Object.entries(set))
    console.log(`one typesetter ${name}: ${of(all, ({ second }) => second, 1)}, ${of(all, ({ ms }) => ms, 0)} ms`)
  await typesetting.close()
  await few.drop()
  await many.drop()
} finally {
  await admin.destroy()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
