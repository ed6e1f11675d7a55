import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { claimNext, closeCapture, failUnserved, releaseServer, renewLease } from '../../../evidence/server/queue/lease-store.ts'
import { insertEvidence } from '../../../evidence/server/record/store.ts'
import { drainServer, inviteServer, joinServer, registerMachine, removeServer } from './change-machine.ts'
import { machineKey } from './machine-key.ts'
import { deleteRoleProcess, keepRoleProcess, pageRoleProcesses } from './machine-store.ts'
import { findServerState, listServerStates } from './servers-store.ts'

const database = withDatabase()
/** The machine that is asked is minutes off: what is valid is by the clock of the database. */
const clockOff = (minutes: number) => ({ now: () => new Date(Date.now() + minutes * 60_000) })
const depsOff = (minutes: number) => ({ db: database.db, clock: clockOff(minutes), releaseServer })
let deps: ReturnType<typeof depsOff>
const identity = (id: string) => ({ id, name: `Server ${id}`, country: null, city: null, kind: 'public' as const })
const key = () => randomBytes(44)

beforeEach(async () => {
  deps = depsOff(0)
  await sql`truncate evidence, capture_server, server_invitation, role_process cascade`.execute(database.db)
})

const ask = async (options: { askedServer?: string; action?: 'static' | 'interactive' } = {}) =>
  (
    await insertEvidence(database.db, {
      id: randomUUIDv7(),
      tokenHash: randomBytes(32),
      action: options.action ?? 'static',
      requestedUrl: 'https://example.org/',
      locale: 'en',
      now: new Date(),
      ...(options.askedServer === undefined ? {} : { askedServer: options.askedServer }),
    })
  ).id
