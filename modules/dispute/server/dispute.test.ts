import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../../kernel/actor.ts'
import { typeset, TypesetFailed } from '../../../platform/print/typeset/typeset.ts'
import { actorOf, haveAccount } from '../../../testing/accounts.ts'
import { withDatabase } from '../../../testing/database.ts'
import { checkArchival } from '../../../testing/pdf-a/check-archival.ts'
import { webDeps } from '../../evidence/server/health/final-evidence.test-data.ts'
import { fingerprintsOf } from '../../review/server/documents/fingerprint.ts'
import { trashEvidence } from '../../evidence/server/trash/trash-evidence.ts'
import { saleTokenOfReport } from '../../licensing/server/index.ts'
import { haveBankAccount, haveIdentity, openShop, secret } from '../../licensing/server/licensing.test-data.ts'
import { amendOffer, prepareOffer } from '../../licensing/server/offer/change-offer.ts'
import { letterField } from '../contract/packs.ts'
import { changePack } from './keep/change-pack.ts'
import { eraseDisputePacks, exportDisputePacks } from './keep/pack-store.ts'
import { presentPack } from './present/present-pack.ts'
import { printLetter, readLetterFile } from './print/print-letter.ts'

const run = promisify(execFile)
const database = withDatabase()
const never = new AbortController().signal
let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop(database.db)
}, 60_000)
afterAll(() => shop.remove())

const deps = (now?: string) => ({
  db: database.db,
  blobs: shop.world.blobs,
  clock: now === undefined ? shop.clock : { now: () => new Date(now) },
  secret,
  publicUrl: 'https://probant.example',
  findSale: async (report: Parameters<typeof saleTokenOfReport>[1]) => await saleTokenOfReport(shop.deps, report),
  workFolder: join(shop.folder, 'letters'),
  typeset,
})

async function owner(names = { first: 'Grace', last: 'Hopper' }): Promise<Actor> {
  const id = await haveAccount(database.db, names)
  await sql`insert into profile (user_id, user_type, address, zip, city, country, updated_at)
    values (${id}::uuid, 'natural', '2 rue du Port', '13002', 'Marseille', 'FR', now())`.execute(database.db)
  return actorOf(id)
}

const given = {
  recipient: 'Boutique SARL\n3 quai Vert\n56000 Vannes',
  claim: 'Mes photographies y figurent.\nJe ne l’ai permis à personne.',
  delay_days: 15,
}

async function printed(caller: Actor, id: string, locale: 'en' | 'fr') {
  await expect(readLetterFile(deps(), caller, id, locale)).rejects.toMatchObject({ code: 'dispute.being_printed' })
  await printLetter(deps(), id, locale, never)
  const { pdf: bytes, fileName } = await readLetterFile(deps(), caller, id, locale)
  const folder = join(shop.folder, 'read')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, fileName), bytes)
  const { stdout } = await run('pdftotext', ['-layout', join(folder, fileName), '-'])
  return { bytes, text: stdout.replaceAll(/\s+/g, ' '), exact: stdout.replaceAll(/\s+/g, '') }
}

test('P-13 a formal notice needs a verified identity, and says only what was measured and given: in both languages, with the exhibits of the sealed manifest', async () => {
  const caller = await owner()
  const id = await shop.report(caller)
  const before = await presentPack(deps(), caller, id, 'fr')
  expect(before.lacking).toEqual(['identity', 'recipient', 'claim', 'delay'])
  await changePack(deps(), caller, id, 'fr', given)
  await expect(readLetterFile(deps(), caller, id, 'fr')).rejects.toMatchObject({
    code: 'dispute.not_ready',
    data: { lacking: 'identity' },
  })
  await haveIdentity(database.db, caller.accountId)

  const pack = await presentPack(deps(), caller, id, 'fr')
  expect(pack.lacking).toEqual([])
  const file = await database.db
    .selectFrom('evidence_file')
    .selectAll()
    .where('evidence_id', '=', id)
    .where('section', '=', 'piece')
    .execute()
  expect(pack.exhibits).toEqual(file.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })))
  expect(pack.exhibits.map(({ path }) => path)).toEqual(['capture/page.html'])

  const french = await printed(caller, id, 'fr')
  for (const words of [
    'Mise en demeure',
    'Mes photographies y figurent.',
    'dans un délai de 15 jours',
    'Boutique SARL',
    'Grace Hopper',
    'capture/page.html',
    'Octets SHA-256 1 capture/page.html 16',
    'Le 23 novembre 2026',
  ])
    expect(french.text).toContain(words)
  for (const measured of [id, pack.root, pack.page_url, pack.exhibits[0]?.sha256 ?? '-'].map((each) =>
    each.replaceAll(/\s/g, ''),
  ))
    expect(french.exact).toContain(measured)
  // It is its sender's letter, of which the platform says nothing.
  expect(french.text).not.toMatch(/Probant/i)
  expect(french.text).not.toMatch(/[{}]/)
  expect(await checkArchival(french.bytes)).toEqual([])
  expect(await readdir(join(shop.folder, 'letters'))).toEqual([])

  // The claim is of one language; all else holds in both.
  await changePack(deps(), caller, id, 'en', { claim: 'My photographs are on it.', amount_cents: 125_000 })
  const english = await printed(caller, id, 'en')
  for (const words of [
    'Formal notice',
    'My photographs are on it.',
    'within 15 days',
    '€1,250.00',
    'Boutique SARL',
    'Bytes SHA-256 1 capture/page.html 16',
    '23 November 2026',
  ])
    expect(english.text).toContain(words)
  expect(english.text).not.toContain('Mes photographies')
}, 60_000)

