import { randomUUID } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../../../kernel/actor.ts'
import { typeset } from '../../../../platform/print/typeset/typeset.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { checkArchival } from '../../../../testing/pdf-a/check-archival.ts'
import { settleInstalment } from '../../../billing/server/settlement/settle-instalment.ts'
import { finishAttempt, startAttempt } from '../../../billing/server/settlement/attempt-payment.ts'
import { packageOf as packageOfReport, webDeps } from '../../../evidence/server/health/final-evidence.test-data.ts'
import { trashEvidence } from '../../../evidence/server/trash/trash-evidence.ts'
import { eraseOwnedEvidence } from '../../../evidence/server/trash/erase-owned.ts'
import { eraseUnsold } from '../ending/erase-unsold.ts'
import { endSeller } from '../ending/end-account.ts'
import { findLicense, listDocuments } from '../keep/license-store.ts'
import { haveBuyer, openShop } from '../licensing.test-data.ts'
import { mailLicense } from '../notify/mail-license.ts'
import { amendOffer, prepareOffer } from '../offer/change-offer.ts'
import { documentOf, packageOf } from '../paper/download-license.ts'
import { makeLicense } from '../paper/make-license.ts'
import { presentLicense, presentStats, presentVerified } from '../present/present-license.ts'
import { presentSale, saleOf } from '../present/present-sale.ts'
import { presentOffer } from '../present/present-offer.ts'
import { askLicense, askOnRegistration } from './ask-license.ts'
import { checkOut } from './check-out.ts'
import { followPayments } from './follow-payments.ts'
import { amendLicense, lapseLicenses, lapseThoseOf } from './lapse-licenses.ts'

const run = promisify(execFile)
const database = withDatabase()
const never = new AbortController().signal
let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop(database.db)
}, 60_000)
afterAll(() => shop.remove())

const beneficiary = {
  email: 'maitre@cabinet.example',
  first_name: 'Jeanne',
  last_name: 'Dürand-L’Hôte',
  company: 'Cabinet Durand',
}

async function onSale(most: number | null = null): Promise<{ seller: Actor; report: string; offerId: string; token: string }> {
  const seller = await shop.verifiedSeller()
  const report = await shop.report(seller)
  const prepared = await prepareOffer(shop.deps, seller, {
    evidences: [report],
    price_cents: 15_000,
    description: '',
    most,
    personal_data_reviewed: true,
  })
  const { sale_token: token } = await presentOffer(
    shop.deps,
    await amendOffer(shop.deps, seller, prepared.id, { status: 'open' }),
  )
  return { seller, report, offerId: prepared.id, token }
}

async function instalmentOf(invoiceId: string): Promise<string> {
  const row = await database.db
    .selectFrom('instalment')
    .select('id')
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  return row.id
}
const settle = async (invoiceId: string) => {
  const id = await instalmentOf(invoiceId)
  return await database.db
    .transaction()
    .execute(async (tx) => await settleInstalment(tx, shop.deps.billing, id, { channel: 'provider', attemptId: null }))
}

/** Asked for, and waiting for its payment. */
async function waiting(token: string, buyer?: Actor) {
  const who = buyer ?? (await haveBuyer(database.db))
  const { id } = await askLicense(shop.deps, who, { sale_token: token, beneficiary })
  return { buyer: who, id, ...(await checkOut(shop.deps, who, id)) }
}

const paper = () => ({
  ...shop.deps,
  keyring: shop.world.keyring,
  timestampers: shop.world.timestampers,
  workFolder: join(shop.folder, 'work'),
  software: 'probant/1.0.0',
  publicUrl: 'https://probant.example',
  typeset,
})
const bytesOf = async (download: {
  readonly bytes: number
  open(start: number, end: number): Promise<AsyncIterable<unknown>>
}) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of await download.open(0, download.bytes)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