const rowOf = async (id: string) =>
  await database.db
    .selectFrom('evidence')
    .select(['status', 'attempts', sql<string | null>`failure ->> 'code'`.as('code')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const acts = async () =>
  (
    await sql<{ action: string }>`select action from act where subject_type = 'server' order by number desc limit 3`.execute(
      database.db,
    )
  ).rows.map(({ action }) => action)

test('a drained server takes nothing new and finishes what it has; undone, it takes what waits', async () => {
  const server = await haveServer(database.db, 'draining', { capacity: 4 })
  await ask()
  const running = await claimNext(database.db, server, 60)
  await drainServer(deps, null, 'draining', true)
  const [automatic, named] = [await ask(), await ask({ askedServer: 'draining' })]
  expect(await claimNext(database.db, server, 60)).toBeNull()
  expect(await findServerState(database.db, 'draining')).toMatchObject({
    status: 'drained',
    running: 1,
    drainedAt: expect.any(Date) as Date,
  })
  expect(await renewLease(database.db, running?.id ?? '', running?.fence ?? 0, 60)).toBe(true)
  const failure = { code: 'internal', data: {} } as const
  const closed = await database.db.transaction().execute(
    async (tx) =>
      await closeCapture(tx, running?.id ?? '', running?.fence ?? 0, {
        status: 'failed',
        failure,
        expiresAt: new Date(Date.now() + 60_000),
      }),
  )
  expect(closed).toBe(true)
  // A wait for it is bounded like that for any server that is not ready.
  expect(await failUnserved(database.db, 600)).toEqual([])
  await sql`update capture_server set drained_at = drained_at - interval '1 hour'`.execute(database.db)
  await sql`update evidence set queued_at = queued_at - interval '1 hour' where id = ${named}`.execute(database.db)
  expect(await failUnserved(database.db, 600)).toEqual([named])
  await drainServer(deps, null, 'draining', true)
  await drainServer(deps, null, 'draining', false)
  await drainServer(deps, null, 'draining', false)
  expect((await claimNext(database.db, server, 60))?.id).toBe(automatic)
  // Said twice, it is one act.
  expect((await acts()).slice(0, 2)).toEqual(['capture.resumed_server', 'capture.drained_server'])
})

test('what a removed server has goes to others; a session that is used is lost; what waits for it by name ends; what it still writes is refused', async () => {
  const server = await haveServer(database.db, 'going', { capacity: 4 })
  const other = await haveServer(database.db, 'staying')
  const ids = [await ask(), await ask({ askedServer: 'going' }), await ask({ action: 'interactive', askedServer: 'going' })]
  const claims = [
    await claimNext(database.db, server, 60),
    await claimNext(database.db, server, 60),
    await claimNext(database.db, server, 60, 'interactive'),
  ]
  expect(new Set(claims.map((claim) => claim?.id))).toEqual(new Set(ids))
  await sql`update evidence set status = 'capturing' where id = ${ids[2] ?? ''}`.execute(database.db)
  const waiting = await ask({ askedServer: 'going' })
  expect(await removeServer(deps, null, 'going')).toEqual({ requeued: 1, lost: 1, ended: 2 })
  expect(await rowOf(ids[0] ?? '')).toEqual({ status: 'queued', attempts: 0, code: null })
  expect(await rowOf(ids[1] ?? '')).toMatchObject({ status: 'failed', code: 'no_server' })
  expect(await rowOf(ids[2] ?? '')).toMatchObject({ status: 'failed', code: 'session_lost' })
  expect(await rowOf(waiting)).toMatchObject({ status: 'failed', code: 'no_server' })
  for (const claim of claims) expect(await renewLease(database.db, claim?.id ?? '', claim?.fence ?? 0, 60)).toBe(false)
  expect(await claimNext(database.db, server, 60)).toBeNull()
  expect((await listServerStates(database.db)).map(({ id }) => id)).toEqual(['staying'])
  expect((await claimNext(database.db, other, 60))?.id).toBe(ids[0])
  await expect(removeServer(deps, null, 'going')).rejects.toMatchObject({ code: 'capture.server_unknown' })
  await expect(drainServer(deps, null, 'nowhere', true)).rejects.toMatchObject({ code: 'capture.server_unknown' })
  expect((await acts())[0]).toBe('capture.removed_server')
})

test('the first machine joins by itself, each other one by an invitation that is good once, for an hour of the database, whatever the machines’ clocks say', async () => {
  const [first, second, third] = [key(), key(), key()]
  expect(await registerMachine(depsOff(-10), identity('first'), first)).toBe(true)
  expect(await registerMachine(depsOff(10), identity('second'), second)).toBe(false)
  const { server } = await haveServer(database.db, 'second')
  await ask()
  expect(await claimNext(database.db, { owner: 'process of second', server }, 60)).toBeNull()
  const { token } = await inviteServer(depsOff(-10), null)
  await joinServer(depsOff(10), identity('second'), second, token)
  expect(await registerMachine(depsOff(10), identity('second'), second)).toBe(true)
  expect(await claimNext(database.db, { owner: 'process of second', server }, 60)).not.toBeNull()
  await expect(joinServer(deps, identity('third'), third, token)).rejects.toMatchObject({ code: 'capture.invitation_spent' })
  const late = await inviteServer(depsOff(10), null)
  await sql`update server_invitation set expires_at = clock_timestamp()`.execute(database.db)
  await expect(joinServer(depsOff(-10), identity('third'), third, late.token)).rejects.toMatchObject({
    code: 'capture.invitation_spent',
  })
  const { rows } = await sql<{
    kept: boolean
  }>`select exists (select from act where data::text like ${`%${token}%`}) as kept`.execute(database.db)
  expect(rows).toEqual([{ kept: false }])
})

test('a machine is known by its key: another one with its id is refused, and the invitation is still good', async () => {
  const [mine, theirs] = [key(), key()]
  await registerMachine(deps, identity('first'), mine)
  await expect(registerMachine(deps, identity('first'), theirs)).rejects.toThrow('another machine')
  const { token } = await inviteServer(deps, null)
  await expect(joinServer(deps, identity('first'), theirs, token)).rejects.toMatchObject({ code: 'capture.server_present' })
  await removeServer(deps, null, 'first')
  await joinServer(deps, identity('first'), theirs, token)
  expect(await registerMachine(deps, identity('first'), theirs)).toBe(true)
  // One that was there before machines had keys.
  await haveServer(database.db, 'older')
  expect(await registerMachine(deps, identity('older'), mine)).toBe(true)
  await expect(registerMachine(deps, identity('older'), theirs)).rejects.toThrow('another machine')
})

test('the key of a machine is made once, and read by nobody else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'probant-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const made = await Promise.all([machineKey(folder), machineKey(folder)])
  expect(made[0]).toHaveLength(44)
  expect(made[0]).toEqual(made[1])
  expect(await machineKey(folder)).toEqual(made[0])
  expect(statSync(join(folder, 'machine-key.pem')).mode & 0o777).toBe(0o600)
})

test('processes that have no folder in common are one capture server by the key that they were given', async () => {
  const given = (setting: string | undefined) => loadConfig({ PROBANT_SERVER_KEY: setting }).server.key
  const openssl = execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-outform', 'DER'])
  const pod = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'probant-pod-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const publicKey = await machineKey(folder, given(openssl.toString('base64')))
    expect(readdirSync(folder)).toEqual([])
    return await registerMachine(deps, identity('kubernetes'), publicKey)
  }
  expect(await Promise.all([pod(), pod(), pod()])).toEqual([true, true, true])
  await expect(registerMachine(deps, identity('kubernetes'), key())).rejects.toThrow('another machine')
  const rsa = execFileSync('openssl', ['genpkey', '-quiet', '-algorithm', 'rsa', '-outform', 'DER'])
  for (const wrong of ['none', openssl.toString('base64').slice(0, 20), rsa.toString('base64')])
    expect(() => given(wrong)).toThrow('PROBANT_SERVER_KEY must be an Ed25519 private key')
})

test('processes tell that they live by the clock of the database', async () => {
  const process = { id: randomUUID(), roles: ['web'], host: 'a', version: '0.1.0', serverId: null, loadPerCore: 0.5 }
  const silent = { ...process, id: randomUUID(), host: 'b' }
  await keepRoleProcess(database.db, { ...process, aliveSeconds: 60 })
  await keepRoleProcess(database.db, { ...silent, aliveSeconds: 0 })
  const page = await pageRoleProcesses(database.db, { limit: 10, offset: 0 })
  expect(page).toMatchObject({
    count: 2,
    rows: [
      { host: 'a', isAlive: true, loadPerCore: 0.5 },
      { host: 'b', isAlive: false },
    ],
  })
  await sql`update role_process set alive_until = clock_timestamp() - interval '2 days' where host = 'b'`.execute(database.db)
  await keepRoleProcess(database.db, { ...process, aliveSeconds: 60 })
  expect((await pageRoleProcesses(database.db, { limit: 10, offset: 0 })).rows.map(({ host }) => host)).toEqual(['a'])
  await deleteRoleProcess(database.db, process.id)
  expect((await pageRoleProcesses(database.db, { limit: 10, offset: 0 })).count).toBe(0)
})
