/**
 * Calls under fifty clients at once, with 1,000 and with 1,000,000 evidences, beside Fastify with nothing but routes that answer the very
 * same: requests a second, p50, p99. The web role is the real one, in its own process; passwords cost what they cost in production. The
 * database forgets what it wrote if the machine stops (no fsync). Only ratios mean anything. Run: `node tools/build.mjs; node bench/api.ts [rows] [seconds] [rounds]`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import autocannon, { type Request } from 'autocannon'
import { sql } from 'kysely'
import { superviseRole } from '../apps/server/supervision.ts'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { urlOfDatabase } from '../testing/database-url.ts'
import { addressOf, fillAccounts, password, tokenOf } from './fill-accounts.ts'
import { evidenceOf, fillEvidences } from './fill-evidences.ts'
import { median } from './measure.ts'

const most = Number(process.argv[2] ?? 1_000_000)
const seconds = Number(process.argv[3] ?? 5)
const rounds = Number(process.argv[4] ?? 3)
const clients = 50
const dataDir = mkdtempSync(join(tmpdir(), 'probant-bench-api-'))
const outside = [
  'NTP_SERVERS',
  'STUN_SERVERS',
  'DNS_SERVERS',
  'ADDRESS_ECHOES',
  'RDAP_BOOTSTRAP',
  'WHOIS_SERVER',
  'OTS_CALENDARS',
  'ESPLORA',
  'TRUSTED_LISTS',
]

type Call = {
  readonly name: string
  /** Of client `n`, who is account number `account`. */
  readonly request: (n: number, account: number) => { readonly path: string; readonly body?: string }
}
type Place = {
  readonly name: string
  readonly port: number
  /** Of client `n`. */
  readonly request: (call: Call, n: number) => Request
  stop(): Promise<void>
}

const list =
  (query: string): Call['request'] =>
  () => ({ path: `/evidences/?${query}` })
