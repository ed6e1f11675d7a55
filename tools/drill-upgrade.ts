/**
 * `npm run drill:upgrade`: the version before works under load; the new one migrates the database beside it, starts, works at its side and alone; then the
 * version before comes back onto the database as it is, and is refused once the new one has contracted. Deposits, what is read of them, and pages are the
 * load; every answer of every stage is compared with the right one. Then processes that migrate are killed at random. Prints its figures.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { listMigrations, migrate, migrationsFolder } from '../platform/db/migrate.ts'
import { readQueue } from '../platform/jobs/queue-store.ts'
import { silentLog } from '../platform/log/log.ts'
import { haveAccount } from '../testing/accounts.ts'
import { urlOfDatabase } from '../testing/database-url.ts'
import { freePort } from '../testing/free-port.ts'
import { placeOf, startMigrating } from '../testing/migrations/kill-migrations.ts'
import { addAddress, openSession } from '../testing/signed-in.ts'
import { until } from './drills/until.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()
const newestMigration = readdirSync(migrationsFolder).toSorted().at(-1) ?? ''
/** The newest commit that has not got the newest migration. */
function versionBefore(): string {
  const brought = git('log', '--diff-filter=A', '--format=%H', '-1', '--', `db/migrations/${newestMigration}`)
  const since = new Set([brought, ...git('rev-list', '--ancestry-path', `${brought}..HEAD`).split('\n')])
  return (
    git('rev-list', '--date-order', 'HEAD')
      .split('\n')
      .find((each) => !since.has(each)) ?? ''
  )
}
const commit = process.argv[2] ?? versionBefore()
const stageMs = Number(process.argv[3] ?? 20) * 1000
const kills = Number(process.argv[4] ?? 10)
const clients = 8
/** A visitor looks at what came before he asks for the next; an account may not call without end. */
const lookMs = 200
const folder = mkdtempSync(join(tmpdir(), 'probant-upgrade-'))
const older = join(folder, 'older')
const children = new Set<ChildProcess>()
const say = (text: string) => void process.stdout.write(`${text}\n`)

type Role = { readonly port: number; stop(): Promise<void> }

/** @throws Error with what it said when it does not start */
async function start(tree: string, role: 'web' | 'worker', databaseUrl: string): Promise<Role> {
  const port = await freePort()
  const program = join(tree, 'apps/server/serve.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, '--role', role], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      PROBANT_DATA: join(folder, 'data'),
      PORT: String(port),
      PROBANT_PUBLIC_URL: `http://localhost:${String(port)}`,
      PROBANT_SAMPLE: 'off',
      PROBANT_BILLING: 'off',
      PROBANT_OTS_CALENDARS: 'none',
      PROBANT_DRAFTS_PER_ACCOUNT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  children.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ready = await Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)])
  if (!ready) {
    children.delete(child)
    throw new Error(said)
  }
  return {
    port,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      children.delete(child)
    },
  }
}

type Counts = Map<string, number>
/** Deposits that were accepted, and their fingerprints. */
const accepted = new Map<string, string>()