test(
  'C-46 E-45 E-46 a licence is granted once it is paid: its document names beneficiary and root, and the package within is to the byte that of the report',
  { timeout: 240_000 },
  async () => {
    const { seller, report, token } = await onSale()
    const { buyer, id, invoiceId, license } = await waiting(token)
    expect(license).toMatchObject({ status: 'pending', number: null, netCents: 15_000, feeCents: 3000 })
    expect(await presentLicense(shop.deps, license, buyer.accountId)).toMatchObject({
      side: 'bought',
      fee_cents: null,
      code: null,
    })
    await settle(invoiceId)
    expect(await settle(invoiceId)).toBe(false)
    const paid = await findLicense(database.db, id)
    expect(paid).toMatchObject({ status: 'paid', number: 'L2026-000001' })
    const earned = await database.db.selectFrom('earning').selectAll().where('subject_id', '=', id).execute()
    expect(earned).toMatchObject([
      {
        user_id: seller.accountId,
        source: 'license',
        invoice_id: invoiceId,
        line: 1,
        base_cents: 15_000,
        rate: 8000,
        amount_cents: 12_000,
      },
    ])
    await expect(trashEvidence(webDeps(shop.world), { actor: seller }, report)).rejects.toMatchObject({
      code: 'evidence.licensed',
    })

    await makeLicense(paper(), id, never)
    await makeLicense(paper(), id, never)
    const active = await findLicense(database.db, id)
    if (active === null) throw new Error('no licence')
    expect(active.status).toBe('active')
    const documents = await listDocuments(database.db, id)
    expect(documents.map(({ locale }) => locale)).toEqual(['en', 'fr'])
    const told = await presentLicense(shop.deps, active, buyer.accountId)
    const root = told.reports[0]?.root ?? ''
    for (const locale of ['en', 'fr'] as const) {
      const pdf = await bytesOf(await documentOf(shop.deps, active, locale))
      expect(await checkArchival(pdf)).toEqual([])
      const file = join(shop.folder, `${locale}.pdf`)
      await writeFile(file, pdf)
      const text = (await run('pdftotext', ['-raw', file, '-'])).stdout.replaceAll(/\s/g, '')
      expect((await run('pdfsig', ['-nocert', file])).stdout).toContain('Signature is Valid')
      for (const said of ['L2026-000001', 'JeanneDürand-L’Hôte', 'CabinetDurand', root, `/${locale}/licence/${told.code ?? ''}/`])
        expect(text).toContain(said)
    }
    const zip = await bytesOf(await packageOf(shop.deps, active))
    await writeFile(join(shop.folder, 'licence.zip'), zip)
    const unpacked = join(shop.folder, 'unpacked')
    await mkdir(unpacked)
    await run('unzip', ['-q', join(shop.folder, 'licence.zip'), '-d', unpacked])
    const inner = (await run('sh', ['-c', `sha256sum ${unpacked}/probant-*.zip | cut -c1-64`])).stdout.trim()
    const { createHash } = await import('node:crypto')
    expect(inner).toBe(
      createHash('sha256')
        .update(await packageOfReport(shop.world, report))
        .digest('hex'),
    )

    const verified = await presentVerified(shop.deps, told.code ?? '')
    expect(verified).toMatchObject({
      number: 'L2026-000001',
      status: 'active',
      beneficiary: { first_name: 'Jeanne', company: 'Cabinet Durand' },
      seller_name: 'Grace Hopper',
      reports: [{ root }],
      documents: documents.map(({ locale, sha256 }) => ({ language: locale, sha256 })),
    })
    expect(JSON.stringify(verified)).not.toContain(beneficiary.email)
    expect(await presentStats(shop.deps, seller.accountId)).toEqual({
      bought: 0,
      sold: { current: 1, previous: 0, total: 1 },
      sold_net_cents: 15_000,
      fee_cents: 3000,
      earned_cents: 12_000,
      open_offers: 1,
      fee_basis_points: 2000,
      vat_basis_points: 2000,
    })
  },
)

test('both are written to when a licence is granted', async () => {
  const { seller, token } = await onSale()
  await sql`insert into email_address (id, user_id, address, address_key, is_primary, verified_at, created_at)
    values (gen_random_uuid(), ${seller.accountId}::uuid, 'grace@people.example', 'grace@people.example', true, now(), now())`.execute(
    database.db,
  )
  const { id, invoiceId } = await waiting(token)
  await settle(invoiceId)
  const sent: { to: string; subject: string; text: string }[] = []
  const mailer = {
    send: async (mail: (typeof sent)[number]) => {
      await Promise.resolve(sent.push(mail))
    },
    close: () => undefined,
  }
  const mails = { db: database.db, publicUrl: 'https://probant.example', mailer: mailer as never }
  for (const to of ['seller', 'buyer'] as const) await mailLicense(mails, id, to, 'granted')
  expect(sent.map(({ to }) => to)[0]).toBe('grace@people.example')
  expect(sent[0]?.text).toContain('€120.00')
  expect(sent[1]?.subject).toContain('L2026-')
  expect(sent[1]?.text).toContain('https://probant.example/en/evidences/licenses/')
})

