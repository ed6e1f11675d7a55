import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { actorOf, haveAccount, haveGroup, setMember } from '../../../../testing/accounts.ts'
import { failWithdrawn, releaseServer } from '../../../evidence/server/queue/lease-store.ts'
import { insertEvidence } from '../../../evidence/server/record/store.ts'
import type { Assignment } from '../../contract/administration.ts'
import { serverAdministrationRoutes } from './administration-routes.ts'
import { assignServer } from './assign-server.ts'
import { releaseServersOf } from './assignment-store.ts'

const database = withDatabase()
let server: Awaited<ReturnType<typeof createHttpServer>>
let administrator = ''
beforeAll(async () => {
  administrator = await haveAccount(database.db)
  server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: 's'.repeat(32),
    routes: serverAdministrationRoutes({
      db: database.db,
      clock: { now: () => new Date('2026-11-22T10:00:00Z') },
      endWithdrawn: failWithdrawn,
      releaseServer,
    }),
    health: {},
    authenticate: ({ bearer }) =>
      Promise.resolve({ ...actorOf(bearer), roles: new Set(['administrator'] as const), secondFactor: true }),
  })
})
afterAll(async () => await server.close())
beforeEach(async () => {
  await sql`truncate evidence, capture_server cascade`.execute(database.db)
})

type Answer = Assignment & { readonly code: string; readonly fields?: object }
async function call(path: string, payload?: object): Promise<{ status: number; body: Answer }> {
  const headers = { authorization: `Bearer ${administrator}` }
  const sent = payload === undefined ? ({ method: 'GET' } as const) : ({ method: 'POST', payload } as const)
  const answer = await server.inject({ ...sent, url: path, headers })
  return { status: answer.statusCode, body: answer.json<Answer>() }
}

async function company(): Promise<{ group: string; member: string }> {
  const [group, member] = [await haveGroup(database.db), await haveAccount(database.db)]
  await setMember(database.db, member, group, 'owner')
  return { group, member }
}

const waitFor = async (askedServer: string, { group, member }: { group: string; member: string }) =>
  await insertEvidence(database.db, {
    id: randomUUIDv7(),
    tokenHash: randomBytes(32),
    action: 'static',
    requestedUrl: 'https://example.org/',
    locale: 'en',
    now: new Date(),
    askedServer,
    ownership: { ownerId: member, createdBy: member, groupId: group },
  })
const acts = async () =>
  (
    await sql<{ action: string; actor_id: string | null; subject_id: string; data: object }>`
      select action, actor_id, subject_id, data from act where subject_type = 'server' order by number`.execute(database.db)
  ).rows
const statusOf = async (id: string) =>
  (await database.db.selectFrom('evidence').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

test('H-17 an administrator dedicates a server to a group, to another, to nobody; each is recorded, and what waits for it ends with it', async () => {
  const [first, second] = [await company(), await company()]
  await haveServer(database.db, 'fixed', { kind: 'dedicated' })
  const before = (await acts()).length
  const given = await call('/admin/servers/fixed/assign/', { group_id: first.group, instead_of: null })
  expect([given.status, given.body]).toMatchObject([
    200,
    { id: 'fixed', group: { id: first.group, name: 'A company' }, ended: 0 },
  ])
  const waiting = await waitFor('fixed', first)
  expect((await call('/admin/servers/')).body).toMatchObject({ count: 1, results: [{ id: 'fixed', waiting: 1 }] })
  const moved = await call('/admin/servers/fixed/assign/', { group_id: second.group, instead_of: first.group })
  expect(moved.body).toMatchObject({ group: { id: second.group }, waiting: 0, ended: 1 })
  expect(await statusOf(waiting.id)).toBe('failed')
  const theirs = await waitFor('fixed', second)
  // Said again, it changes nothing and is no act.
  expect((await call('/admin/servers/fixed/assign/', { group_id: second.group, instead_of: second.group })).body.ended).toBe(0)
  expect(await statusOf(theirs.id)).toBe('queued')
  const taken = await call('/admin/servers/fixed/unassign/', { group_id: second.group })
  expect(taken.body).toMatchObject({ group: null, ended: 1 })
  expect(await statusOf(theirs.id)).toBe('failed')
  const line = (action: string, from_group: string | null, to_group: string | null, ended: number) => ({
    action: `capture.${action}`,
    actor_id: administrator,
    subject_id: 'fixed',
    data: { from_group, to_group, ended },
  })
  expect((await acts()).slice(before)).toEqual([
    line('assigned_server', null, first.group, 0),
    line('assigned_server', first.group, second.group, 1),
    line('unassigned_server', second.group, null, 1),
  ])
})

test('H-17 what cannot be dedicated is refused by name, and nothing is done', async () => {
  const { group } = await company()
  const other = await company()
  await haveServer(database.db, 'open')
  await haveServer(database.db, 'fixed', { kind: 'dedicated', group })
  const before = await acts()
  const waiting = await waitFor('fixed', { ...other, group })
  const assign = async (id: string, group_id: string, instead_of: string | null) => {
    const { status, body } = await call(`/admin/servers/${id}/assign/`, { group_id, instead_of })
    return [status, body.code]
  }
  expect(await assign('nowhere', group, null)).toEqual([404, 'capture.server_unknown'])
  expect(await assign('open', group, null)).toEqual([409, 'capture.server_public'])
  // Somebody else was there first.
  expect(await assign('fixed', other.group, null)).toEqual([409, 'capture.server_reassigned'])
  expect(await assign('fixed', randomUUID(), group)).toEqual([404, 'capture.group_unknown'])
  // A group that ended is there, and nobody is in it.
  expect(await assign('fixed', await haveGroup(database.db), group)).toEqual([404, 'capture.group_unknown'])
  expect((await call('/admin/servers/fixed/unassign/', { group_id: other.group })).body.code).toBe('capture.server_reassigned')
  expect((await call('/admin/servers/FIXED!/assign/', { group_id: group, instead_of: null })).status).toBe(400)
  expect((await call('/admin/servers/fixed/assign/', { group_id: group })).status).toBe(400)
  expect(await statusOf(waiting.id)).toBe('queued')
  expect(await acts()).toEqual(before)
})

test('H-17 two who change it at the same moment: one does, the other is told', async () => {
  const [first, second] = [await company(), await company()]
  await haveServer(database.db, 'fixed', { kind: 'dedicated' })
  const answers = await Promise.all(
    [first, second].map(async ({ group }) => await call('/admin/servers/fixed/assign/', { group_id: group, instead_of: null })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test('H-17 the servers of a group that ends are nobody’s', async () => {
  const { group } = await company()
  await haveServer(database.db, 'fixed', { kind: 'dedicated', group })
  await database.db.transaction().execute(async (tx) => await releaseServersOf(tx, group))
  expect((await call('/admin/servers/')).body).toMatchObject({ results: [{ id: 'fixed', group: null }] })
})

test('the operator is recorded as nobody', async () => {
  const { group } = await company()
  await haveServer(database.db, 'fixed', { kind: 'dedicated' })
  const deps = { db: database.db, clock: { now: () => new Date() }, endWithdrawn: failWithdrawn }
  expect(await assignServer(deps, null, 'fixed', { from: null, to: group })).toBe(0)
  expect((await acts()).at(-1)).toMatchObject({ action: 'capture.assigned_server', actor_id: null, subject_id: 'fixed' })
})
