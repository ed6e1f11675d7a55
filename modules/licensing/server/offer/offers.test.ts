import { PNG } from 'pngjs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { blur, blurredWidth } from '../../../evidence/server/sale/blurred-picture.ts'
import { storeEvidence } from '../../../evidence/server/keep/keep-files.ts'
import { eraseOwnedEvidence } from '../../../evidence/server/trash/erase-owned.ts'
import { trashEvidence } from '../../../evidence/server/trash/trash-evidence.ts'
import { webDeps } from '../../../evidence/server/health/final-evidence.test-data.ts'
import { leafHash, logEntryOf, parseTlogProof, rootOfInclusion } from '../../../verification/server/index.ts'
import { fingerprintsOf } from '../../../review/server/documents/fingerprint.ts'
import { offerTransitions, licenseTransitions } from '../../domain/status.ts'
import { haveBankAccount, haveIdentity, openShop } from '../licensing.test-data.ts'
import { presentOffer } from '../present/present-offer.ts'
import { openSaleOf, presentSale, proofOf, saleOf } from '../present/present-sale.ts'
import { amendOffer, prepareOffer } from './change-offer.ts'

const database = withDatabase()
let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop(database.db)
}, 60_000)
afterAll(() => shop.remove())

const asked = (evidences: readonly string[]) => ({
  evidences: [...evidences],
  price_cents: 15_000,
  description: 'A false shop',
  most: null,
  personal_data_reviewed: false,
})

test('P-12 E-29 what an offer lacks is named, one thing after the other, until it can be opened', async () => {
  const seller = actorOf(await haveAccount(database.db, { first: 'Grace', last: 'Hopper' }))
  const report = await shop.report(seller)
  const { id } = await prepareOffer(shop.deps, seller, asked([report]))
  const lacking = async () => {
    const { lacking: all } = await presentOffer(shop.deps, await amendOffer(shop.deps, seller, id, {}))
    return all
  }
  expect(await lacking()).toEqual(['identity', 'bank_account', 'personal_data'])
  await expect(amendOffer(shop.deps, seller, id, { status: 'open' })).rejects.toMatchObject({
    code: 'licensing.offer_not_ready',
    data: { lacking: 'identity, bank_account, personal_data' },
  })
  await haveIdentity(database.db, seller.accountId)
  expect(await lacking()).toEqual(['bank_account', 'personal_data'])
  await haveBankAccount(database.db, seller.accountId)
  await storeEvidence(webDeps(shop.world), { actor: seller }, report, false)
  expect(await lacking()).toEqual(['files_not_kept', 'personal_data'])
  await storeEvidence(webDeps(shop.world), { actor: seller }, report, true)
  const open = await amendOffer(shop.deps, seller, id, { personal_data_reviewed: true, status: 'open' })
  expect(await presentOffer(shop.deps, open)).toMatchObject({
    status: 'open',
    lacking: [],
    fee_basis_points: 2000,
    fee_cents: 3000,
  })
})

test('E-29 what is for sale is not thrown away, nor are its files; once the sale is stopped it can be', async () => {
  const seller = await shop.verifiedSeller()
  const report = await shop.report(seller)
  const caller = { actor: seller }
  const { id } = await prepareOffer(shop.deps, seller, asked([report]))
  await amendOffer(shop.deps, seller, id, { personal_data_reviewed: true, status: 'open' })
  const deps = webDeps(shop.world)
  await expect(trashEvidence(deps, caller, report)).rejects.toMatchObject({ code: 'evidence.for_sale' })
  await expect(storeEvidence(deps, caller, report, false)).rejects.toMatchObject({ code: 'evidence.for_sale' })
  await expect(
    database.db.updateTable('evidence').set({ trashed_at: new Date() }).where('id', '=', report).execute(),
  ).rejects.toThrow('evidence_sold_stays')
  await eraseOwnedEvidence(deps, seller.accountId)
  expect(await presentSale(shop.deps, await amendOffer(shop.deps, seller, id, {}), null)).toMatchObject({ status: 'open' })
  await amendOffer(shop.deps, seller, id, { status: 'stopped' })
  await trashEvidence(deps, caller, report)
})

