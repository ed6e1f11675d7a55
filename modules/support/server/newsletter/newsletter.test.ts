import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { openSupport, workFor, type Support } from '../support.test-data.ts'
import { deleteUnconfirmed, findSubscription, listConfirmed } from './newsletter-store.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-newsletter-'))
let support: Support
beforeAll(async () => {
  support = await openSupport(database.db, createFolderBlobStore(folder))
})
afterAll(async () => {
  await support.close()
  rmSync(folder, { recursive: true, force: true })
})

async function signUp(email: string, network: string, locale = 'fr') {
  const from = { 'x-forwarded-for': network }
  const asked = await support.call('POST', '/newsletter/', null, { email, locale }, from)
  expect([asked.status, asked.code]).toEqual([429, 'support.work_required'])
  const work = workFor(asked.body['data'] as Record<string, unknown>)
  return await support.call('POST', '/newsletter/', null, { email, locale, work }, from)
}
const keyIn = (text: string, name: 'confirm' | 'leave') => new RegExp(`\\?${name}=(\\S+)`).exec(text)?.[1] ?? ''

test('P-05 H-41 T-07: who signs up is written to once he confirmed, in his language; the list holds the proof and the way out', async () => {
  expect(await signUp('jeanne@people.example', '198.51.100.1')).toMatchObject({ status: 200, body: { status: 'sent' } })
  const [mail, ...more] = await support.work()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to: 'jeanne@people.example', locale: 'fr' })
  expect(await listConfirmed(database.db)).toEqual([])
  const key = keyIn(mail?.text ?? '', 'confirm')
  // The key of one purpose is none of the other, and an altered one is none at all.
  expect((await support.call('POST', '/newsletter/unsubscribe/', null, { key })).code).toBe('support.newsletter_link')
  expect((await support.call('POST', '/newsletter/confirm/', null, { key: `${key}x` })).code).toBe('support.newsletter_link')
  for (let i = 0; i < 2; i += 1)
    expect((await support.call('POST', '/newsletter/confirm/', null, { key })).body).toEqual({ status: 'done' })

  const administrator = await support.person('Chief', { roles: ['administrator'] })
  const list = (await support.call('GET', '/admin/newsletter/', administrator)).bytes.toString()
  expect(list).toContain('"jeanne@people.example","fr","2026-03-01T10:00:00.000Z","Je souhaite recevoir par e-mail')
  expect(await support.acts(administrator.id)).toEqual(['support.exported_newsletter'])

  // Signing up again changes nothing, and tells nobody that the address is on the list.
  expect((await signUp('Jeanne@people.example', '198.51.101.1')).body).toEqual({ status: 'sent' })
  expect(await support.work()).toEqual([])
  const leave = keyIn(list.replaceAll('"', ' '), 'leave')
  for (let i = 0; i < 2; i += 1)
    expect((await support.call('POST', '/newsletter/unsubscribe/', null, { key: leave })).body).toEqual({ status: 'done' })
  expect(await listConfirmed(database.db)).toEqual([])
  expect((await support.call('POST', '/newsletter/confirm/', null, { key })).code).toBe('support.newsletter_link')
})

test('H-41 an address that nobody confirms is forgotten', async () => {
  await signUp('nobody@people.example', '198.51.102.1', 'en')
  const [mail] = await support.work()
  const [id = ''] = keyIn(mail?.text ?? '', 'confirm').split('.')
  await deleteUnconfirmed(database.db, new Date('2026-03-01T09:00:00Z'))
  expect(await findSubscription(database.db, id)).not.toBeNull()
  await deleteUnconfirmed(database.db, new Date('2026-03-01T10:00:00Z'))
  expect(await findSubscription(database.db, id)).toBeNull()
})

test('C-71 C-72 a provider has one form for French, and another for other languages; nothing is signed up here', async () => {
  const forms = { en: 'https://lists.example/en', fr: 'https://lists.example/fr' }
  Object.assign(support.web, { newsletter: { mode: 'provider', forms, field: 'EMAIL' } })
  const of = async (path: string, headers = {}) => (await support.call('GET', path, null, undefined, headers)).body['form']
  expect(await of('/newsletter/?language=fr')).toEqual({ action: forms.fr, field: 'EMAIL' })
  expect(await of('/newsletter/', { 'accept-language': 'de' })).toEqual({ action: forms.en, field: 'EMAIL' })
  expect((await support.call('POST', '/newsletter/', null, { email: 'a@people.example' })).code).toBe('support.newsletter_off')
  Object.assign(support.web, { newsletter: { mode: 'off' } })
  expect((await support.call('GET', '/newsletter/', null)).body).toEqual({ mode: 'off', form: null })
})