test('P-13 the letter is its sender’s: his text is kept, asks for what it mentions, and gives way to the template again', async () => {
  const caller = await owner()
  await haveIdentity(database.db, caller.accountId)
  const id = await shop.report(caller)
  const template = (await presentPack(deps(), caller, id, 'en')).letter.text
  await changePack(deps(), caller, id, 'en', { ...given, letter: 'On {Address}, {sum}: {adress} <b>“#[$`' })
  const own = await presentPack(deps(), caller, id, 'en')
  expect(own).toMatchObject({ letter: { own: true, unknown: ['{adress}'] }, lacking: ['amount', 'unknown_words'] })
  expect((await presentPack(deps(), caller, id, 'fr')).letter.own).toBe(false)

  await changePack(deps(), caller, id, 'en', { letter: '#import "x" {address}\u202E [a](b) $x$\n\n\n\n*no*', amount_cents: 1 })
  expect((await printed(caller, id, 'en')).text).toContain('#import "x"')
  // The call takes no such text: what cannot be seen is refused before.
  expect(letterField.safeParse('a\u202Eb').success).toBe(false)

  await changePack(deps(), caller, id, 'en', { letter: null, amount_cents: null })
  expect((await presentPack(deps(), caller, id, 'en')).letter).toEqual({ text: template, own: false, unknown: [] })
}, 60_000)

test('the licence of a sale that is open is offered in the letter, and no longer once it is stopped', async () => {
  const caller = await owner()
  await haveIdentity(database.db, caller.accountId)
  await haveBankAccount(database.db, caller.accountId)
  const id = await shop.report(caller)
  const offered = async () =>
    (await presentPack(deps(), caller, id, 'fr')).placeholders.find((each) => each.id === 'offer')?.value
  const body = { evidences: [id], price_cents: 15_000, description: '', most: null, personal_data_reviewed: true }
  const offer = await prepareOffer(shop.deps, caller, body)
  expect(await offered()).toBeNull()
  await amendOffer(shop.deps, caller, offer.id, { status: 'open' })
  expect(await offered()).toMatch(/^https:\/\/probant\.example\/fr\/sale\/[\w-]{43}\/$/)
  expect((await presentPack(deps(), caller, id, 'fr')).letter.text).toContain('{licence}')
  await amendOffer(shop.deps, caller, offer.id, { status: 'stopped' })
  expect(await offered()).toBeNull()
  expect((await presentPack(deps(), caller, id, 'fr')).letter.text).not.toContain('{licence}')
})

test('nobody prepares a letter on another’s report; what is kept leaves with its owner’s data, and goes with him or with the report', async () => {
  const [caller, other] = [await owner(), await owner()]
  const [id, second] = [await shop.report(caller), await shop.report(caller)]
  await expect(presentPack(deps(), other, id, 'en')).rejects.toMatchObject({ code: 'dispute.report_unknown' })
  await expect(changePack(deps(), other, id, 'en', given)).rejects.toMatchObject({ code: 'dispute.report_unknown' })
  await changePack(deps(), caller, id, 'en', given)
  await changePack(deps(), caller, second, 'en', given)
  const exported = async () => await Array.fromAsync(exportDisputePacks(database.db, caller.accountId))
  expect(await exported()).toMatchObject([
    { evidence_id: id, recipient: given.recipient, delay_days: 15 },
    { evidence_id: second },
  ])

  await trashEvidence(webDeps(shop.world), { actor: caller }, id)
  await expect(presentPack(deps(), caller, id, 'en')).rejects.toMatchObject({ code: 'dispute.not_final' })
  await sql`update evidence set content_deleted_at = now() where id = ${id}::uuid`.execute(database.db)
  expect(await exported()).toMatchObject([{ evidence_id: second }])
  await eraseDisputePacks(database.db, caller.accountId)
  await eraseDisputePacks(database.db, caller.accountId)
  expect(await exported()).toEqual([])
})

