import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { actorOf, haveAccount, sessionsOf } from '../../../../testing/accounts.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { emptyBooks, openBooks, seller } from '../../../billing/server/billing.test-data.ts'
import { openPress } from '../../../billing/server/document/documents.test-data.ts'
import { findBroken } from '../../../billing/server/invariants/invariant-store.ts'
import { issueBills } from '../bill/issue-bills.ts'
import { listBills } from '../bill/bill-store.ts'
import { findPaper, type PaperKind } from '../keep/paper-store.ts'
import { findPayout } from '../keep/payout-store.ts'
import { earner, settled } from '../pay/paying.test-data.ts'
import { readLacking } from '../payee/read-lacking.ts'
import { payoutRoutes } from '../routes.ts'
import { never, openPayouts } from '../payouts.test-data.ts'
import { forgetPayees, makePapers } from './make-papers.ts'
import { listPapers } from './send-paper.ts'

const database = withDatabase()
let press: Awaited<ReturnType<typeof openPress>>
beforeAll(async () => {
  press = await openPress()
}, 60_000)
afterAll(async () => await press.remove())
beforeEach(async () => await emptyBooks(database))
afterEach(async () => expect(await findBroken(database.db)).toEqual([]))

function open() {
  const payouts = openPayouts(database, { books: openBooks(database) })
  const deps = () => ({ ...payouts.deps(), ...press.deps(payouts.books.deps()), log: payouts.deps().log })
  return {
    ...payouts,
    issue: async () => await issueBills(payouts.deps(), never),
    make: async () => await makePapers(deps(), AbortSignal.timeout(100_000)),
    forget: async () => await forgetPayees(deps()),
    settle: async (id: string, outcome: 'success' | 'returned') => await settled(payouts.deps(), actorOf(id), id, outcome),
    /** What stands in the file, and in the file within it. */
    async read(payoutId: string, kind: PaperKind, locale: 'en' | 'fr') {
      const paper = await findPaper(database.db, { payoutId, kind, locale })
      if (paper === null || typeof paper === 'string') return expect.fail(`${kind} is ${String(paper)}`)
      const folder = join(press.folder, `${payoutId}-${kind}`)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'paper.pdf'), await press.blobs.scope(payoutId).read(paper.sha256, { maxBytes: paper.bytes }))
      expect((await runTool(folder, 'pdfsig', 'paper.pdf')).output).toContain('Signature is Valid.')
      const text = (await runTool(folder, 'pdftotext', '-layout', 'paper.pdf', '-')).output.replaceAll(/[\s\u00a0\u202f]+/g, ' ')
      await runTool(folder, 'pdfdetach', '-saveall', 'paper.pdf')
      return { text, folder }
    },
  }
}

/** A French firm whose VAT number is known to be valid, and that earned something. */
async function firm(payouts: ReturnType<typeof open>) {
  const { userId, customerId } = await payouts.books.customer({ userType: 'legal' })
  await payouts.referee(userId)
  await payouts.accrue()
  await payouts.ready(userId)
  await sql`update profile set company_type = 'organization', company_name = 'Œuvres & Cie', company_number = '552 100 554 00013',
    company_address = '1 rue', representative_first_name = 'A', representative_last_name = 'B' where user_id = ${userId}::uuid`.execute(
    database.db,
  )
  await sql`update billing_customer set vat_number = 'FR96552100554', vat_check = 'valid', vat_checked_at = now() where id = ${customerId}::uuid`.execute(
    database.db,
  )
  return userId
}

test(
  'H-48 C-55 a firm with a VAT number is invoiced for by us: signed, with its XML, of a series of its own, and taken back when its bank sends the money back',
  { timeout: 120_000 },
  async () => {
    const payouts = open()
    const userId = await firm(payouts)
    payouts.books.at('2027-02-01T09:00:00Z')
    expect(await payouts.run()).toBe(1)
    const [begun] = await payouts.payouts(userId)
    const id = begun?.id ?? ''
    // Nothing is told of what has not reached its bank.
    expect([await payouts.issue(), await payouts.make()]).toEqual([0, 0])
    expect(await listPapers(database.db, (await findPayout(database.db, id)) ?? expect.fail('it was begun'))).toEqual([])
    await payouts.settle(id, 'success')
    expect(await Promise.all([payouts.issue(), payouts.issue()])).toEqual(expect.arrayContaining([1]))
    expect(await payouts.issue()).toBe(0)
    expect(await listBills(database.db, id)).toEqual([{ kind: 'self_billed', number: 'P2027-000001', issuedOn: '2027-02-01' }])
    expect(await payouts.make()).toBe(2)
    const language = (
      await database.db.selectFrom('account_user').select('locale').where('id', '=', userId).executeTakeFirstOrThrow()
    ).locale
    const locale = language === 'fr' ? 'fr' : 'en'
    const bill = await payouts.read(id, 'self_billed', locale)
    for (const words of [
      'P2027-000001',
      'Autofacturation',
      'Œuvres & Cie',
      '552100554',
      'FR96552100554',
      seller.name,
      '39.90',
      '7.98',
      '47.88',
    ])
      expect(bill.text).toContain(words)
    const xml = await runTool(bill.folder, 'cat', 'factur-x.xml')
    expect(xml.output).toMatch(/<ram:TypeCode>389<\/ram:TypeCode>/)
    expect(xml.output).toMatch(/<ram:DuePayableAmount>0.00<\/ram:DuePayableAmount>/)
    const statement = await payouts.read(id, 'statement', locale)
    for (const words of ['Œuvres & Cie', 'F2026-000001, line 1, 10% of €399.00', '€39.90', '€47.88'])
      expect(statement.text).toContain(words)

    await payouts.settle(id, 'returned')
    expect(await payouts.issue()).toBe(1)
    expect(await payouts.make()).toBe(1)
    expect((await listBills(database.db, id)).map(({ number }) => number)).toEqual(['P2027-000001', 'PA2027-000001'])
    const credit = await payouts.read(id, 'self_billed_credit', locale)
    expect(credit.text).toContain('P2027-000001')
    expect((await runTool(credit.folder, 'cat', 'factur-x.xml')).output).toMatch(/<ram:TypeCode>261<\/ram:TypeCode>/)

    payouts.books.at('2027-03-01T09:00:00Z')
    await payouts.run()
    const again = (await payouts.payouts(userId))[1]?.id ?? ''
    await payouts.settle(again, 'success')
    expect(await payouts.issue()).toBe(1)
    expect((await listBills(database.db, again)).map(({ number }) => number)).toEqual(['P2027-000002'])
    // The law's ten years are over: whoever was paid is forgotten, with the files that name him; what was issued stays, without him.
    payouts.books.at('2037-12-31T09:00:00Z')
    expect(await payouts.forget()).toBe(0)
    payouts.books.at('2038-01-01T09:00:00Z')
    expect(await payouts.forget()).toBe(2)
    expect(await findPaper(database.db, { payoutId: id, kind: 'statement', locale })).toBeNull()
    expect(await Array.fromAsync(press.blobs.scope(id).list())).toEqual([])
    expect(await listBills(database.db, id)).toHaveLength(2)
  },
)