/** By a card, at the provider of that realm. */
async function payAt(realm: string, invoiceId: string): Promise<void> {
  const instalment = await instalmentOf(invoiceId)
  await database.db.transaction().execute(async (tx) => {
    const by = { channel: 'provider', idempotencyKey: randomUUID(), realm, means: 'card' } as const
    const attempt = await startAttempt(tx, shop.deps.billing, instalment, by)
    await finishAttempt(tx, shop.deps.billing, attempt.id, 'succeeded')
  })
}

test('H-42 of a licence that was paid by a test payment its document, the page that verifies it and its mails say so; of another none does', async () => {
  const { token } = await onSale()
  const texts: string[] = []
  const mailer = { send: async (mail: { text: string }) => await Promise.resolve(texts.push(mail.text)), close: () => undefined }
  const mails = { db: database.db, publicUrl: 'https://probant.example', mailer: mailer as never }
  for (const [realm, test] of [
    ['127.0.0.1 shop', true],
    ['api.sandbox.mangopay.com shop', true],
    ['api.mangopay.com shop', false],
  ] as const) {
    const { id, buyer, invoiceId } = await waiting(token)
    await payAt(realm, invoiceId)
    await makeLicense(paper(), id, never)
    const license = await findLicense(database.db, id)
    if (license === null) throw new Error('no licence')
    const file = join(shop.folder, 'paid.pdf')
    await writeFile(file, await bytesOf(await documentOf(shop.deps, license, 'en')))
    const text = (await run('pdftotext', ['-layout', file, '-'])).stdout
    expect([realm, text.includes('Test payments: no money moved, and this licence gives no right.')]).toEqual([realm, test])
    expect([realm, text.includes('Test payments – no value')]).toEqual([realm, test])
    const { code } = await presentLicense(shop.deps, license, buyer.accountId)
    expect(await presentVerified(shop.deps, code ?? '')).toMatchObject({ status: 'active', test })
    await mailLicense(mails, id, 'buyer', 'granted')
    expect(texts.at(-1)?.includes('Test payments: no money moved, and this licence gives no right.')).toBe(test)
  }
})

test('of an offer of one licence, asked for by fifty at once, one is sold', { timeout: 120_000 }, async () => {
  const { token, offerId } = await onSale(1)
  const buyers = []
  for (let at = 0; at < 50; at += 1) {
    const buyer = await haveBuyer(database.db)
    buyers.push({ buyer, id: (await askLicense(shop.deps, buyer, { sale_token: token, beneficiary })).id })
  }
  const results = await Promise.allSettled(buyers.map(async ({ buyer, id }) => await checkOut(shop.deps, buyer, id)))
  const won = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const codes = results.flatMap((each) => (each.status === 'rejected' ? [(each.reason as { code: string }).code] : []))
  expect(won).toHaveLength(1)
  expect(new Set(codes)).toEqual(new Set(['licensing.sold_out']))
  await settle(won[0]?.invoiceId ?? '')
  const sold = await database.db
    .selectFrom('license')
    .select('status')
    .where('offer_id', '=', offerId)
    .where('status', '<>', 'pending')
    .execute()
  expect(sold).toEqual([{ status: 'paid' }])
})

test('a place that nobody paid for within a day is free again; one that is being paid is kept', async () => {
  const { token } = await onSale(1)
  const first = await waiting(token)
  await expect(waiting(token)).rejects.toMatchObject({ code: 'licensing.sold_out' })
  shop.later(25 * 3_600_000)
  const instalment = await instalmentOf(first.invoiceId)
  await lapseLicenses(shop.deps, never)
  expect((await findLicense(database.db, first.id))?.status).toBe('lapsed')
  await expect(
    database.db
      .transaction()
      .execute(async (tx) => await settleInstalment(tx, shop.deps.billing, instalment, { channel: 'bank', attemptId: null })),
  ).rejects.toThrow('billing.illegal_transition')
  const second = await waiting(token)
  const id = await instalmentOf(second.invoiceId)
  await database.db.transaction().execute(async (tx) => {
    await startAttempt(tx, shop.deps.billing, id, { channel: 'provider', idempotencyKey: crypto.randomUUID() })
  })
  shop.later(25 * 3_600_000)
  await lapseLicenses(shop.deps, never)
  expect((await findLicense(database.db, second.id))?.status).toBe('pending')
  await expect(amendLicense(shop.deps, second.buyer, second.id, { status: 'lapsed' })).rejects.toMatchObject({
    code: 'licensing.not_pending',
  })
})

