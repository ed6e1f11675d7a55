import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  nat,
  oneof,
  option,
  record,
  type Arbitrary,
} from '../../../../testing/fast-check.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopeSuffices, type DelegationScope } from '../../../../kernel/actor.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { haveAccount, haveGroup, removeMember, sessionsOf, setMember, type Granted } from '../../../../testing/accounts.ts'
import { finish } from '../finish.test-data.ts'
import { createEvidenceChanges } from '../record/evidence-changes.ts'
import { evidenceRoutes } from '../routes.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-reach-'))
const granted = new Map<string, Granted>()
let server: Awaited<ReturnType<typeof createHttpServer>>

beforeAll(async () => {
  const deps = {
    db: database.db,
    blobs: createFolderBlobStore(folder),
    clock: { now: () => new Date() },
    log: silentLog,
    secret: 's'.repeat(32),
    allowAddresses: [],
    scenarios: [],
  }
  const routes = evidenceRoutes(deps, createEvidenceChanges())
  const authenticate = sessionsOf(granted)
  server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: deps.secret,
    routes,
    health: {},
    authenticate,
  })
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

type Headers = Record<string, string>

async function ask(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  headers: Headers,
  body?: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await server.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) })
  return { status: answer.statusCode, body: answer.json() }
}

/** One that calls, as the model knows him: some user, perhaps for another, perhaps with a token. */
type Caller = { readonly user: number | null; readonly for: number | null; readonly token: number | null }
type Row = {
  readonly id: string
  readonly token: string | null
  owner: number | null
  group: boolean
  label: string
  trashed: boolean
}

const users = 4
const index = nat(users - 1)
const which = nat(7)
const caller: Arbitrary<Caller> = record({
  user: option(index, { freq: 5 }),
  for: option(index, { freq: 1 }),
  token: option(which, { freq: 1 }),
})
const step = oneof(
  { weight: 4, arbitrary: record({ kind: constant('create' as const), caller }) },
  { weight: 2, arbitrary: record({ kind: constant('claim' as const), caller, row: which }) },
  {
    weight: 2,
    arbitrary: record({ kind: constant('join' as const), user: index, role: constantFrom('manager', 'member') }),
  },
  { weight: 1, arbitrary: record({ kind: constant('leave' as const), user: index }) },
  {
    weight: 2,
    arbitrary: record({
      kind: constant('grant' as const),
      user: index,
      by: index,
      scope: option(constantFrom('read', 'create', 'manage'), { freq: 4 }),
    }),
  },
  { weight: 8, arbitrary: record({ kind: constant('try' as const), caller, row: which, call: nat(15) }) },
  { weight: 3, arbitrary: record({ kind: constant('list' as const), caller }) },
)

const nobody: Caller = { user: null, for: null, token: null }
const beginning = [
  { kind: 'create' as const, caller: nobody },
  { kind: 'join' as const, user: 1, role: 'member' as const },
  { kind: 'create' as const, caller: { ...nobody, user: 1 } },
  { kind: 'create' as const, caller: nobody },
  { kind: 'create' as const, caller: { ...nobody, user: 2 } },
  // Who may act for the group's owner was let into his account, not into the group.
  { kind: 'grant' as const, user: 3, by: 0, scope: 'manage' as const },
  { kind: 'try' as const, caller: { ...nobody, user: 3, for: 0 }, row: 1, call: 0 },
  { kind: 'list' as const, caller: { ...nobody, user: 3, for: 0 } },
]

