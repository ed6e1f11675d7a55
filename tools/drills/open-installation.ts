/** An installation of several machines for drills: a database, an S3-compatible store, web processes, workers and capture machines that joined. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import S3rver from 's3rver'
import { openDatabase } from '../../platform/db/database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { silentLog } from '../../platform/log/log.ts'
import { haveAccount } from '../../testing/accounts.ts'
import { inheritMachine } from '../../testing/known-machine.ts'
import { addAddress, openSession } from '../../testing/signed-in.ts'
import { addStandby, databaseAt, failOver, runDatabase, type DatabaseMachine } from './add-standby.ts'
import { openNetwork, type Machine, type Network } from './open-network.ts'
import { until } from './until.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bucket = 'drill'
const port = 8080

export type Held = { readonly id: string; readonly token: string }

export type DrillInstallation = {
  readonly network: Network
  /** That which is the primary now. */
  database(): Machine
  readonly databaseUrl: string
  /** One that has each commit before who asked for it hears of it. @returns what makes it the primary; then what it and the one before have */
  addStandby(name: string): Promise<{ failOver(): Promise<void>; readonly before: DatabaseMachine }>
  /** Of the site whose pages come after `waitMs`; `/clock` at once, and changes twice a second. */
  readonly site: string
  addWeb(name: string): Machine
  addWorker(name: string): Machine
  /** Joined by an invitation, unless it is the first. */
  addCapture(name: string, also?: Readonly<Record<string, string>>): Machine
  ask(web: Machine): Promise<Held>
  /** A live session on `/clock`. */
  beginLive(web: Machine): Promise<Held>
  originOf(web: Machine): string
  /** Of the account that asks for all. */
  readonly session: string
  /** The address of the database, from a machine that may still think that it is its own. */
  takeFrom(machine: Machine): void
  /** At the address of the database, unless another one is told. */
  query<Row extends object>(sql: string, values?: readonly unknown[], url?: string): Promise<Row[]>
  close(): Promise<void>
}

/** A page that comes after a third of the time, and its image after the rest: a capture waits 15 s for the one and 30 s for the other at most. */
async function startSlowSite(host: string, waitMs: number): Promise<{ readonly server: Server; readonly port: number }> {
  const page = `<!doctype html><title>Slow</title><h1>It came</h1><p>${'This page was waited for. '.repeat(60)}</p><img src="/image.svg" alt="A square">`
  const image =
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="teal"/></svg>'
  const clock = `<!doctype html><title>Clock</title><h1 id="now">0</h1><script>let n = 0; setInterval(() => { document.getElementById('now').textContent = String(n += 1) }, 500)</script>`
  const answers = new Map([
    ['/page', { after: waitMs / 3, type: 'text/html; charset=utf-8', body: page }],
    ['/clock', { after: 0, type: 'text/html; charset=utf-8', body: clock }],
    ['/image.svg', { after: (waitMs * 2) / 3, type: 'image/svg+xml', body: image }],
  ])
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '')
    if (answer === undefined) return void response.writeHead(404).end()
    setTimeout(() => response.setHeader('content-type', answer.type).end(answer.body), answer.after)
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

/** Somebody with an account may ask for several at a time. @returns the token of his session */
async function haveSession(databaseUrl: string): Promise<string> {
  const db = openDatabase(databaseUrl, { max: 1, log: silentLog })
  try {
    const now = new Date()
    const id = await haveAccount(db)
    await addAddress(db, now, id, 'drill@example.org', { primary: true })
    return await openSession(db, now, id)
  } finally {
    await db.destroy()
  }
}