test('C-47 a beneficiary is corrected until it is paid, and no later; given up, it costs nothing', async () => {
  const { token, seller } = await onSale()
  await expect(askLicense(shop.deps, seller, { sale_token: token, beneficiary })).rejects.toMatchObject({
    code: 'licensing.own_sale',
  })
  const { buyer, id, invoiceId } = await waiting(token)
  const corrected = await amendLicense(shop.deps, buyer, id, { beneficiary: { ...beneficiary, last_name: 'Durand' } })
  expect(corrected).toMatchObject({ lastName: 'Durand', status: 'pending' })
  // Asked for again before it is paid it is the same.
  expect((await askLicense(shop.deps, buyer, { sale_token: token, beneficiary })).id).toBe(id)
  await settle(invoiceId)
  await expect(amendLicense(shop.deps, buyer, id, { beneficiary })).rejects.toMatchObject({ code: 'licensing.not_pending' })
  const other = await waiting(token)
  expect(await amendLicense(shop.deps, other.buyer, other.id, { status: 'lapsed' })).toMatchObject({ status: 'lapsed' })
  expect(await database.db.selectFrom('invoice').select('id').where('id', '=', other.invoiceId).execute()).toEqual([])
  await expect(amendLicense(shop.deps, buyer, other.id, { status: 'lapsed' })).rejects.toMatchObject({
    code: 'licensing.license_unknown',
  })
})

test('a sale that is stopped between page and payment says so, and a licence that was bought stays', async () => {
  const { token, seller, offerId } = await onSale()
  const bought = await waiting(token)
  await settle(bought.invoiceId)
  const about = await waiting(token)
  const asking = await haveBuyer(database.db)
  const { id } = await askLicense(shop.deps, asking, { sale_token: token, beneficiary })
  await amendOffer(shop.deps, seller, offerId, { status: 'stopped' })
  await lapseThoseOf(shop.deps, offerId)
  await expect(checkOut(shop.deps, asking, id)).rejects.toMatchObject({ code: 'licensing.not_pending' })
  await expect(waiting(token)).rejects.toMatchObject({ code: 'licensing.sale_stopped' })
  expect((await findLicense(database.db, about.id))?.status).toBe('lapsed')
  expect((await findLicense(database.db, bought.id))?.status).toBe('paid')
})

test('bad input: the token of another sale buys what that one sells and nothing of this, and one of no sale buys nothing', async () => {
  const [one, other] = [await onSale(), await onSale()]
  const { buyer, id } = await waiting(one.token)
  const asked = await askLicense(shop.deps, buyer, { sale_token: other.token, beneficiary })
  expect(asked.id).not.toBe(id)
  expect(await Promise.all([id, asked.id].map(async (each) => (await findLicense(database.db, each))?.offerId))).toEqual([
    one.offerId,
    other.offerId,
  ])
  expect((await findLicense(database.db, asked.id))?.reports.map(({ evidenceId }) => evidenceId)).toEqual([other.report])
  // One that ends takes nothing of the other with it.
  await amendOffer(shop.deps, other.seller, other.offerId, { status: 'stopped' })
  await lapseThoseOf(shop.deps, other.offerId)
  expect((await findLicense(database.db, id))?.status).toBe('pending')
  const none = { code: 'licensing.sale_unknown' }
  const made = one.token.slice(0, 20) + other.token.slice(20)
  await expect(saleOf(shop.deps, made)).rejects.toMatchObject(none)
  await expect(askLicense(shop.deps, buyer, { sale_token: made, beneficiary })).rejects.toMatchObject(none)
  await expect(askOnRegistration(shop.deps, { sale_token: made, beneficiary })).rejects.toMatchObject(none)
})

