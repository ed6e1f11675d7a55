import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { withDatabase } from '../../../testing/database.ts'
import { accountRoutes } from '../../account/server/index.ts'
import { draftRegistrationRoute } from '../../identity/server/index.ts'
import { keyOf, openIdentity, resetOf } from '../../identity/server/identity.test-data.ts'
import { brandOfRegistration, loadBrands, mailBrand, nameOfBrand } from './index.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>

beforeAll(async () => {
  const { brands } = await loadBrands(fileURLToPath(new URL('../../../testing/brands', import.meta.url)))
  identity = await openIdentity(database.db, {
    brandOf: (host, said) => brandOfRegistration(brands, host, said),
    mailBrand: (brand) => mailBrand(brands, 'https://probant.example', brand),
    routes: (deps) => [
      draftRegistrationRoute({ ...deps, trustLoopback: false, claimDraft: async () => await Promise.resolve(async () => {}) }),
      ...accountRoutes({ ...deps, heldElsewhere: {}, brandName: (brand, locale) => nameOfBrand(brands, brand, locale) }),
    ],
  })
})
afterAll(async () => await identity.close())

async function brandKept(email: string): Promise<string | undefined> {
  const { rows } = await sql<{ brand: string }>`select brand from account_user u
    join email_address e on e.user_id = u.id where address = ${email}`.execute(database.db)
  return rows[0]?.brand
}

test('P-10 H-07: an account keeps under whose sign it was made, and no call makes it another’s', async () => {
  const made = [
    ['own', {}, {}, 'probant'],
    ['door', { brand: 'etude-vauquelin' }, {}, 'etude-vauquelin'],
    ['host', {}, { host: 'preuves.localhost' }, 'etude-vauquelin'],
    ['host-and-door', { brand: 'etude-vauquelin' }, { host: 'orme.localhost:8080' }, 'orme'],
    ['no-door', { brand: 'orme' }, {}, 'probant'],
    ['nobody', { brand: '../../etc' }, { host: 'evil.example' }, 'probant'],
  ] as const
  for (const [name, said, caller, brand] of made) {
    const email = `${name}@example.org`
    expect((await identity.register(email, said, caller)).status, name).toBe(201)
    expect(await brandKept(email), name).toBe(brand)
  }
  const draft = `/evidences/${'a'.repeat(43)}/user_registration/`
  const given = identity.registration('draft@example.org')
  expect((await identity.call('POST', draft, given, { host: 'orme.localhost' })).status).toBe(201)
  expect(await brandKept('draft@example.org')).toBe('orme')
  expect((await identity.register('long@example.org', { brand: 'x'.repeat(41) })).status).toBe(400)
  await identity.work()
})

test('E-01 L-18 C-10: a partner’s account names the logo, and its words in the language asked for; tokens are good by every name', async () => {
  await identity.register('claire@example.org', { locale: 'fr' }, { host: 'preuves.localhost' })
  const [mail] = await identity.work()
  await identity.call('POST', '/rest-auth/registration/verify-email/', { key: keyOf(mail) }, { host: 'orme.localhost' })
  const { body } = await identity.signIn('claire@example.org', {}, { host: 'probant.example' })
  const token = String(body['access_token'])
  for (const host of ['probant.example', 'preuves.localhost', 'orme.localhost'])
    expect((await identity.call('GET', '/profiles/current/', undefined, { token, host })).body).toMatchObject({
      company_logo: 'etude-vauquelin',
      company_logo_text: 'Étude Vauquelin',
    })
  await sql`update account_user set brand = 'gone' where brand = 'etude-vauquelin'`.execute(database.db)
  expect((await identity.call('GET', '/profiles/current/', undefined, { token })).body).toMatchObject({
    company_logo: 'gone',
    company_logo_text: null,
  })
})

test('R-18 R-19: mails to a partner’s account are his: sender, head, foot, and where their links lead; nothing in them is fetched', async () => {
  await identity.register('paul@example.org', { locale: 'fr' }, { host: 'preuves.localhost' })
  const [confirmation] = await identity.work()
  await identity.call('POST', '/rest-auth/registration/verify-email/', { key: keyOf(confirmation) })
  await identity.call(
    'POST',
    '/rest-auth/password/reset/',
    { email: 'paul@example.org', locale: 'fr' },
    { host: 'probant.example' },
  )
  const [reset] = await identity.work()
  expect(resetOf(reset).token).toMatch(/^[\w-]{43}$/)
  for (const mail of [confirmation, reset]) {
    expect(mail?.senderName).toBe('Étude Vauquelin – preuves')
    expect(mail?.text).toMatch(/^Étude Vauquelin\n\n/)
    expect(mail?.text).toMatch(/\n-- \nÉtude Vauquelin, avec Probant\nAide\u202F: preuves@etude-vauquelin\.example\n$/)
    expect(mail?.html).not.toMatch(/<img|<link|url\(|@import|background=|background-image/i)
    const links = [...(mail?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, link]) => new URL(link ?? ''))
    expect(links.map(({ origin, pathname }) => [origin, pathname.split('/').slice(1, 3).join('/')])).toEqual([
      ['https://preuves.xn--tude-vauquelin-9jb.example', 'fr/authentication'],
    ])
  }
  const folder = await mkdtemp(join(tmpdir(), 'probant-branded-mail-'))
  const mailer = createMailer({ mail: { smtpUrl: undefined, from: 'Probant <p@example.net>', folder } })
  if (reset !== undefined) await mailer.send(reset)
  const [file = ''] = readdirSync(folder)
  // The name is his, in RFC 2047 words; the address stays the one that the installation may send from.
  expect(readFileSync(join(folder, file), 'latin1')).toMatch(
    /^From: =\?UTF-8\?Q\?=C3=89tude_Vauquelin[^\r]*\?= <p@example\.net>\r$/m,
  )
  await expect(mailer.send({ ...(reset ?? confirmation ?? never()), senderName: 'a\r\nBcc: b@example.org' })).rejects.toThrow(
    RangeError,
  )
  await rm(folder, { recursive: true })
})

test('mails to other accounts are the product’s, to the letter', async () => {
  await identity.register('zoe@example.org', { locale: 'fr' })
  const [mail] = await identity.work()
  expect(mail?.senderName).toBeUndefined()
  expect(mail?.text).toMatch(/\n-- \nProbant\n$/)
  expect(mail?.text).toContain('https://probant.example/fr/authentication/confirm-email/')
})

function never(): never {
  throw new Error('no mail was sent')
}