/** One visitor: deposits a fingerprint, agrees to it, reads it, his list and two pages. Each answer that is not the right one is counted by what it is. */
async function visit(ports: readonly number[], token: string, counts: Counts): Promise<void> {
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const call = async (path: string, isRight: (status: number, text: string) => boolean, method = 'GET', body?: object) => {
    const named = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id')}`
    try {
      const answer = await fetch(`http://127.0.0.1:${String(ports[randomInt(ports.length)])}${path}`, {
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      const right = isRight(answer.status, text)
      count(right ? 'right' : `${named}: ${String(answer.status)} ${text.slice(0, 200)}`)
      return right ? text : null
    } catch (error) {
      count(`${named}: ${String(error instanceof Error ? (error.cause ?? error) : error)}`)
      return null
    }
  }
  const sha256 = createHash('sha256').update(randomBytes(16)).digest('hex')
  const isIt = (right: number) => (status: number, text: string) =>
    status === right && (JSON.parse(text) as { sha256: string }).sha256 === sha256
  const deposited = await call('/documents/', isIt(201), 'POST', { sha256 })
  if (deposited !== null) {
    const { id } = JSON.parse(deposited) as { id: string }
    accepted.set(id, sha256)
    await call(`/documents/${id}/`, isIt(200), 'PATCH', { agree: true })
    await call(`/documents/${id}/`, isIt(200))
  }
  const lists = (status: number, text: string) => status === 200 && (deposited === null || text.includes(sha256))
  await call('/documents/', lists)
  await call('/en/', (status, text) => status === 200 && text.includes('<html lang="en"'))
  await call('/health/', (status) => status === 200)
  await wait(lookMs)
}

const visitors: string[] = []

/** @throws Error with the answers that were not right */
async function load(
  stage: string,
  roles: readonly (Role | undefined)[],
  meanwhile: () => Promise<unknown> = async () => await wait(stageMs),
): Promise<void> {
  const counts: Counts = new Map()
  const ports = roles.flatMap((role) => (role === undefined ? [] : [role.port]))
  const over = new AbortController()
  const all = visitors.map(async (token) => {
    while (!over.signal.aborted) await visit(ports, token, counts)
  })
  const began = performance.now()
  try {
    await meanwhile()
  } finally {
    over.abort()
    await Promise.all(all)
  }
  const seconds = (performance.now() - began) / 1000
  const wrong = [...counts].filter(([what]) => what !== 'right')
  const others = wrong.reduce((sum, [, n]) => sum + n, 0)
  say(
    `${others === 0 ? 'ok ' : 'NOT SO'} ${stage}: ${String(counts.get('right') ?? 0)} right answers in ${seconds.toFixed(1)} s, ${String(others)} others; load ${loadavg()[0]?.toFixed(1) ?? ''}`,
  )
  if (others > 0) throw new Error(wrong.map(([what, n]) => `${String(n)} × ${what}`).join('\n'))
}

async function haveVisitors(url: string): Promise<void> {
  const db = openDatabase(url, { max: 1, log: silentLog })
  try {
    for (let i = 0; i < clients; i += 1) {
      const id = await haveAccount(db)
      await addAddress(db, new Date(), id, `drill${String(i)}@example.org`, { primary: true })
      visitors.push(await openSession(db, new Date(), id))
    }
  } finally {
    await db.destroy()
  }
}

async function depositsOf(url: string): Promise<{ id: string; sha256: string; sealed: boolean }[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; sha256: string; sealed: boolean }>(
      `select id, encode(sha256, 'hex') as sha256, sealed_at is not null as sealed from document`,
    )
    return rows
  } finally {
    await client.end()
  }
}

/** What still waits, for whoever looks into why. */
async function sayQueue(url: string): Promise<void> {
  const db = openDatabase(url, { max: 1, log: silentLog })
  try {
    for (const each of await readQueue(db)) say(`    waits: ${JSON.stringify(each)}`)
  } finally {
    await db.destroy()
  }
}

/** Migrations as later versions bring them: one adds, and one takes away what the version before it cannot be without. */
function writeLater(name: string, text: string): string {
  const later = join(folder, 'migrations')
  if (!existsSync(later)) cpSync(migrationsFolder, later, { recursive: true })
  writeFileSync(join(later, name), text)
  return later
}
const expanding = '9998_drill.sql'