test(
  'C-55 whoever has no VAT number has a statement alone, in either language; nobody else is given it',
  { timeout: 120_000 },
  async () => {
    const payouts = open()
    const { userId } = await earner(payouts)
    payouts.books.at('2027-02-01T09:00:00Z')
    await payouts.run()
    const id = (await payouts.payouts(userId))[0]?.id ?? ''
    await payouts.settle(id, 'success')
    expect([await payouts.issue(), await payouts.make()]).toEqual([0, 1])
    const payout = (await findPayout(database.db, id)) ?? expect.fail('it was paid')
    expect(await listPapers(database.db, payout)).toEqual([{ kind: 'statement', number: null }])
    const server = await createHttpServer({
      config: loadConfig({}),
      log: silentLog,
      secret: 's'.repeat(32),
      routes: payoutRoutes({
        ...payouts.deps(),
        blobs: press.blobs,
        told: { referralRate: 1000, referralMonths: 12, licenseFeeRate: 2000 },
      }),
      health: {},
      authenticate: sessionsOf(),
    })
    const call = async (who: string, query: string) =>
      await server.inject({ url: `/payouts/${id}/pdf/${query}`, headers: { authorization: `Bearer ${who}` } })
    try {
      const own = await call(userId, '')
      expect([own.statusCode, own.headers['content-type'], own.rawPayload.subarray(0, 5).toString()]).toEqual([
        200,
        'application/pdf',
        '%PDF-',
      ])
      expect((await call(userId, '?document=self_billed')).json()).toMatchObject({ code: 'payout.no_document' })
      expect((await call(await haveAccount(database.db), '')).json()).toMatchObject({ code: 'payout.unknown' })
      const { locale } = await database.db
        .selectFrom('account_user')
        .select('locale')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      const other = `?language=${locale === 'fr' ? 'en' : 'fr'}`
      expect((await call(userId, other)).json()).toMatchObject({ code: 'payout.document_being_made' })
      expect(await payouts.make()).toBe(1)
      expect((await call(userId, other)).statusCode).toBe(200)
    } finally {
      await server.close()
    }
  },
)

test('of whom no invoice could be made out nothing is reserved, and he is told; once it can, he is paid', async () => {
  const payouts = open()
  const userId = await firm(payouts)
  await sql`update profile set company_number = '552 100 555' where user_id = ${userId}::uuid`.execute(database.db)
  payouts.books.at('2027-02-01T09:00:00Z')
  expect(await payouts.run()).toBe(0)
  expect(await readLacking(database.db, payouts.deps(), userId, 3990)).toEqual(['invoice'])
  await sql`update profile set company_number = '552 100 554' where user_id = ${userId}::uuid`.execute(database.db)
  payouts.books.at('2027-03-01T09:00:00Z')
  expect(await payouts.run()).toBe(1)
})

test('what was made out only grows, and a payee stays who he was until he is forgotten', async () => {
  const payouts = open()
  const userId = await firm(payouts)
  payouts.books.at('2027-02-01T09:00:00Z')
  await payouts.run()
  const id = (await payouts.payouts(userId))[0]?.id ?? ''
  await payouts.settle(id, 'success')
  await payouts.issue()
  await expect(sql`update payout_invoice set number = 7 where payout_id = ${id}::uuid`.execute(database.db)).rejects.toThrow()
  await expect(sql`delete from payout_invoice where payout_id = ${id}::uuid`.execute(database.db)).rejects.toThrow()
  await expect(sql`update payout set payee = '{}' where id = ${id}::uuid`.execute(database.db)).rejects.toThrow(
    'stays what it is',
  )
})