/** What is asked of one evidence, the scope that a delegate needs, and what of it changes. */
type Call = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly scope: DelegationScope
  readonly body?: object
  readonly changes?: (row: Row) => void
}
const calls: readonly Call[] = [
  { method: 'GET', path: '', scope: 'read' },
  { method: 'GET', path: 'status/', scope: 'read' },
  { method: 'GET', path: 'proof_health/', scope: 'read' },
  { method: 'GET', path: 'pdf_preview/', scope: 'read' },
  { method: 'GET', path: 'generate_zip_archive/', scope: 'read' },
  { method: 'GET', path: 'witnesses/', scope: 'read' },
  { method: 'POST', path: 'agree/', scope: 'create' },
  { method: 'POST', path: 'reject/', scope: 'manage' },
  { method: 'POST', path: 'retry/', scope: 'create' },
  { method: 'POST', path: 'live_ticket/', scope: 'create', body: { role: 'watcher' } },
  { method: 'POST', path: 'paste/', scope: 'create', body: { text: 'x' } },
  { method: 'POST', path: 'quit_interactivity/', scope: 'create' },
  { method: 'POST', path: 'witnesses/', scope: 'create', body: { label: 'w' } },
  { method: 'PATCH', path: '', scope: 'manage', body: { label: 'case 7' }, changes: (row) => (row.label = 'case 7') },
  { method: 'PATCH', path: '', scope: 'manage', body: { trashed: true }, changes: (row) => (row.trashed = true) },
  { method: 'PATCH', path: '', scope: 'manage', body: { trashed: false }, changes: (row) => (row.trashed = false) },
]