/** What a version says that does not start. */
async function refusalOf(tree: string, url: string): Promise<string> {
  try {
    await (await start(tree, 'web', url)).stop()
    return 'it started'
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return /the database was migrated by [^"\n\\]*/.exec(said)?.[0] ?? said
  }
}

async function goForwardAndBack(url: string): Promise<void> {
  const first = [await start(older, 'web', url), await start(older, 'worker', url)]
  await load('the version before alone', [first[0]])
  let applied: string[] = []
  await load('while the database is migrated', [first[0]], async () => {
    applied = await migrate(url)
    await wait(stageMs / 4)
  })
  say(`    applied: ${applied.length === 0 ? 'none' : applied.join(', ')}`)
  const second: Role[] = []
  await load('while the new version starts', [first[0]], async () => {
    second.push(await start(root, 'web', url), await start(root, 'worker', url))
  })
  await load('both at once', [first[0], second[0]])
  await load('while the version before stops', [second[0]], async () => {
    for (const role of first) await role.stop()
  })
  await load('the new version alone', [second[0]])
  const third: Role[] = []
  await load('while the version before comes back', [second[0]], async () => {
    third.push(await start(older, 'web', url), await start(older, 'worker', url))
  })
  await load('both at once again', [second[0], third[0]])
  await load('while the version before stops again', [second[0]], async () => {
    for (const role of third.splice(0)) await role.stop()
  })
  const text = `create table drill_later (id uuid primary key);\nalter table document add column drill_later text;\n`
  await load('while a later version migrates', [second[0]], async () => {
    await migrate(url, writeLater(expanding, text))
    await wait(stageMs / 4)
  })
  await load('while this one starts on the database of a later one', [second[0]], async () => {
    third.push(await start(root, 'web', url), await start(root, 'worker', url))
  })
  await load('while those that were there before stop', [third[0]], async () => {
    for (const role of second) await role.stop()
  })
  await load('on the database of a later one', [third[0]])
  const contracting = `-- contracts: ${expanding}\nalter table document drop column drill_later;\n`
  await load('while a version after that contracts', [third[0]], async () => {
    await migrate(url, writeLater('9999_drill.sql', contracting))
    await wait(stageMs / 4)
  })
  const refusal = await refusalOf(root, url)
  const isRefused = refusal.endsWith(`needs a version that has ${expanding}`)
  say(`${isRefused ? 'ok ' : 'NOT SO'} on what was contracted this one does not start: ${refusal}`)
  if (!isRefused) process.exitCode = 1
  const toSeal = async () => (await depositsOf(url)).filter(({ sealed }) => !sealed).length
  // A busy machine takes deposits faster than it seals them.
  await until('the seal of each deposit', async () => (await toSeal()) === 0, 1_800_000).catch(async (error: unknown) => {
    say(`NOT SO ${String(await toSeal())} deposits of ${String(accepted.size)} wait for their seal`)
    await sayQueue(url)
    throw error
  })
  const there = await depositsOf(url)
  const isWhole = there.length === accepted.size && there.every(({ id, sha256 }) => accepted.get(id) === sha256)
  say(
    `${isWhole ? 'ok ' : 'NOT SO'} ${String(accepted.size)} deposits were accepted; ${String(there.length)} are there, each sealed`,
  )
  if (!isWhole) process.exitCode = 1
  for (const role of third) await role.stop()
}

async function drill(): Promise<void> {
  git('worktree', 'add', '--quiet', '--detach', older, commit)
  const lock = (tree: string) => readFileSync(join(tree, 'package-lock.json'), 'utf8')
  if (lock(older) === lock(root)) symlinkSync(join(root, 'node_modules'), join(older, 'node_modules'))
  say(`    the version before: ${git('log', '-1', '--format=%h %s', commit)}`)
  // Its own set-up brings the packages of its own lock file, where these are others.
  const own = (name: string) => JSON.stringify(join(older, 'tools', name))
  const building = `const { setUp } = await import(${own('set-up.mjs')}); setUp({ tests: false }); (await import(${own('build.mjs')})).build()`
  const built = spawnSync(process.execPath, ['--input-type=module', '-e', building], {
    cwd: older,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (built.status !== 0) throw new Error('the version before cannot be built')
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: silentLog })
  try {
    const make = async () => {
      const name = `drill_${randomUUID().replaceAll('-', '')}`
      const client = new Client({ connectionString: urlOfDatabase(postgres.url, 'postgres') })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return { url: urlOfDatabase(postgres.url, name) }
    }
    const { url } = await make()
    const migrateOlder = `const { migrate } = await import('${join(older, 'platform/db/migrate.ts')}'); await migrate(process.env.DATABASE_URL)`
    const migrated = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', migrateOlder],
      { env: { PATH: process.env['PATH'], DATABASE_URL: url }, stdio: ['ignore', 'ignore', 'inherit'] },
    )
    if (migrated.status !== 0) throw new Error('the version before does not migrate')
    await haveVisitors(url)
    await goForwardAndBack(url)

    const all = (await listMigrations()).length
    const places: number[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      const empty = await make()
      const killed = startMigrating(empty.url)
      await killed.after(randomInt(all))
      await wait(randomInt(20))
      await killed.kill()
      places.push(await placeOf(empty.url, make))
      const codes = await Promise.all([startMigrating(empty.url).ended, startMigrating(empty.url).ended])
      if (codes.some((code) => code !== 0) || (await placeOf(empty.url, make)) !== all)
        throw new Error(`killed after ${String(places.at(-1))}: not completed`)
    }
    say(
      `ok  killed ${String(kills)} times while migrating, after ${places.join(', ')} of ${String(all)} migrations: each completed by two at once`,
    )
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await postgres.stop()
  }
}

try {
  await drill()
} finally {
  spawnSync('git', ['-C', root, 'worktree', 'remove', '--force', older])
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}