test('R-06 the page of a sale tells address, date, price with VAT and seller, and no fingerprint of what was recorded', async () => {
  const seller = await shop.verifiedSeller()
  const reports = [await shop.report(seller), await shop.report(seller)]
  const { id } = await prepareOffer(shop.deps, seller, { ...asked(reports), most: 1 })
  const drafted = await presentOffer(shop.deps, await amendOffer(shop.deps, seller, id, {}))
  // A draft has no page.
  await expect(saleOf(shop.deps, drafted.sale_token)).rejects.toMatchObject({ code: 'licensing.sale_unknown' })
  const preview = await presentSale(shop.deps, await amendOffer(shop.deps, seller, id, {}), seller.accountId, true)
  await amendOffer(shop.deps, seller, id, { personal_data_reviewed: true, status: 'open' })
  const offer = await openSaleOf(shop.deps, drafted.sale_token)
  const sale = await presentSale(shop.deps, offer, null)
  expect(sale).toMatchObject({
    status: 'open',
    seller_name: 'Grace Hopper',
    description: 'A false shop',
    price: { net_cents: 15_000, vat_cents: 3000, gross_cents: 18_000, vat_basis_points: 2000 },
    remaining: 1,
    own: false,
    license: null,
  })
  expect({ ...preview, own: false }).toEqual(sale)
  expect(sale.reports.map(({ number }) => number)).toEqual([1, 2])
  const manifest = await database.db.selectFrom('evidence_file').select('sha256').where('section', '=', 'piece').execute()
  const told = JSON.stringify([sale, await proofOf(shop.deps, offer, 1), await proofOf(shop.deps, offer, 2)])
  expect(manifest.length).toBeGreaterThan(0)
  for (const { sha256 } of manifest) expect(told).not.toContain(sha256)
  await expect(saleOf(shop.deps, `${drafted.sale_token.slice(0, -1)}_`)).rejects.toMatchObject({ code: 'licensing.sale_unknown' })
})

test('the proof of a sale leads from the address and the instants to the root, and from the root to the public log', async () => {
  const seller = await shop.verifiedSeller()
  const report = await shop.report(seller)
  const { id } = await prepareOffer(shop.deps, seller, asked([report]))
  const offer = await amendOffer(shop.deps, seller, id, { personal_data_reviewed: true, status: 'open' })
  const proof = await proofOf(shop.deps, offer, 1)
  const first = leafHash(utf8(proof.subject))
  const led = rootOfInclusion({ leafHash: first, index: 0, size: proof.leaves, path: proof.path.map(fromHex) })
  expect(led === null ? null : toHex(led)).toBe(proof.root)
  expect(JSON.parse(proof.subject)).toMatchObject({ subject: { evidence_id: report } })
  const file = proof.files.find(({ path }) => path === 'seal/log-proof.txt')
  const logged = parseTlogProof(Buffer.from(file?.base64 ?? '', 'base64'))
  if (typeof logged === 'string') throw new Error(logged)
  const entry = leafHash(logEntryOf(logged.extra ?? new Uint8Array(), fromHex(proof.root)))
  const checkpoint = rootOfInclusion({ leafHash: entry, index: logged.index, size: logged.checkpoint.size, path: logged.path })
  expect(checkpoint === null ? null : toHex(checkpoint)).toBe(toHex(logged.checkpoint.rootHash))
  expect(proof.log).toMatchObject({ origin: 'log.example/log', index: logged.index })
  // Nothing that lists the pieces.
  expect(
    proof.files.map(({ path }) => path).filter((path) => !/^seal\/(root|signature|platform|timestamp|log)/.test(path)),
  ).toEqual([])
})

