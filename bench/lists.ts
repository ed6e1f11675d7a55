/**
 * Lists, searches and counts of one account among 1,000 and among 1,000,000 evidences, in one run on one PostgreSQL; prints the plans
 * and the ratios. Once the million belongs to many accounts, once to that one alone: the second is the worst that can be. Run:
 * `node bench/lists.ts [rows] [rounds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { findPage } from '../modules/evidence/server/list/find-page.ts'
import { partsOf, type ListFilter } from '../modules/evidence/server/list/list-store.ts'
import { whoseOf } from '../platform/lists/list-store.ts'
import { countOwned, countSealed } from '../platform/lists/tally-store.ts'
import { openDatabase, type Db } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { urlOfDatabase } from '../testing/database-url.ts'
import { explain } from './explain.ts'
import { ada, fillEvidences, others } from './fill-evidences.ts'
import { median } from './measure.ts'
import { pageOfAda, scopeOfAda } from './page-of-ada.ts'
import { tableHead, tableRow } from './table.ts'

const most = Number(process.argv[2] ?? 1_000_000)
const small = 1_000
const rounds = Number(process.argv[3] ?? 41)
const dataDir = mkdtempSync(join(tmpdir(), 'probant-bench-lists-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { fsync: 'off', synchronous_commit: 'off' } })

const found =
  (filter: Partial<ListFilter>, offset = 0) =>
  async (db: Db) =>
    await findPage(db, pageOfAda(filter, offset))

/** Each a page with its count, as a call reads it. */
const jobs: readonly [string, (db: Db) => Promise<unknown>][] = [
  ['first page, all categories', found({})],
  ['first page, completed', found({ category: 'completed' })],
  ['page 20 of completed', found({ category: 'completed' }, 380)],
  ['count alone, completed', async (db) => await countOwned(db, 'evidence', whoseOf(partsOf(scopeOfAda)), 'completed')],
  ['statistics', async (db) => await countSealed(db, 'evidence', { accountId: ada, groupId: null })],
  ['a part of an address', found({ search: 'articles/999' })],
  ['a label', found({ search: 'case 19999' })],
  ['a word of every row', found({ search: 'example' })],
  ['the same, page 20', found({ search: 'example' }, 380)],
  ['a word of one row in ninety', found({ search: 'page 77' })],
  ['a word of 1,100 rows, the oldest', found({ search: 'gathered late' })],
  ['a word of the older third', found({ search: 'archived' })],
  ['what is not there', found({ search: 'nowhere at all' })],
  ['two letters', found({ search: 'zq' })],
  ['of one day', found({ createdAfter: new Date('2026-11-20'), createdBefore: new Date('2026-11-21') })],
  ['of a maker who made none', found({ createdBy: '00000000-0000-4000-8000-00000000000b' })],
  ['live sessions, of which there are none', found({ action: 'interactive' })],
]

try {
  const sizes: { name: string; url: string; db: Db }[] = []
  for (const [name, rows, owned] of [
    ['few', small, 'all'],
    ['many', most, 'spread'],
    ['own', most, 'all'],
  ] as const) {
    const url = urlOfDatabase(postgres.url, `bench_${name}`)
    const admin = openDatabase(postgres.url, { max: 1, log: silentLog })
    await sql`create database ${sql.ref(`bench_${name}`)}`.execute(admin)
    await admin.destroy()
    await migrate(url)
    const db = openDatabase(url, { max: 1, log: silentLog })
    const began = performance.now()
    await fillEvidences(db, rows, owned)
    console.error(`${name}: ${String(rows)} rows in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    sizes.push({ name, url, db })
  }
  const times = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round += 1)
    for (const [job, run] of jobs)
      for (const { name, db } of sizes) {
        const began = performance.now()
        await run(db)
        // The first round warms what every later one finds warm.
        if (round > 0) times.set(`${job}/${name}`, [...(times.get(`${job}/${name}`) ?? []), performance.now() - began])
      }
  console.log(
    tableHead([
      '',
      `${String(small)} rows, ms`,
      `${String(most)} rows of ${String(others + 1)} accounts`,
      `${String(most)} rows of one account`,
    ]),
  )
  for (const [job] of jobs) {
    const of = (name: string) => median(times.get(`${job}/${name}`) ?? [])
    const ratio = (name: string) => `×${(of(name) / of('few')).toFixed(2)}`
    console.log(tableRow([job, of('few').toFixed(2), ratio('many'), ratio('own')]))
  }
  for (const [job, run] of jobs) {
    console.log(`\n${job}, ${String(most)} rows of one account:`)
    const own = sizes.at(-1)
    if (own !== undefined) await explain(own.url, run)
  }
  for (const { db } of sizes) await db.destroy()
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