test('P-16 no sequence of calls lets anybody read or change what is not his to reach', { timeout: 120_000 }, async () => {
  const ids: string[] = []
  for (let n = 0; n < users; n += 1) ids.push(await haveAccount(database.db, { first: `U${String(n)}`, last: 'Test' }))
  const userId = (n: number) => ids[n] ?? ''
  const tried = { reached: 0, refused: 0, listed: 0, claimed: 0 }

  await assert(
    asyncProperty(array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      for (const table of ['evidence', 'evidence_tally', 'group_member'])
        await sql`delete from ${sql.table(table)}`.execute(database.db)
      granted.clear()
      const groupId = await haveGroup(database.db)
      const rows: Row[] = []
      const roles = new Map<number, 'owner' | 'manager' | 'member'>([[0, 'owner']])
      await setMember(database.db, userId(0), groupId, 'owner')

      const at = (place: number): Row | undefined => rows[place % Math.max(1, rows.length)]
      const scopeOf = ({ user, for: grantor }: Caller) =>
        user === null || grantor === null ? null : (granted.get(`${String(user)}-${String(grantor)}`)?.scope ?? null)
      const headersOf = (who: Caller): Headers => ({
        ...(who.user === null ? {} : { authorization: `Bearer ${userId(who.user)}` }),
        ...(who.user === null || who.for === null ? {} : { 'x-delegation': `${String(who.user)}-${String(who.for)}` }),
        ...(who.token === null ? {} : { 'x-evidence-token': at(who.token)?.token ?? 'x'.repeat(43) }),
      })
      /** null: the door refuses him whatever he asks for. */
      const accountOf = (who: Caller): number | null | 'refused' => {
        if (who.user === null) return null
        if (who.for === null) return who.user
        return scopeOf(who) === null ? 'refused' : who.for
      }
      const byAccount = (who: Caller, account: number, row: Row) =>
        (row.owner === account && (!row.group || roles.has(account))) ||
        (row.group && who.for === null && roles.has(account) && roles.get(account) !== 'member')
      const reaches = (who: Caller, row: Row) => {
        const account = accountOf(who)
        if (account === 'refused') return false
        if (row.owner === null) return row.token !== null && who.token !== null && at(who.token)?.token === row.token
        return account !== null && byAccount(who, account, row)
      }

      for (const each of [...beginning, ...steps]) {
        if (each.kind === 'join') {
          if (each.user === 0) continue
          roles.set(each.user, each.role)
          await setMember(database.db, userId(each.user), groupId, each.role)
        } else if (each.kind === 'leave') {
          if (each.user === 0) continue
          roles.delete(each.user)
          await removeMember(database.db, userId(each.user))
        } else if (each.kind === 'grant') {
          if (each.user === each.by) continue
          const key = `${String(each.user)}-${String(each.by)}`
          if (each.scope === null) granted.delete(key)
          else granted.set(key, { userId: userId(each.user), grantorId: userId(each.by), scope: each.scope })
        } else if (each.kind === 'create') {
          const asked = { url: 'https://example.org/', action: 'static', locale: 'en' }
          const answer = await ask('POST', '/evidences/', headersOf({ ...each.caller, token: null }), asked)
          const account = accountOf(each.caller)
          const scope = each.caller.for === null ? null : scopeOf(each.caller)
          if (account === 'refused' || scope === 'read') {
            expect(answer.status).toBe(403)
            continue
          }
          expect(answer.status).toBe(201)
          const made = answer.body['evidence'] as Evidence
          const token = answer.body['evidence_token'] as string | null
          expect(token === null).toBe(account !== null)
          expect(made.owner?.id ?? null).toBe(account === null ? null : userId(account))
          expect(made.created_by?.id ?? null).toBe(each.caller.user === null ? null : userId(each.caller.user))
          rows.push({
            id: made.id,
            token,
            owner: account,
            group: account !== null && roles.has(account),
            label: '',
            trashed: false,
          })
          if (rows.length % 2 === 1) await finish(database.db, made.id, 'final')
        } else if (each.kind === 'claim') {
          const row = at(each.row)
          if (row?.token == null) continue
          const answer = await ask('POST', `/evidences/${row.token}/user_assignment/`, headersOf(each.caller))
          const account = accountOf(each.caller)
          const held = rows.filter(({ token }) => token === row.token)
          if (account === null) expect(answer.status).toBe(401)
          else if (account === 'refused' || (each.caller.for !== null && scopeOf(each.caller) === 'read'))
            expect(answer.status).toBe(403)
          else if (held.some(({ owner }) => owner !== null && owner !== account)) expect(answer.status).toBe(409)
          else {
            expect([answer.status, answer.body]).toEqual([200, { evidences: held.map(({ id }) => id).toSorted() }])
            for (const one of held) if (one.owner === null) Object.assign(one, { owner: account, group: roles.has(account) })
            tried.claimed += 1
          }
        } else if (each.kind === 'try') {
          const row = at(each.row)
          const call = calls[each.call]
          if (row === undefined || call === undefined) continue
          const { status, body } = await ask(call.method, `/evidences/${row.id}/${call.path}`, headersOf(each.caller), call.body)
          const scope = each.caller.for === null || each.caller.user === null ? null : scopeOf(each.caller)
          const mayCall = scope === null || scopeSuffices(scope, call.scope)
          if (accountOf(each.caller) === 'refused' || !mayCall) expect(status).toBe(403)
          else if (accountOf(each.caller) === null && each.caller.token === null) expect(status).toBe(401)
          else if (!reaches(each.caller, row)) {
            expect([status, body['code'], body['data']]).toEqual([404, 'evidence.not_found', {}])
            tried.refused += 1
          } else {
            expect(status).not.toBe(404)
            expect(status).toBeLessThan(500)
            if (status === 200) call.changes?.(row)
            if (status === 201 && call.path === 'retry/') throw new Error('nothing that is queued or final is captured again')
            tried.reached += 1
          }
        } else {
          const { status, body } = await ask('GET', '/evidences/?page_size=100', headersOf(each.caller))
          const account = accountOf(each.caller)
          if (account === 'refused') expect(status).toBe(403)
          else if (account === null && each.caller.token === null) expect(status).toBe(401)
          else {
            // With an account the list is the account's; drafts that the browser holds beside it are taken over, not mixed in.
            const own = rows.filter((row) => (account === null || row.owner !== null) && reaches(each.caller, row))
            const listed = (body['results'] as Evidence[]).map(({ id }) => id)
            expect(listed.toSorted()).toEqual(own.map(({ id }) => id).toSorted())
            expect([body['count'], body['count_capped']]).toEqual([own.length, false])
            tried.listed += 1
          }
        }
        const kept = await database.db
          .selectFrom('evidence')
          .select(['id', 'owner_id', 'label', 'trashed_at'])
          .orderBy('id')
          .execute()
        expect(kept.map((one) => [one.id, one.owner_id, one.label, one.trashed_at !== null])).toEqual(
          rows
            .toSorted((a, b) => (a.id < b.id ? -1 : 1))
            .map((row) => [row.id, row.owner === null ? null : userId(row.owner), row.label, row.trashed]),
        )
      }
    }),
    { numRuns: 20, seed: 20_261_121 },
  )
  // A model that never lets anybody in would agree with a server that never does.
  expect(Math.min(...Object.values(tried)), JSON.stringify(tried)).toBeGreaterThan(5)
})