export async function openDrillInstallation(tag: string, subnet: string, waitMs: number): Promise<DrillInstallation> {
  const folder = mkdtempSync(join(tmpdir(), `probant-${tag}-`))
  const network = openNetwork(tag, subnet)
  const site = await startSlowSite(network.host, waitMs)
  const store = new S3rver({
    port: 0,
    address: network.host,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port: storePort } = await store.run()
  const machines = `${subnet}.0/24`
  // Where the database is, whichever machine it is on.
  const address = `${subnet}.200`
  let primary = databaseAt(network.add('db'), join(folder, 'db'))
  primary.machine.takeAddress(address)
  runDatabase(primary, machines)
  const databaseUrl = `postgresql://probant@${address}:5432/probant`
  await until('the database', async () => {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return true
    } finally {
      await client.end().catch(() => undefined)
    }
  })
  await migrate(databaseUrl)
  const token = await haveSession(databaseUrl)
  const common = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    PROBANT_HOST: '0.0.0.0',
    PROBANT_BLOBS: 's3',
    S3_ENDPOINT: `http://${network.host}:${String(storePort)}`,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    PROBANT_SECRET: randomBytes(32).toString('hex'),
    PROBANT_MASTER_KEY: randomBytes(32).toString('base64'),
    PROBANT_ALLOW_ADDRESSES: `${network.host}:${String(site.port)}`,
    PROBANT_NTP_SERVERS: 'none',
    PROBANT_STUN_SERVERS: 'none',
    PROBANT_RDAP_BOOTSTRAP: 'none',
    PROBANT_WHOIS_SERVER: 'none',
    PROBANT_OTS_CALENDARS: 'none',
    PROBANT_ESPLORA: 'none',
    PROBANT_SAMPLE: 'off',
    PROBANT_BILLING: 'off',
    PROBANT_WARM_BROWSERS: '0',
    PROBANT_WARM_SESSIONS: '0',
    PROBANT_INTERACTIVE_SESSIONS: '0',
    PROBANT_INTERACTIVE_PER_ACCOUNT: '0',
    PROBANT_INTERACTIVE_PER_ADDRESS: '0',
    PROBANT_CAPTURE_CONCURRENCY: '1',
    PROBANT_DRAFTS_PER_ACCOUNT: '0',
    PROBANT_TARGET_AT_ONCE: '0',
    PROBANT_TARGET_PER_MINUTE: '0',
  }
  const serve = (role: string) => [process.execPath, join(root, 'apps/server/serve.ts'), '--role', role]
  const probant = (...argv: string[]) => [process.execPath, join(root, 'apps/cli/probant.ts'), ...argv]
  let captures = 0

  function addMachine(name: string, also: Readonly<Record<string, string>> = {}) {
    const machine = network.add(name)
    const data = join(folder, name)
    mkdirSync(data, { recursive: true })
    inheritMachine(data)
    const env: NodeJS.ProcessEnv = { ...common, PROBANT_DATA: data, PROBANT_PUBLIC_URL: originOf(machine), ...also }
    return { machine, env }
  }

  const origin = `http://${network.host}:${String(site.port)}`
  const originOf = (web: Machine) => `http://${web.address}:${String(port)}`
  async function ask(web: Machine, what: { readonly action: 'static' | 'interactive'; readonly url: string }): Promise<Held> {
    const answer = await fetch(`${originOf(web)}/evidences/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...what, locale: 'en' }),
      signal: AbortSignal.timeout(15_000),
    })
    if (!answer.ok) throw new Error(`POST /evidences/: ${String(answer.status)} ${await answer.text()}`)
    const body = (await answer.json()) as { evidence: { id: string }; evidence_token: string }
    return { id: body.evidence.id, token: body.evidence_token }
  }

  return {
    network,
    database: () => primary.machine,
    databaseUrl,
    async addStandby(name) {
      const before = primary
      const standby = databaseAt(network.add(name), join(folder, name))
      await addStandby(before, standby, machines)
      return {
        before,
        async failOver() {
          await failOver(before, standby, address)
          primary = standby
        },
      }
    },
    site: origin,
    addWeb(name) {
      const { machine, env } = addMachine(name)
      machine.run(serve('web'), env)
      return machine
    },
    addWorker(name) {
      const { machine, env } = addMachine(name)
      machine.run(serve('worker'), env)
      return machine
    },
    addCapture(name, also) {
      const { machine, env } = addMachine(name, { PROBANT_SERVER_ID: name, PROBANT_LIVE_LISTEN: '0.0.0.0:9500', ...also })
      env['PROBANT_LIVE_ADDRESS'] = `${machine.address}:9500`
      const read = (text: string) => JSON.parse(text) as { token: string }
      // The first one joins by itself.
      if (captures > 0) {
        const { token } = read(machine.command(probant('server', 'invite'), env))
        machine.command(probant('server', 'join', token), env)
      }
      captures += 1
      machine.run(serve('capture'), env)
      return machine
    },
    ask: async (web) => await ask(web, { action: 'static', url: `${origin}/page` }),
    beginLive: async (web) => await ask(web, { action: 'interactive', url: `${origin}/clock` }),
    originOf,
    session: token,
    takeFrom: (machine) => machine.giveAddress(address),
    async query<Row extends object>(sql: string, values: readonly unknown[] = [], url = databaseUrl) {
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 5_000 })
      client.on('error', () => undefined)
      try {
        await client.connect()
        return (await client.query<Row>(sql, [...values])).rows
      } finally {
        await client.end().catch(() => undefined)
      }
    },
    async close() {
      await network.close()
      await store.close()
      site.server.closeAllConnections()
      await new Promise((resolve) => site.server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
