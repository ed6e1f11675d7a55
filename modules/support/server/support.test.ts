import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { actorOf } from '../../../testing/accounts.ts'
import { withDatabase } from '../../../testing/database.ts'
import type { StaffRequest, SupportRequest } from '../contract/support.ts'
import { deleteOldRequests } from './ending/erase-requests.ts'
import { eraseOwnedRequests, exportOwnedRequests } from './index.ts'
import { answer } from './queue/keep-queue.ts'
import { findRequest } from './requests/request-store.ts'
import { openSupport, workFor, type Support } from './support.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-support-'))
const blobs = createFolderBlobStore(join(folder, 'blobs'))
let support: Support
beforeAll(async () => {
  support = await openSupport(database.db, blobs)
})
afterAll(async () => {
  await support.close()
  rmSync(folder, { recursive: true, force: true })
})

const message = {
  name: 'Jeanne Martin',
  email: 'jeanne@people.example',
  title: 'A capture that never ends',
  description: 'I asked for it an hour ago.\n\nIt still says “preparing”.',
}
type Sent = { reference: string; id: string | null; attachments: { id: string; name: string; key: string }[] }
const files = () =>
  (existsSync(join(folder, 'blobs')) ? readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true }) : [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('what is sent', () => {
  test.each([
    ['V-40', 'name', 'name_required'],
    ['V-41', 'title', 'title_required'],
    ['V-42', 'email', 'email_required'],
    ['V-43', 'description', 'description_required'],
  ])('%s V-46 has a %s', async (_, field, code) => {
    for (const value of [undefined, '', '  ']) {
      const answer = await support.call('POST', '/contact/', null, { ...message, [field]: value })
      expect([answer.status, answer.body['fields']]).toEqual([400, { [field]: [code] }])
    }
  })

  test.each([
    [{ email: 'jeanne@' }, { email: ['email_invalid'] }],
    [{ name: 'Jeanne\nBcc: x' }, { name: ['characters'] }],
    [{ description: 'read \u202e this' }, { description: ['characters'] }],
    [{ title: 'x'.repeat(201) }, { title: ['too_long'] }],
    [{ attachments: [{ name: 'a.pdf', bytes: 10 * 1024 * 1024 + 1 }] }, { 'attachments.0.bytes': ['attachment_too_large'] }],
    [{ attachments: Array.from({ length: 6 }, () => ({ name: 'a', bytes: 1 })) }, { attachments: ['too_many_attachments'] }],
  ])('V-42 is not %j', async (wrong, fields) => {
    const answer = await support.call('POST', '/contact/', null, { ...message, ...wrong })
    expect([answer.status, answer.body['fields']]).toEqual([400, fields])
  })

  test('P-05 C-65 H-41 by a visitor is worked for, confirmed in his language, and told to the operator', async () => {
    const asked = await support.call('POST', '/contact/', null, message, { 'x-forwarded-for': '198.51.100.7' })
    expect([asked.status, asked.code]).toEqual([429, 'support.work_required'])
    const sent = await support.stranger({ ...message, locale: 'fr' }, '198.51.100.7')
    expect([sent.status, sent.body['id'], sent.body['attachments']]).toEqual([201, null, []])
    const { reference } = sent.body as Sent
    const [confirmation, told, ...more] = await support.work()
    expect(more).toEqual([])
    expect(confirmation).toMatchObject({
      to: message.email,
      locale: 'fr',
      subject: `Nous avons reçu votre message\u202f: demande ${reference}`,
    })
    // Whoever types another's address cannot have him sent what he wrote.
    for (const said of [message.name, message.title, 'an hour ago']) expect(confirmation?.text).not.toContain(said)
    expect(told).toMatchObject({ to: 'help@operator.example', locale: 'en' })
    for (const said of [message.name, message.email, message.title, 'an hour ago', '/en/admin/support/'])
      expect(told?.text).toContain(said)
    expect(told?.once?.id).not.toBe(confirmation?.once?.id)
  })

  test('H-41 work counts once, and for that message alone', async () => {
    const from = { 'x-forwarded-for': '198.51.101.7' }
    const first = await support.stranger({ ...message, email: 'once@people.example' }, '198.51.101.7')
    expect(first.status).toBe(201)
    const asked = await support.call('POST', '/contact/', null, message, from)
    const work = workFor(asked.body['data'] as Record<string, unknown>)
    const other = await support.call('POST', '/contact/', null, { ...message, title: 'Another', work }, from)
    expect([other.code, (other.body['data'] as Record<string, unknown>)['reason']]).toEqual([
      'support.work_required',
      'other_request',
    ])
  })

  test('P-05 is bounded by network, and by the address that is mailed', async () => {
    const codes: string[] = []
    for (let i = 0; i < 6; i += 1)
      codes.push((await support.stranger({ ...message, email: `many.${i}@people.example` }, '203.0.113.9')).code)
    expect(codes).toEqual(['', '', '', '', '', ''])
    expect((await support.stranger({ ...message, email: 'many.7@people.example' }, '203.0.113.9')).code).toBe('support.throttled')
    const one = { ...message, email: 'one@people.example' }
    const mailed: string[] = []
    for (let i = 1; i < 6; i += 1) mailed.push((await support.stranger(one, `192.0.${i}.1`)).code)
    expect(mailed).toEqual(['', '', '', '', 'support.throttled'])
    support.later(25)
    expect((await support.stranger(one, '192.0.9.1')).status).toBe(201)
  })
})

describe('L-19 the message box', () => {
  test('C-65 asks, is answered by mail and in the box, replies, settles; acts are recorded', async () => {
    const claire = await support.person('Dupont', { locale: 'fr' })
    const staff = await support.person('Staff', { roles: ['support'] })
    await support.work()
    const sent = await support.call('POST', '/contact/', claire, { ...message, email: claire.email, locale: 'fr' })
    const { id, reference } = sent.body as Sent
    expect(sent.status).toBe(201)
    expect((await support.work())[0]?.text).toContain('an hour ago')
    expect((await support.call('GET', '/support_requests/', claire)).body).toMatchObject({
      count: 1,
      results: [{ id, reference, title: message.title, status: 'open' }],
    })
    const queue = await support.call('GET', `/admin/support_requests/?search=${reference}`, staff)
    expect(queue.body).toMatchObject({ count: 1, results: [{ id, name: message.name, email: claire.email, user_id: claire.id }] })

    const text = 'It waits for a server.\n\nOne is free now.'
    const answered = await support.call('POST', `/admin/support_requests/${id}/messages/`, staff, { description: text })
    expect((answered.body as StaffRequest).messages.map(({ author, by }) => [author, by])).toEqual([
      ['sender', null],
      ['staff', 'Claire Staff'],
    ])
    const [mail] = await support.work()
    expect(mail).toMatchObject({ to: claire.email, locale: 'fr', subject: `Réponse à votre demande ${reference}` })
    expect(mail?.text).toContain('One is free now.')
    expect(mail?.text).toContain(`https://probant.example/fr/support/requests/${id}/`)
    const box = await support.call('GET', `/support_requests/${id}/`, claire)
    expect(box.body).toMatchObject({ status: 'answered', messages: [{ author: 'sender' }, { author: 'staff', text }] })
    // Who of the staff it was is not said.
    expect(box.bytes.toString()).not.toContain('Claire Staff')

    const replied = await support.call('POST', `/support_requests/${id}/messages/`, claire, { description: 'Thank you.' })
    expect((replied.body as { request: SupportRequest }).request).toMatchObject({ status: 'open' })
    expect((await support.work()).map(({ to }) => to)).toEqual(['help@operator.example'])
    const closed = await support.call('POST', `/support_requests/${id}/close/`, claire)
    expect(closed.body).toMatchObject({ status: 'closed' })
    const opened = await support.call('PATCH', `/admin/support_requests/${id}/`, staff, { status: 'open' })
    expect(opened.body).toMatchObject({ status: 'open' })
    const last = await support.call('POST', `/admin/support_requests/${id}/messages/`, staff, {
      description: 'Done.',
      close: true,
    })
    expect(last.body).toMatchObject({ status: 'closed' })
    expect(await support.acts(claire.id)).toEqual(['support.sent_request', 'support.replied', 'support.closed_request'])
    expect(await support.acts(staff.id)).toEqual([
      'support.answered_request',
      'support.reopened_request',
      'support.answered_request',
    ])
  })

  test('H-20 is nobody else’s, and the queue is the staff’s alone', async () => {
    const [owner, other] = [await support.person('Owner'), await support.person('Other')]
    const verifier = await support.person('Verifier', { roles: ['verifier'] })
    const { id } = (await support.call('POST', '/contact/', owner, message)).body as Sent
    expect((await support.call('GET', `/support_requests/${id}/`, other)).status).toBe(404)
    expect((await support.call('POST', `/support_requests/${id}/messages/`, other, { description: 'x' })).status).toBe(404)
    expect((await support.call('GET', '/support_requests/', other)).body).toMatchObject({ count: 0 })
    for (const who of [owner, verifier, null])
      for (const path of ['/admin/support_requests/', `/admin/support_requests/${id}/`])
        expect((await support.call('GET', path, who)).body).toMatchObject({ code: 'http.not_found' })
  })
})

describe('what is attached', () => {
  test('C-65 comes after its message, is stored enciphered, and is read by its sender and the staff alone', async () => {
    const owner = await support.person('Attacher')
    const staff = await support.person('Reader', { roles: ['administrator'] })
    const secret = Buffer.from('a picture that nobody else may see')
    const body = { ...message, attachments: [{ name: 'écran.png', bytes: secret.length }] }
    const { id, attachments } = (await support.call('POST', '/contact/', owner, body)).body as Sent
    const attachment = attachments[0] ?? { id: '', key: '', name: '' }
    const path = `/support_requests/${id}/attachments/${attachment.id}/`
    expect((await support.call('GET', path, owner)).code).toBe('support.attachment_missing')
    expect((await support.sendFile({ ...attachment, key: 'k'.repeat(43) }, secret)).code).toBe('support.attachment_not_awaited')
    expect((await support.sendFile(attachment, secret.subarray(1))).code).toBe('support.attachment_size')
    expect((await support.sendFile(attachment, Buffer.concat([secret, secret]))).code).toBe('support.attachment_size')
    const before = files()
    expect((await support.sendFile(attachment, secret)).body).toMatchObject({ name: 'écran.png', received: true })
    expect((await support.sendFile(attachment, secret)).status).toBe(201)
    const [file = '', ...more] = files().filter((each) => !before.includes(each))
    expect(more).toEqual([])
    expect(readFileSync(file).includes(secret.subarray(0, 12))).toBe(false)

    const read = await support.call('GET', path, owner)
    expect(read.bytes.equals(secret)).toBe(true)
    expect(read.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="_cran.png"; filename*=UTF-8''%C3%A9cran.png`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
    expect((await support.call('GET', `/admin${path}`, staff)).bytes.equals(secret)).toBe(true)
    expect(await support.acts(staff.id)).toEqual(['support.read_attachment'])
    expect((await support.call('GET', path, await support.person('Stranger'))).status).toBe(404)
  })

  test('is not awaited for longer than two hours', async () => {
    const owner = await support.person('Late')
    const { attachments } = (
      await support.call('POST', '/contact/', owner, { ...message, attachments: [{ name: 'a.txt', bytes: 1 }] })
    ).body as Sent
    support.later(3)
    expect((await support.sendFile(attachments[0] ?? { id: '', key: '' }, Buffer.from('a'))).code).toBe(
      'support.attachment_not_awaited',
    )
  })
})

describe('the end', () => {
  const withFile = async (who: Awaited<ReturnType<Support['person']>>) => {
    const sent = await support.call('POST', '/contact/', who, { ...message, attachments: [{ name: 'a.txt', bytes: 1 }] })
    const { id, attachments } = sent.body as Sent
    await support.sendFile(attachments[0] ?? { id: '', key: '' }, Buffer.from('a'))
    return id ?? ''
  }

  test('H-38 of an account takes its requests and their files; they are in its export before', async () => {
    const owner = await support.person('Leaver')
    const id = await withFile(owner)
    const exported = []
    for await (const each of exportOwnedRequests(database.db, owner.id)) exported.push(each)
    expect(exported).toMatchObject([{ id, email: message.email, messages: [{ text: message.description }] }])
    expect(files().some((path) => path.includes(id))).toBe(true)
    await eraseOwnedRequests(support.web, owner.id)
    await eraseOwnedRequests(support.web, owner.id)
    expect((await support.call('GET', `/support_requests/${id}/`, owner)).status).toBe(404)
    expect(files().some((path) => path.includes(id))).toBe(false)
  })

  test('comes a year after the last word, not after the first', async () => {
    const owner = await support.person('Keeper')
    const staff = await support.person('Late-staff', { roles: ['support'] })
    const id = await withFile(owner)
    support.later(300 * 24)
    await answer(support.web, actorOf(staff.id), id, { description: 'At last.', close: true })
    support.later(100 * 24)
    await deleteOldRequests(support.jobs)
    expect(await findRequest(database.db, id, 'anybody')).not.toBeNull()
    support.later(300 * 24)
    expect(await deleteOldRequests(support.jobs)).toBeGreaterThan(0)
    expect(await findRequest(database.db, id, 'anybody')).toBeNull()
    expect(files().some((path) => path.includes(id))).toBe(false)
  })
})
