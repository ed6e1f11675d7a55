import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { claimOnConfirmation, claimPending, createEvidenceChanges, evidenceRoutes } from '../../../evidence/server/index.ts'
import { draftRegistrationRoute } from './draft-registration.ts'
import { keyOf, openIdentity } from '../identity.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-draft-registration-'))
let identity: Awaited<ReturnType<typeof openIdentity>>

beforeAll(async () => {
  const { db } = database
  identity = await openIdentity(db, {
    onConfirmed: claimPending,
    routes: (deps) => [
      draftRegistrationRoute({
        ...deps,
        trustLoopback: false,
        claimDraft: async (token) => await claimOnConfirmation({ db }, token),
      }),
      ...evidenceRoutes(
        { ...deps, blobs: createFolderBlobStore(folder), allowAddresses: [], scenarios: [] },
        createEvidenceChanges(),
      ),
    ],
  })
})

afterAll(async () => {
  await identity.close()
  rmSync(folder, { recursive: true, force: true })
})

async function draft(): Promise<{ id: string; token: string }> {
  const { body } = await identity.call('POST', '/evidences/', { url: 'https://example.org/', action: 'static', locale: 'en' })
  return { id: (body['evidence'] as { id: string }).id, token: body['evidence_token'] as string }
}

const register = async (token: string, email: string, changes: Record<string, unknown> = {}) =>
  await identity.call('POST', `/evidences/${token}/user_registration/`, identity.registration(email, changes))

test('C-32 H-26 a visitor registers with his draft, confirms his address, and finds it in his account', async () => {
  const { id, token } = await draft()
  expect((await register(token, 'claire@example.org')).status).toBe(201)
  const [mail] = await identity.work()
  await identity.call('POST', '/rest-auth/registration/verify-email/', { key: keyOf(mail) })
  const bearer = String((await identity.signIn('claire@example.org')).body['access_token'])
  const { body } = await identity.call('GET', '/evidences/', undefined, { token: bearer })
  expect((body['results'] as { id: string; owner: { name: string } }[]).map((one) => [one.id, one.owner.name])).toEqual([
    [id, 'Claire Dupont'],
  ])
  // Once: what is somebody's is nobody else's by any registration, which then makes no account either.
  expect((await register(token, 'other@example.org')).body['code']).toBe('evidence.already_claimed')
  expect(await identity.work()).toEqual([])
})

test('X-06 P-16 for an address that has an account the answer is the same, its owner is told, and the draft stays nobody’s', async () => {
  const owner = await identity.person('owner@example.org')
  const [one, two] = [await draft(), await draft()]
  const known = await register(one.token, 'owner@example.org')
  const [mail] = await identity.work()
  const unknown = await register(two.token, 'new@example.org')
  expect([known.status, { ...known.body, claim: '', email: '' }]).toEqual([
    unknown.status,
    { ...unknown.body, claim: '', email: '' },
  ])
  expect(mail?.to).toBe('owner@example.org')
  expect((await identity.call('GET', `/evidences/${one.id}/`, undefined, { token: owner.token })).status).toBe(404)
  // He signs in in the same browser, which still holds the token.
  const claimed = await identity.call('POST', `/evidences/${one.token}/user_assignment/`, undefined, { token: owner.token })
  expect(claimed.body).toEqual({ evidences: [one.id] })
  const acts = await identity.call('GET', '/acts/', undefined, { token: owner.token })
  expect((acts.body['results'] as { action: string }[])[0]?.action).toBe('evidence.claimed')
})

test('V-08 a registration that is refused leaves the draft as it was', async () => {
  const { token } = await draft()
  const { status, body } = await register(token, 'claire2@example.org', { terms: false })
  expect([status, Object.keys(body['fields'] as object)]).toEqual([400, ['terms']])
  expect((await register('x'.repeat(43), 'claire3@example.org')).body['code']).toBe('evidence.not_found')
  expect((await register(token, 'claire2@example.org')).status).toBe(201)
})
