/** Two web and two capture processes of their own, killed in mid-session; the browser is scripted, everything else is real. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { liveClose } from '../../../live/server/index.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { findSession } from '../../../live/server/doors/session-store.ts'
import { viewerOf } from '../../../live/server/doors/scripted-session.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-kills-'))
const program = fileURLToPath(new URL('./live-process.test-program.ts', import.meta.url))
const patience = { timeout: 120_000, interval: 20 }
const welcomed = (message: { type: string }) => message.type === 'welcome'

type Process = { readonly child: ChildProcess; readonly address: string; readonly server: string | undefined }
const processes: Process[] = []

async function start(...args: readonly string[]): Promise<Process> {
  const [role = '', server] = args
  const child = spawn(process.execPath, [program, role, database.url, folder, server ?? ''], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [message] = (await once(child, 'message')) as [{ address: string }]
  const started = { child, address: message.address, server }
  processes.push(started)
  return started
}

let webs: readonly [Process, Process]

beforeAll(async () => {
  const all = await Promise.all([start('web'), start('web'), start('capture', 'paris'), start('capture', 'berlin')])
  webs = [all[0], all[1]]
})

afterAll(async () => {
  for (const { child } of processes) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

type Held = { readonly id: string; readonly token: string }
async function call<T>(web: Process, method: string, path: string, options: { token?: string; body?: unknown } = {}): Promise<T> {
  const response = await fetch(`${web.address}${path}`, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { 'x-evidence-token': options.token }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  if (!response.ok) throw new Error(`${path} ${String(response.status)} ${await response.text()}`)
  return (await response.json()) as T
}
const read = async (web: Process, { id, token }: Held) => await call<Evidence>(web, 'GET', `/evidences/${id}/`, { token })
const statusIs = async (web: Process, held: Held, status: Evidence['status']) =>
  await vi.waitUntil(async () => (await read(web, held)).status === status, patience)

async function begin(web: Process, server?: string): Promise<Held> {
  const body = { url: 'https://example.org/', action: 'interactive', locale: 'en', ...(server === undefined ? {} : { server }) }
  const made = await call<{ evidence: Evidence; evidence_token: string }>(web, 'POST', '/evidences/', { body })
  const held = { id: made.evidence.id, token: made.evidence_token }
  await statusIs(web, held, 'capturing')
  return held
}

async function joinSession(web: Process, { id, token }: Held) {
  await vi.waitUntil(async () => (await findSession(database.db, id)) !== null, patience)
  const { ticket } = await call<{ ticket: string }>(web, 'POST', `/evidences/${id}/live_ticket/`, { token, body: {} })
  const viewer = viewerOf(web.address, ticket)
  await viewer.until(welcomed)
  return viewer
}

/** The process that has the session. */
async function holderOf({ id }: Held): Promise<Process> {
  const door = await findSession(database.db, id)
  const found = processes.find(({ address }) => address === door?.address)
  if (found === undefined) throw new Error('nobody has the session')
  return found
}

async function kill({ child }: Process): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Sooner than the twenty seconds that a starved process is given here. */
async function endLeases({ id }: Held): Promise<void> {
  await sql`update evidence set lease_until = clock_timestamp() - interval '1 second' where id = ${id}::uuid`.execute(database.db)
}

const says = (text: string) => (message: { type: string; tabs?: readonly { title: string }[] }) =>
  message.type === 'tabs' && message.tabs?.[0]?.title === text

test('the viewer is killed: the session goes on, and another viewer finds it as it was', async () => {
  const held = await begin(webs[0])
  const viewer = await joinSession(webs[0], held)
  viewer.socket.terminate()
  const again = await joinSession(webs[1], held)
  again.send({ type: 'text', text: 'here again' })
  await again.until(says('here again'))
  again.send({ type: 'quit' })
  expect((await again.closed).code).toBe(liveClose.ended)
  await statusIs(webs[1], held, 'completing')
})

test('a capture process that is stopped past its lease changes nothing when it comes back', async () => {
  const held = await begin(webs[0])
  const viewer = await joinSession(webs[0], held)
  const holder = await holderOf(held)
  holder.child.kill('SIGSTOP')
  await endLeases(held)
  await statusIs(webs[1], held, 'failed')
  holder.child.kill('SIGCONT')
  expect((await viewer.closed).code).toBe(liveClose.lost)
  const after = await read(webs[1], held)
  expect([after.status, after.failure?.code]).toEqual(['failed', 'session_lost'])
})

test('the capture process is killed: its viewers are told, the session is lost by name, nothing is kept, a retry is free', async () => {
  const held = await begin(webs[0])
  const viewer = await joinSession(webs[0], held)
  const holder = await holderOf(held)
  const other = await begin(webs[1], holder.server === 'paris' ? 'berlin' : 'paris')
  await kill(holder)
  expect((await viewer.closed).code).toBe(liveClose.lost)
  await endLeases(held)
  await statusIs(webs[0], held, 'failed')
  const failed = await read(webs[1], held)
  expect(failed).toMatchObject({ failure: { code: 'session_lost' }, live: null, preview: null, seal: null })
  for (const table of ['evidence_file', 'live_session', 'seal'] as const) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where evidence_id = ${held.id}::uuid`.execute(database.db)
    expect(rows).toEqual([])
  }
  const retried = await call<Evidence>(webs[0], 'POST', `/evidences/${held.id}/retry/`, { token: held.token })
  const next = { id: retried.id, token: held.token }
  await statusIs(webs[0], next, 'capturing')
  const again = await joinSession(webs[0], next)
  again.send({ type: 'quit' })
  await statusIs(webs[0], next, 'completing')
  // The session of the other process has noticed nothing.
  const unharmed = await joinSession(webs[1], other)
  unharmed.send({ type: 'text', text: 'unharmed' })
  await unharmed.until(says('unharmed'))
})

test('the web process is killed: its viewers come back through the other one, into the same session', async () => {
  const held = await begin(webs[0])
  const viewer = await joinSession(webs[0], held)
  const door = await findSession(database.db, held.id)
  await kill(webs[0])
  // RFC 6455 §7.1.5: gone without a word.
  expect((await viewer.closed).code).toBe(1006)
  const again = await joinSession(webs[1], held)
  again.send({ type: 'text', text: 'through the other' })
  await again.until(says('through the other'))
  expect(await findSession(database.db, held.id)).toEqual(door)
  await call(webs[1], 'POST', `/evidences/${held.id}/quit_interactivity/`, { token: held.token })
  await statusIs(webs[1], held, 'completing')
})