const calls: readonly Call[] = [
  { name: 'evidence read', request: (_n, account) => ({ path: `/evidences/${evidenceOf(account)}/` }) },
  { name: 'list, first page', request: list('page=1') },
  { name: 'list, rows 981 to 1,000', request: list('page=50') },
  { name: 'list, of one kind of action', request: list('action=static') },
  { name: 'list, a word of every row', request: list('search=example') },
  { name: 'list, a word of very few', request: (_n, account) => ({ path: `/evidences/?search=page%20${String(account)}` }) },
  {
    name: 'sign in',
    request: (n) => ({ path: '/rest-auth/login/', body: JSON.stringify({ email: addressOf(n), password, remember_me: true }) }),
  },
]
/** @param account whose calls client `n` makes */
async function probant(name: string, databaseUrl: string, account: (n: number) => number): Promise<Place> {
  const none = Object.fromEntries(outside.map((setting) => [`PROBANT_${setting}`, 'none']))
  const env = { ...process.env, ...none, DATABASE_URL: databaseUrl, PORT: '0', PROBANT_DATA: join(dataDir, name) }
  const role = superviseRole('web', env, silentLog)
  const { port = 0 } = await role.ready
  const request: Place['request'] = (call, n) => {
    const { path, body } = call.request(n, account(n))
    if (body !== undefined) return { method: 'POST', path, body, headers: { 'content-type': 'application/json' } }
    return {
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${account(n) === 0 ? tokenOf(0, n) : tokenOf(account(n), 0)}` },
    }
  }
  return { name, port, request, stop: async () => await role.stop() }
}

/** Answers what `like` answered to its first client, and verifies passwords. */
async function bare(like: Place): Promise<Place> {
  const answers: Record<string, unknown> = {}
  for (const [i, call] of calls.entries()) {
    const { method, path, headers } = like.request(call, 0)
    if (method === 'POST') continue
    const answer = await fetch(`http://127.0.0.1:${String(like.port)}${path}`, { headers })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${String(answer.status)} ${body}`)
    console.error(`${call.name}: ${String(body.length)} characters`)
    answers[`/${String(i)}`] = JSON.parse(body) as unknown
  }
  const file = fileURLToPath(new URL('./serve-bare.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(`${JSON.stringify(answers)}\n`)
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    name: 'bare',
    port: Number(port),
    request: (call, n) => {
      const { method, path, headers, body } = like.request(call, n)
      return method === 'POST'
        ? { method, path: '/login', headers, body: body ?? '' }
        : { method, path: `/${String(calls.indexOf(call))}`, headers: { authorization: headers['authorization'] ?? path } }
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

type Measured = { readonly perSecond: number; readonly p50: number; readonly p99: number }

async function load(place: Place, call: Call, duration: number): Promise<Measured> {
  let n = 0
  const {
    requests,
    duration: took,
    latency,
    errors,
    timeouts,
    non2xx,
  } = await autocannon({
    url: `http://127.0.0.1:${String(place.port)}`,
    connections: clients,
    duration,
    setupClient: (client) => client.setRequests([place.request(call, n++ % clients)]),
  })
  if (errors + timeouts + non2xx > 0)
    throw new Error(
      `${place.name}, ${call.name}: ${String(errors)} errors, ${String(timeouts)} timeouts, ${String(non2xx)} refused`,
    )
  return { perSecond: requests.total / took, p50: latency.p50, p99: latency.p99 }
}

const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { fsync: 'off', synchronous_commit: 'off' } })
const places: Place[] = []
try {
  for (const [name, rows, owned] of [
    ['few', 1_000, 'all'],
    ['many', most, 'spread'],
    ['own', most, 'all'],
  ] as const) {
    const url = urlOfDatabase(postgres.url, `bench_${name}`)
    const admin = openDatabase(postgres.url, { max: 1, log: silentLog })
    await sql`create database ${sql.ref(`bench_${name}`)}`.execute(admin)
    await admin.destroy()
    await migrate(url)
    const db = openDatabase(url, { max: 1, log: silentLog })
    await fillEvidences(db, rows, owned)
    await fillAccounts(db, clients)
    await db.destroy()
    console.error(`${name}: ${String(rows)} rows`)
    places.push(await probant(name, url, owned === 'spread' ? (n) => n : () => 0))
  }
  const [few] = places
  if (few !== undefined) places.unshift(await bare(few))

  const measured = new Map<string, Measured[]>()
  for (const call of calls)
    for (let round = 0; round <= rounds; round += 1)
      for (const place of places) {
        const found = await load(place, call, seconds)
        console.error(
          `${call.name}, ${place.name}: ${found.perSecond.toFixed(1)}/s, ${String(found.p50)}, ${String(found.p99)} ms`,
        )
        const key = `${call.name}/${place.name}`
        // The first one warms what every later one finds warm.
        if (round > 0) measured.set(key, [...(measured.get(key) ?? []), found])
      }
  const of = (call: Call, place: string, what: keyof Measured) =>
    median((measured.get(`${call.name}/${place}`) ?? []).map((each) => each[what]))
  const facts = (call: Call, place: string) =>
    `${of(call, place, 'perSecond').toFixed(0)}/s, ${of(call, place, 'p50').toFixed(0)} and ${of(call, place, 'p99').toFixed(0)} ms`
  const ratio = (call: Call, place: string, beside: string) =>
    (['perSecond', 'p50', 'p99'] as const)
      .map((what) => `×${(of(call, place, what) / of(call, beside, what)).toFixed(2)}`)
      .join(', ')
  const million = String(most)
  console.log(
    `| requests a second, p50, p99 | bare | 1,000 rows | beside bare | ${million} rows of 1,000 accounts | ${million} rows of one |`,
  )
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const call of calls) {
    const cells = [
      facts(call, 'bare'),
      facts(call, 'few'),
      ratio(call, 'few', 'bare'),
      ratio(call, 'many', 'few'),
      ratio(call, 'own', 'few'),
    ]
    console.log(`| ${[call.name, ...cells].join(' | ')} |`)
  }
} finally {
  for (const place of places) await place.stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