test('a letter is printed once for what it says and its day; what is said otherwise meanwhile is printed anew', async () => {
  const caller = await owner()
  await haveIdentity(database.db, caller.accountId)
  const id = await shop.report(caller)
  await changePack(deps(), caller, id, 'en', given)
  const asked = async () => await readLetterFile(deps(), caller, id, 'en')
  const refused = async (code: string) => await expect(asked()).rejects.toMatchObject({ code })
  await refused('dispute.being_printed')
  await refused('dispute.being_printed')
  const { rows } = await sql`select 1 from graphile_worker.jobs where key = ${`print-letter:${id}:en`}`.execute(database.db)
  expect(rows).toHaveLength(1)
  // Changed before the job comes to it: that one is printed by nobody.
  await changePack(deps(), caller, id, 'en', { delay_days: 8 })
  await printLetter(deps(), id, 'en', never)
  await refused('dispute.being_printed')
  // Killed while it prints: the wish stands, and the job, which is done again, keeps it.
  const killed = async () => await Promise.reject(new Error('killed'))
  await expect(printLetter({ ...deps(), typeset: killed }, id, 'en', never)).rejects.toThrow('killed')
  await refused('dispute.being_printed')
  await printLetter(deps(), id, 'en', never)
  const first = await asked()
  await printLetter(deps(), id, 'en', never)
  expect((await asked()).pdf.equals(first.pdf)).toBe(true)
  // What cannot be set is said so, until it says something else.
  await changePack(deps(), caller, id, 'en', { delay_days: 9 })
  await refused('dispute.being_printed')
  const failing = async () => await Promise.reject(new TypesetFailed('too long'))
  await printLetter({ ...deps(), typeset: failing }, id, 'en', never)
  await refused('dispute.faulty')
}, 60_000)

test('P-13 an identity that expires meanwhile, or a name that is not the proven one, keeps the letter back, and no wish goes on waiting', async () => {
  const caller = await owner()
  const { accountId } = caller
  await haveIdentity(database.db, accountId)
  await sql`insert into identity_document
    (id, user_id, kind, version, state, media_type, bytes, blob, uploaded_at, decided_at, expires_on)
    values (${randomUUID()}::uuid, ${accountId}::uuid, 'passport', 1, 'success', 'image/png', 1, ${'a'.repeat(64)}, now(), now(), '2026-11-23')`.execute(
    database.db,
  )
  const id = await shop.report(caller)
  await changePack(deps(), caller, id, 'en', given)
  const asked = async (now?: string) => await readLetterFile(deps(now), caller, id, 'en')
  await expect(asked()).rejects.toMatchObject({ code: 'dispute.being_printed' })
  // Midnight in Paris, an hour before that of UTC.
  const next = '2026-11-23T23:00:00.000Z'
  await printLetter(deps(next), id, 'en', never)
  const { rows } = await sql`select 1 from dispute_print where evidence_id = ${id}::uuid`.execute(database.db)
  expect(rows).toEqual([])
  await expect(asked(next)).rejects.toMatchObject({ code: 'dispute.not_ready', data: { lacking: 'identity_expired' } })
  expect((await printed(caller, id, 'en')).text).toContain('23 November 2026')

  const sent = [
    { field: 'first_name', value: 'Grace' },
    { field: 'last_name', value: 'Hopper' },
    { field: 'user_type', value: 'natural' },
  ]
  const typed = fingerprintsOf(secret, accountId, { userType: 'natural', fields: sent, beneficialOwners: [] })
  await sql`update identity_file set typed = ${JSON.stringify(typed)} where user_id = ${accountId}::uuid`.execute(database.db)
  expect((await asked()).fileName).toBe(`notice-${id}.en.pdf`)
  await sql`update account_user set last_name = 'Murray' where id = ${accountId}::uuid`.execute(database.db)
  await expect(asked()).rejects.toMatchObject({ code: 'dispute.not_ready', data: { lacking: 'identity_changed' } })
}, 60_000)

test('names of two hundred characters, from right to left, and with markup are printed as they are, on pages that stay whole', async () => {
  const caller = await owner({ first: `<b>#x</b> ${'Ünal '.repeat(18).trim()}`, last: 'שלום' })
  await haveIdentity(database.db, caller.accountId)
  const id = await shop.report(caller)
  const recipient = `<script>alert(1)</script>\nشركة الاختبار\n${'M'.repeat(200)}`
  await changePack(deps(), caller, id, 'fr', { ...given, recipient, claim: '#import "x" *no* \\ $x$ {{}' })
  expect((await presentPack(deps(), caller, id, 'fr')).lacking).toEqual([])
  const { bytes, text, exact } = await printed(caller, id, 'fr')
  for (const words of ['<script>alert(1)</script>', '#import "x" *no* \\ $x$', '<b>#x</b>']) expect(text).toContain(words)
  expect(exact).toContain('M'.repeat(200))
  expect(exact).toContain('Ünal'.repeat(18))
  expect(await checkArchival(bytes)).toEqual([])
}, 60_000)