test('a sale that is stopped says so and nothing more, and is not opened again', async () => {
  const seller = await shop.verifiedSeller()
  const { id } = await prepareOffer(shop.deps, seller, asked([await shop.report(seller)]))
  const open = await amendOffer(shop.deps, seller, id, { personal_data_reviewed: true, status: 'open' })
  const { sale_token: token } = await presentOffer(shop.deps, open)
  await amendOffer(shop.deps, seller, id, { status: 'stopped' })
  expect(await presentSale(shop.deps, await saleOf(shop.deps, token), null)).toMatchObject({
    status: 'stopped',
    seller_name: '',
    description: '',
    price: null,
    reports: [],
  })
  await expect(openSaleOf(shop.deps, token)).rejects.toMatchObject({ code: 'licensing.sale_unknown' })
  await expect(amendOffer(shop.deps, seller, id, { status: 'open' })).rejects.toMatchObject({ code: 'licensing.offer_stopped' })
})

test('a seller who is suspended sells nothing meanwhile', async () => {
  const seller = await shop.verifiedSeller()
  const { id } = await prepareOffer(shop.deps, seller, asked([await shop.report(seller)]))
  const open = await amendOffer(shop.deps, seller, id, { personal_data_reviewed: true, status: 'open' })
  const suspend = async (status: string, at: Date | null) => {
    const row = { status, suspended_at: at }
    await database.db.updateTable('account_user').set(row).where('id', '=', seller.accountId).execute()
    return (await presentSale(shop.deps, open, null)).status
  }
  expect(await suspend('suspended', new Date())).toBe('stopped')
  expect(await suspend('active', null)).toBe('open')
})

test('P-12 a seller who calls himself otherwise than he has proven sells nothing until he is called so again', async () => {
  const seller = await shop.verifiedSeller()
  const { id } = await prepareOffer(shop.deps, seller, asked([await shop.report(seller)]))
  const open = await amendOffer(shop.deps, seller, id, { personal_data_reviewed: true, status: 'open' })
  const sent = [
    { field: 'first_name', value: 'Grace' },
    { field: 'last_name', value: 'Hopper' },
    { field: 'user_type', value: null },
  ]
  const typed = fingerprintsOf(shop.deps.secret, seller.accountId, { userType: null, fields: sent, beneficialOwners: [] })
  await sql`update identity_file set typed = ${JSON.stringify(typed)} where user_id = ${seller.accountId}::uuid`.execute(
    database.db,
  )
  const named = async (last: string) => {
    await database.db.updateTable('account_user').set({ last_name: last }).where('id', '=', seller.accountId).execute()
    return [(await presentSale(shop.deps, open, null)).status, (await presentOffer(shop.deps, open)).lacking]
  }
  expect(await named('Murray')).toEqual(['stopped', ['identity_changed']])
  expect(await named('Hopper')).toEqual(['open', []])
})

test('the database knows the same course of offers and licences', async () => {
  const rows = await database.db.selectFrom('licensing_transition').selectAll().execute()
  for (const [machine, table] of Object.entries({ offer: offerTransitions, license: licenseTransitions })) {
    const inCode = Object.entries<readonly string[]>(table).flatMap(([from, all]) => all.map((to) => `${from} ${to}`))
    const kept = rows.filter((row) => row.machine === machine).map((row) => `${row.from_status} ${row.to_status}`)
    expect(kept.toSorted()).toEqual(inCode.toSorted())
  }
})

test('a blurred picture has so few pixels that no letter is left in it, each the mean of what it stands for', () => {
  const page = new PNG({ width: 1280, height: 800 })
  for (let at = 0; at < page.data.length; at += 4) {
    const ink = Math.floor(at / 4) % 4 < 2 ? 0 : 255
    page.data.set([ink, ink, ink, 255], at)
  }
  const blurred = blur(PNG.sync.write(page))
  const { width, height, data } = PNG.sync.read(blurred ?? Buffer.alloc(0))
  expect([width, height]).toEqual([blurredWidth, 25])
  expect([...data].filter((_, index) => index % 4 === 0).every((grey) => grey > 126 && grey < 129)).toBe(true)
  expect(blur(Buffer.from('no picture at all, and much longer than its head'))).toBeNull()
})