test('a payment that is taken back revokes the licence, of which its code then says so', async () => {
  const { token, report, offerId, seller } = await onSale()
  const { buyer, id, invoiceId } = await waiting(token)
  await settle(invoiceId)
  expect(await followPayments(shop.deps, never)).toBe(0)
  await sql`update invoice set settlement = 'reversed' where id = ${invoiceId}::uuid`.execute(database.db)
  expect(await followPayments(shop.deps, never)).toBe(1)
  expect(await followPayments(shop.deps, never)).toBe(0)
  const revoked = await findLicense(database.db, id)
  if (revoked === null) throw new Error('no licence')
  const { code } = await presentLicense(shop.deps, revoked, buyer.accountId)
  expect(await presentVerified(shop.deps, code ?? '')).toMatchObject({ status: 'revoked' })
  await expect(packageOf(shop.deps, revoked)).rejects.toMatchObject({ code: 'licensing.revoked' })
  await amendOffer(shop.deps, seller, offerId, { status: 'stopped' })
  await trashEvidence(webDeps(shop.world), { actor: seller }, report)
})

test('H-38 a seller’s account ends: his offers are stopped, what was licensed stays for whoever bought it, all else is erased', async () => {
  const { token, seller, report } = await onSale()
  const unsold = await shop.report(seller)
  const { invoiceId } = await waiting(token)
  await settle(invoiceId)
  await endSeller(shop.deps, seller.accountId)
  await eraseOwnedEvidence(webDeps(shop.world), seller.accountId)
  const rows = await database.db
    .selectFrom('evidence')
    .select(['id', 'sale', 'requested_url', 'content_deleted_at'])
    .where('id', 'in', [report, unsold])
    .execute()
  const kept = new Map(rows.map((row) => [row.id, row]))
  expect(kept.get(report)).toMatchObject({ sale: 'licensed', content_deleted_at: null })
  expect(kept.get(unsold)).toMatchObject({ sale: 'none', requested_url: '' })
  await expect(askLicense(shop.deps, await haveBuyer(database.db), { sale_token: token, beneficiary })).rejects.toMatchObject({
    code: 'licensing.sale_stopped',
  })
})

/** As modules account and evidence leave it. */
async function erase(seller: Actor): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    await endSeller(shop.deps, seller.accountId)
    await eraseOwnedEvidence(webDeps(shop.world), seller.accountId)
  }
  const gone = { status: 'erased', first_name: '', last_name: '', password_hash: null, erased_at: shop.clock.now() }
  await database.db.updateTable('account_user').set(gone).where('id', '=', seller.accountId).execute()
}
const isPaying = async (invoiceId: string) => {
  const id = await instalmentOf(invoiceId)
  return await database.db
    .transaction()
    .execute(async (tx) => await startAttempt(tx, shop.deps.billing, id, { channel: 'provider', idempotencyKey: randomUUID() }))
}
const unsold = async () =>
  await eraseUnsold({ db: database.db, eraseReports: async (id) => await eraseOwnedEvidence(webDeps(shop.world), id) }, never)
const contentOf = async (id: string) =>
  (await database.db.selectFrom('evidence').select('content_deleted_at').where('id', '=', id).executeTakeFirstOrThrow())
    .content_deleted_at

test('H-38 a seller’s account ends while somebody pays: he gets what he pays for, from whom it was; refused, the report goes too', async () => {
  const { token, seller, report } = await onSale()
  const { buyer, id, invoiceId } = await waiting(token)
  const idle = await waiting(token)
  await isPaying(invoiceId)
  await erase(seller)
  // Who was not paying yet is told that the sale has ended, and pays nothing.
  expect((await findLicense(database.db, idle.id))?.status).toBe('lapsed')
  expect(await presentSale(shop.deps, await saleOf(shop.deps, token), idle.buyer.accountId)).toMatchObject({ status: 'stopped' })
  expect([await unsold(), await contentOf(report)]).toEqual([0, null])
  expect([await settle(invoiceId), await settle(invoiceId)]).toEqual([true, false])
  const paid = await findLicense(database.db, id)
  if (paid === null) throw new Error('no licence')
  expect(paid).toMatchObject({ status: 'paid', licensor: 'Grace Hopper' })
  const { code } = await presentLicense(shop.deps, paid, buyer.accountId)
  expect(await presentVerified(shop.deps, code ?? '')).toMatchObject({ status: 'active', seller_name: 'Grace Hopper' })
  const earned = await database.db.selectFrom('earning').select('amount_cents').where('subject_id', '=', id).execute()
  expect(earned).toEqual([{ amount_cents: 12_000 }])
  expect([await unsold(), await contentOf(report)]).toEqual([0, null])

  const other = await onSale()
  const refused = await waiting(other.token)
  const { id: attempt } = await isPaying(refused.invoiceId)
  await erase(other.seller)
  await database.db.transaction().execute(async (tx) => await finishAttempt(tx, shop.deps.billing, attempt, 'failed'))
  shop.later(25 * 3_600_000)
  await lapseLicenses(shop.deps, never)
  expect(await findLicense(database.db, refused.id)).toMatchObject({ status: 'lapsed', licensor: null })
  expect(await contentOf(other.report)).toBeNull()
  expect([await unsold(), await unsold()]).toEqual([1, 0])
  expect(await contentOf(other.report)).not.toBeNull()
})

