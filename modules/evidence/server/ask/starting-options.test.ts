import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { haveAccount, haveGroup, removeMember, sessionsOf, setMember, type Granted } from '../../../../testing/accounts.ts'
import { finish } from '../finish.test-data.ts'
import { createEvidenceChanges } from '../record/evidence-changes.ts'
import { evidenceRoutes } from '../routes.ts'
import { findEvidence } from '../record/store.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-options-'))
const granted = new Map<string, Granted>()
let server: Awaited<ReturnType<typeof createHttpServer>>

beforeAll(async () => {
  const secret = 's'.repeat(32)
  const deps = {
    db: database.db,
    blobs: createFolderBlobStore(folder),
    clock: { now: () => new Date() },
    log: silentLog,
    secret,
    allowAddresses: [],
    scenarios: [],
  }
  const routes = evidenceRoutes(deps, createEvidenceChanges())
  const authenticate = sessionsOf(granted)
  server = await createHttpServer({ config: loadConfig({}), log: silentLog, secret, routes, health: {}, authenticate })
  for (const id of ['open', 'other', 'ours', 'theirs', 'dedicated']) await haveServer(database.db, id)
  await sql`update capture_server set kind = 'dedicated' where id in ('ours', 'theirs', 'dedicated')`.execute(database.db)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

type Settings = {
  server_location?: 'automatic' | 'public' | 'dedicated'
  server_id?: string | null
  close_cookies?: boolean
  eidas_timestamping?: boolean
}

async function account(settings: Settings): Promise<string> {
  const id = await haveAccount(database.db)
  await database.db
    .insertInto('account_settings')
    .values({ user_id: id, ...settings })
    .execute()
  return id
}

/** @returns the options of what was made, or the codes of what was refused */
async function asked(by: { user?: string; for?: string }, more: object = {}): Promise<unknown> {
  const headers = {
    ...(by.user === undefined ? {} : { authorization: `Bearer ${by.user}` }),
    ...(by.for === undefined ? {} : { 'x-delegation': by.for }),
  }
  const payload = { url: 'https://example.org/', action: 'static', locale: 'en', ...more }
  const answer = await server.inject({ method: 'POST', url: '/evidences/', headers, payload })
  const body = answer.json<{ evidence?: Evidence; fields?: object }>()
  if (body.evidence === undefined) return body.fields
  const { close_cookies, server: name } = body.evidence.options
  const { outsideStamps } = (await findEvidence(database.db, body.evidence.id)) ?? {}
  return { close_cookies, server: name, outsideStamps }
}

const plain = { close_cookies: false, server: null, outsideStamps: true }

test('E-53 E-54 H-12 H-17 what is left out is as the settings of the account say; what is said wins; without account nothing is set', async () => {
  const user = await account({ server_location: 'public', server_id: 'open', close_cookies: true, eidas_timestamping: false })
  const set = { close_cookies: true, server: 'open', outsideStamps: false }
  expect(await asked({ user })).toEqual(set)
  expect(await asked({ user }, { close_cookies: false })).toEqual({ ...set, close_cookies: false })
  expect(await asked({ user }, { server: 'automatic' })).toEqual({ ...set, server: null })
  // Of no group: nobody's to name.
  expect(await asked({ user }, { server: 'dedicated' })).toEqual({ server: ['unknown'] })
  // A visitor's session has no robot in it.
  expect(await asked({ user }, { action: 'interactive', server: 'automatic' })).toEqual({
    ...set,
    close_cookies: false,
    server: null,
  })
  expect(await asked({ user }, { action: 'interactive', close_cookies: true })).toEqual({ close_cookies: ['static_only'] })
  expect(await asked({})).toEqual(plain)
  expect(await asked({ user: await haveAccount(database.db) })).toEqual(plain)
})

test('who acts for somebody begins as that account is set, not as his own', async () => {
  const [grantor, delegate] = [
    await account({ close_cookies: true }),
    await account({ server_location: 'public', server_id: 'open' }),
  ]
  const delegation = randomUUID()
  granted.set(delegation, { userId: delegate, grantorId: grantor, scope: 'create' })
  expect(await asked({ user: delegate, for: delegation })).toEqual({ ...plain, close_cookies: true })
  expect(await asked({ user: delegate })).toEqual({ ...plain, server: 'open' })
})

test('H-17 a dedicated server is the group’s own: gone, or no longer its own, it is an error and never another server', async () => {
  const group = await haveGroup(database.db)
  await sql`update capture_server set owner_group = ${group}::uuid where id = 'ours'`.execute(database.db)
  await sql`update capture_server set owner_group = ${await haveGroup(database.db)}::uuid where id = 'theirs'`.execute(
    database.db,
  )
  const user = await account({ server_location: 'dedicated', server_id: 'ours' })
  const gone = { server: ['dedicated_gone'] }
  expect(await asked({ user })).toEqual(gone)
  await setMember(database.db, user, group, 'member')
  expect(await asked({ user })).toEqual({ ...plain, server: 'ours' })
  expect(await asked({ user }, { server: 'theirs' })).toEqual({ server: ['unknown'] })
  expect(await asked({ user }, { server: 'open', second_server: 'ours' })).toEqual({ ...plain, server: 'open' })
  expect(await asked({ user }, { server: 'open', second_server: 'theirs' })).toEqual({ second_server: ['unknown'] })
  expect(await asked({}, { server: 'ours' })).toEqual({ server: ['unknown'] })
  await removeMember(database.db, user)
  expect(await asked({ user })).toEqual(gone)
  expect(await asked({ user }, { server: 'automatic' })).toEqual(plain)
  for (const server_id of [null, 'theirs', 'open', 'never-there', 'NO SUCH'])
    expect(await asked({ user: await account({ server_location: 'dedicated', server_id }) })).toEqual(gone)
  expect(await asked({ user: await account({ server_location: 'public', server_id: 'never-there' }) })).toEqual({
    server: ['chosen_gone'],
  })
})

test('whoever names no language gets an evidence in that of the browser', async () => {
  const localeOf = async (language: string) => {
    const payload = { url: 'https://example.org/', action: 'static' }
    const headers = { 'accept-language': language }
    const answer = await server.inject({ method: 'POST', url: '/evidences/', headers, payload })
    const { evidence } = answer.json<{ evidence: Evidence }>()
    return (await findEvidence(database.db, evidence.id))?.locale
  }
  expect(await localeOf('fr-CA,fr;q=0.9,en;q=0.1')).toBe('fr')
  expect(await localeOf('de,en;q=0.5')).toBe('en')
})

test('H-17 the country is that of the account that asks, of somebody acted for his; a stranger’s is not guessed', async () => {
  const countryOf = async (by: { user?: string; for?: string }) => {
    const headers = {
      ...(by.user === undefined ? {} : { authorization: `Bearer ${by.user}` }),
      ...(by.for === undefined ? {} : { 'x-delegation': by.for }),
      'accept-language': 'fr-FR',
    }
    const payload = { url: 'https://example.org/', action: 'static', locale: 'fr' }
    const { id } = (await server.inject({ method: 'POST', url: '/evidences/', headers, payload })).json<{ evidence: Evidence }>()
      .evidence
    const kept = async () =>
      (await database.db.selectFrom('evidence').select('asker_country').where('id', '=', id).executeTakeFirstOrThrow())
        .asker_country
    const found = await kept()
    await finish(database.db, id, 'to_validate')
    // Needed no longer, kept no longer.
    expect(await kept()).toBeNull()
    const again = (await server.inject({ method: 'POST', url: `/evidences/${id}/retry/`, headers })).json<Evidence>()
    if (by.user !== undefined)
      expect(
        (await database.db.selectFrom('evidence').select('asker_country').where('id', '=', again.id).executeTakeFirst())
          ?.asker_country,
      ).toBe(found)
    return found
  }
  const [grantor, delegate, silent] = [await account({}), await account({}), await account({})]
  for (const [user_id, country] of [
    [grantor, 'BE'],
    [delegate, 'FR'],
  ] as const)
    await database.db.insertInto('profile').values({ user_id, country, nationality: 'DE', updated_at: new Date() }).execute()
  const delegation = randomUUID()
  granted.set(delegation, { userId: delegate, grantorId: grantor, scope: 'create' })
  expect(await countryOf({ user: delegate })).toBe('FR')
  expect(await countryOf({ user: delegate, for: delegation })).toBe('BE')
  expect(await countryOf({ user: silent })).toBeNull()
  expect(await countryOf({})).toBeNull()
})

test('H-17 a capture is not asked for again of a server that was taken away', async () => {
  const group = await haveGroup(database.db)
  await haveServer(database.db, 'fixed', { kind: 'dedicated', group })
  const user = await account({})
  await setMember(database.db, user, group, 'member')
  const headers = { authorization: `Bearer ${user}` }
  const payload = { url: 'https://example.org/', action: 'static', locale: 'en', server: 'fixed' }
  const { evidence } = (await server.inject({ method: 'POST', url: '/evidences/', headers, payload })).json<{
    evidence: Evidence
  }>()
  await finish(database.db, evidence.id, 'to_validate')
  const retry = async () => await server.inject({ method: 'POST', url: `/evidences/${evidence.id}/retry/`, headers })
  await sql`update capture_server set owner_group = null where id = 'fixed'`.execute(database.db)
  const refused = await retry()
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([409, 'evidence.server_withdrawn'])
  await sql`update capture_server set owner_group = ${group}::uuid where id = 'fixed'`.execute(database.db)
  expect((await retry()).json<Evidence>().options.server).toBe('fixed')
})

test('C-29 a capture again may have the cookie option besides, and keeps the rest', async () => {
  const user = await account({ close_cookies: false, eidas_timestamping: false })
  const headers = { authorization: `Bearer ${user}` }
  const create = async (action: string) => {
    const payload = { url: 'https://example.org/', action, locale: 'en', label: 'Case 7', store: false }
    const { evidence } = (await server.inject({ method: 'POST', url: '/evidences/', headers, payload })).json<{
      evidence: Evidence
    }>()
    await finish(database.db, evidence.id, 'to_validate')
    return evidence.id
  }
  const again = async (id: string, query = '') =>
    await server.inject({ method: 'POST', url: `/evidences/${id}/retry/${query}`, headers })
  const first = await create('static')
  const next = (await again(first, '?close_cookies=true')).json<Evidence>()
  expect(next).toMatchObject({ label: 'Case 7', store: false, options: { close_cookies: true, server: null } })
  expect((await findEvidence(database.db, next.id))?.outsideStamps).toBe(false)
  // Asked twice it is the same.
  expect((await again(first)).json<Evidence>().id).toBe(next.id)
  const session = await create('interactive')
  expect((await again(session, '?close_cookies=true')).json<{ fields: object }>().fields).toEqual({
    close_cookies: ['static_only'],
  })
})