test('of a seller who is suspended nobody buys anything new; whoever is paying gets it; let in again, his sale is as it was', async () => {
  const { token, seller } = await onSale()
  const paying = await waiting(token)
  const asking = await haveBuyer(database.db)
  const { id } = await askLicense(shop.deps, asking, { sale_token: token, beneficiary })
  await isPaying(paying.invoiceId)
  const suspend = async (status: string, at: Date | null) =>
    await database.db.updateTable('account_user').set({ status, suspended_at: at }).where('id', '=', seller.accountId).execute()
  await suspend('suspended', new Date())
  const stopped = { code: 'licensing.sale_stopped' }
  await expect(askLicense(shop.deps, asking, { sale_token: token, beneficiary })).rejects.toMatchObject(stopped)
  await expect(checkOut(shop.deps, asking, id)).rejects.toMatchObject(stopped)
  await expect(askOnRegistration(shop.deps, { sale_token: token, beneficiary })).rejects.toMatchObject(stopped)
  await settle(paying.invoiceId)
  expect((await findLicense(database.db, paying.id))?.status).toBe('paid')
  await suspend('active', null)
  expect((await checkOut(shop.deps, asking, id)).license.status).toBe('pending')
})

test('S-10 of a seller whose own invoices are not paid the sale goes on: his buyers have no part in it', async () => {
  const { token, seller } = await onSale()
  const customer = randomUUID()
  await sql`insert into billing_customer (id, user_id, created_at) values (${customer}::uuid, ${seller.accountId}::uuid, now())`.execute(
    database.db,
  )
  await sql`alter table subscription disable trigger user`.execute(database.db)
  await sql`insert into subscription (id, customer_id, status, plan, cycle, instalments, anchored_on, period_from, period_to, past_due_since, created_at)
    values (${randomUUID()}::uuid, ${customer}::uuid, 'suspended', 'essential', 'month', 1, '2026-10-01', '2026-10-01', '2026-11-01', '2026-10-05', now())`.execute(
    database.db,
  )
  await sql`alter table subscription enable trigger user`.execute(database.db)
  expect(await presentSale(shop.deps, await saleOf(shop.deps, token), null)).toMatchObject({ status: 'open' })
  const { id, invoiceId } = await waiting(token)
  await settle(invoiceId)
  expect((await findLicense(database.db, id))?.status).toBe('paid')
})

test('C-49 whoever registers with it has the licence waiting for him, and none is kept for him before he pays', async () => {
  const { token } = await onSale(1)
  const claim = await askOnRegistration(shop.deps, { sale_token: token, beneficiary })
  const buyer = await haveBuyer(database.db)
  await database.db.transaction().execute(async (tx) => await claim(tx, buyer.accountId))
  const other = await waiting(token)
  await settle(other.invoiceId)
  const { id } = await database.db
    .selectFrom('license')
    .select('id')
    .where('buyer_id', '=', buyer.accountId)
    .executeTakeFirstOrThrow()
  await expect(checkOut(shop.deps, buyer, id)).rejects.toMatchObject({ code: 'licensing.sold_out' })
  await expect(askOnRegistration(shop.deps, { sale_token: token, beneficiary })).rejects.toMatchObject({
    code: 'licensing.sold_out',
  })
})

test('a licence exists if and only if it is paid', async () => {
  const rows = await database.db
    .selectFrom('license')
    .leftJoin('invoice', 'invoice.id', 'license.invoice_id')
    .select(['license.status', 'license.number', 'invoice.settlement', 'invoice.status as document'])
    .execute()
  expect(rows.length).toBeGreaterThan(10)
  for (const { status, number, settlement, document } of rows) {
    const granted = ['paid', 'active'].includes(status)
    expect([granted, granted && number !== null]).toEqual([settlement === 'success' && document === 'issued', granted])
  }
})
