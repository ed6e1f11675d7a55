import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TypesetFailed } from '../../../../platform/print/typeset/typeset.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { comfort, comfortInFour, essential, openBooks } from '../billing.test-data.ts'
import { callBilling, type CalledWith } from '../calls/call-billing.test-data.ts'
import { forgetBuyers } from '../ending/ending-store.ts'
import { forgetDocuments } from '../ending/forget-documents.ts'
import { findDocument } from '../invoice/document-store.ts'
import { openPress } from './documents.test-data.ts'

const database = withDatabase()
let press: Awaited<ReturnType<typeof openPress>>
let books: ReturnType<typeof openBooks>
/** Of a register nothing is wanted here. */
const nobody = { ask: () => Promise.reject(new Error('nobody is asked')) }
type Person = { userId: string; customerId: string }
let ada: Person
let zoe: Person
let firm: Person

const call = async (userId: string, url: string, other: Partial<CalledWith> = {}) =>
  await callBilling({ ...books.deps(), blobs: press.blobs, vatRegister: nobody }, { userId, url, ...other })
const numbersOf = async ({ customerId }: Person) =>
  new Map((await books.invoices(customerId)).map((each) => [`${each.series}-${String(each.number).padStart(6, '0')}`, each.id]))

/** What the tools of poppler say of the file that a call answers. */
async function download(person: Person, id: string, language = ''): Promise<{ text: string; xml: string; signed: string }> {
  const { status, bytes, headers } = await call(person.userId, `/invoices/${id}/pdf/${language}`)
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
  const folder = join(press.folder, `read-${id}-${language.slice(-2)}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'invoice.pdf'), bytes)
  const tool = async (program: string, ...args: string[]) => (await runTool(folder, program, ...args)).output
  await tool('pdfdetach', '-saveall', '-o', '.', 'invoice.pdf')
  return {
    text: (await tool('pdftotext', '-layout', 'invoice.pdf', '-')).replaceAll(/[\u00a0\u202f]/g, ' '),
    xml: await tool('cat', 'factur-x.xml'),
    signed: await tool('pdfsig', 'invoice.pdf'),
  }
}
const leaf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<ram:${name}\\b[^>]*>([^<]*)<`, 'g'))].map((found) => found[1] ?? '')

beforeAll(async () => {
  press = await openPress()
  books = openBooks(database, '2026-11-01T09:00:00Z')
  ada = await books.subscribed(essential)
  firm = await books.customer({ userType: 'legal' })
  await database.db.updateTable('account_user').set({ locale: 'fr' }).where('id', '=', firm.userId).execute()
  await books.ask(firm.customerId, comfortInFour)
  await books.payAll(firm.customerId)
  books.at('2026-11-16T09:00:00Z')
  await books.ask(ada.customerId, comfort)
  await books.payAll(ada.customerId)
  zoe = await books.customer({ country: 'CH' })
  await books.ask(zoe.customerId, essential)
  await books.payAll(zoe.customerId)
}, 60_000)
afterAll(async () => await press.remove())

test('C-42 H-36 before its document is made a call says so, and of a draft that there is none; another account sees nothing', async () => {
  const [id = ''] = (await numbersOf(ada)).values()
  expect(await call(ada.userId, `/invoices/${id}/pdf/`)).toMatchObject({
    status: 409,
    body: { code: 'billing.document_being_made' },
  })
  expect((await call(zoe.userId, `/invoices/${id}/pdf/`)).status).toBe(404)
  await books.ask(zoe.customerId, comfort)
  const draft = (await books.invoices(zoe.customerId)).find(({ status }) => status === 'draft')
  expect((await call(zoe.userId, `/invoices/${draft?.id ?? ''}/pdf/`)).body).toMatchObject({ code: 'billing.not_issued' })
})

test('H-36 those that nobody else makes are made together by one typesetter, and each once', { timeout: 120_000 }, async () => {
  let set = 0
  const { typesetAll } = press.deps(books.deps())
  const counted: typeof typesetAll = async (...args) => {
    set += 1
    return await typesetAll(...args)
  }
  const made = await Promise.all([
    press.make(books.deps(), { typesetAll: counted }),
    press.make(books.deps(), { typesetAll: counted }),
  ])
  expect(made.toSorted()).toEqual([0, 5])
  expect(set).toBe(1)
  expect(await press.make(books.deps(), { typesetAll: counted })).toBe(0)
  const rows = await database.db.selectFrom('invoice_document').select(['locale', 'fault', 'sha256']).execute()
  expect(rows.map(({ locale, fault, sha256 }) => [locale, fault, sha256?.length])).toEqual(
    expect.arrayContaining([
      ['en', null, 64],
      ['fr', null, 64],
    ]),
  )
})

test(
  'C-42 E-36 E-37 E-38 E-39 what is downloaded is signed, holds its XML, and says what the call says, to the cent',
  { timeout: 60_000 },
  async () => {
    for (const [number, id] of await numbersOf(ada)) {
      const { text, xml, signed } = await download(ada, id)
      const { body } = await call(ada.userId, `/invoices/${id}/`)
      expect(signed).toContain('Signature is Valid.')
      expect(signed).toContain('Total document signed')
      expect(text).toContain(number)
      expect(leaf(xml, 'ID')).toContain(number)
      const cents = (name: string) => leaf(xml, name).map((said) => Math.round(Number(said) * 100))
      expect(cents('TaxBasisTotalAmount')).toEqual([body['net_cents']])
      expect(cents('TaxTotalAmount')).toEqual([body['vat_cents']])
      expect(cents('GrandTotalAmount')).toEqual([body['gross_cents']])
      // What was paid as it was issued is owed by nobody; a credit note is owed to the customer.
      expect(cents('DuePayableAmount')).toEqual([body['kind'] === 'credit_note' ? body['gross_cents'] : 0])
      expect(text).toContain(body['kind'] === 'credit_note' ? 'Credit note' : 'Paid on ')
    }
  },
)

test(
  'E-40 K-15 journey (g): of a year in four the document of each payment has all four days and amounts',
  { timeout: 60_000 },
  async () => {
    const [id = ''] = (await numbersOf(firm)).values()
    const { text, xml } = await download(firm, id)
    expect(text.match(/1 197,60 €/g)?.length).toBeGreaterThanOrEqual(4)
    expect(text.match(/1 437,12 €/g)?.length).toBeGreaterThanOrEqual(4)
    for (const day of ['1er novembre 2026', '3 mars 2027', '31 mai 2027', '31 août 2027']) expect(text).toContain(day)
    expect(text).toContain('1 sur 4')
    expect(leaf(xml, 'ID')).toContain('552100554')
    for (const due of ['2027-03-03', '2027-05-31', '2027-08-31']) {
      const later = openBooks(database, `${due}T09:00:00Z`)
      later.later(-30)
      await later.run()
      expect((await later.invoices(firm.customerId)).map((each) => each.due_on)).toContain(due)
      await later.payAll(firm.customerId)
    }
    await sql`update invoice_document set fault = 'not looked at here' where made_at is null`.execute(database.db)
  },
)

test('C-42 in another language it is made when it is asked for, and says the same', { timeout: 60_000 }, async () => {
  const [number = '', id = ''] = [...(await numbersOf(ada))][0] ?? []
  const first = await download(ada, id)
  expect((await call(ada.userId, `/invoices/${id}/pdf/?language=fr`)).body).toMatchObject({
    code: 'billing.document_being_made',
  })
  expect(await press.make(books.deps())).toBe(1)
  const second = await download(ada, id, '?language=fr')
  expect(second.text).toContain('Payée le 1er novembre 2026')
  expect(second.text).toContain(number)
  for (const name of ['GrandTotalAmount', 'DuePayableAmount', 'DateTimeString'])
    expect(leaf(second.xml, name)).toEqual(leaf(first.xml, name))
  expect((await call(ada.userId, `/invoices/${id}/pdf/?language=de`)).status).toBe(400)
})

test('H-37 outside the union no VAT is asked for, and the document says why', { timeout: 60_000 }, async () => {
  const [id = ''] = (await numbersOf(zoe)).values()
  const { text, xml } = await download(zoe, id)
  expect(text).toContain('Not subject to French VAT')
  expect(leaf(xml, 'TaxTotalAmount')).toEqual(['0.00'])
})

test('C-43 H-36 the documents are exported as one archive, those of the account alone', { timeout: 60_000 }, async () => {
  const { status, bytes, headers } = await call(ada.userId, '/invoices/export/?format=zip')
  expect([status, headers['content-type']]).toEqual([200, 'application/zip'])
  await writeFile(join(press.folder, 'all.zip'), bytes)
  const listed = (await runTool(press.folder, 'unzip', '-Z1', 'all.zip')).output.trim().split('\n')
  expect(listed).toEqual(['A2026-000001.en.pdf', 'F2026-000001.en.pdf', 'F2026-000001.fr.pdf', 'F2026-000003.en.pdf'].toSorted())
  expect((await runTool(press.folder, 'unzip', '-t', 'all.zip')).output).toContain('No errors detected')
  const other = await books.customer()
  expect((await call(other.userId, '/invoices/export/?format=zip')).body).toMatchObject({ code: 'billing.nothing_to_export' })
})

test('one that cannot be set holds up no other, and is said to be looked after', async () => {
  const [good, bad] = [await books.subscribed(essential), await books.subscribed(essential)]
  const [badId = ''] = (await numbersOf(bad)).values()
  const [goodId = ''] = (await numbersOf(good)).values()
  const [badNumber = ''] = (await numbersOf(bad)).keys()
  let tried = 0
  const made = await press.make(books.deps(), {
    typesetAll: (printed) => {
      tried += 1
      return printed.some(({ title }) => title.includes(badNumber))
        ? Promise.reject(new TypesetFailed('ended with 1'))
        : press
            .deps(books.deps())
            .typesetAll(printed, { folder: join(press.folder, `one-${tried}`), signal: AbortSignal.timeout(60_000) })
    },
  })
  expect([made, tried]).toEqual([2, 3])
  expect(await findDocument(database.db, { invoiceId: goodId, locale: 'en' })).toMatchObject({
    bytes: expect.any(Number) as number,
  })
  expect((await call(bad.userId, `/invoices/${badId}/pdf/`)).body).toMatchObject({ code: 'billing.document_faulty' })
})

test('what passes, as a time stamp that cannot be had, leaves all of them to be made', async () => {
  const { customerId } = await books.subscribed(essential)
  const [id = ''] = (await books.invoices(customerId)).map((each) => each.id)
  const refusing = { signPdf: async () => await Promise.reject(new Error('no time stamp')) }
  await expect(press.make(books.deps(), refusing)).rejects.toThrow('no time stamp')
  expect(await findDocument(database.db, { invoiceId: id, locale: 'en' })).toBe('wished')
  expect(await press.make(books.deps())).toBe(1)
})

test('H-38 after the ten years of the law the files go with the name of the buyer', async () => {
  const [id = ''] = (await numbersOf(ada)).values()
  const kept = async () => await Array.fromAsync(press.blobs.scope(id).list())
  expect(await kept()).toHaveLength(2)
  await forgetBuyers(database.db, new Date('2036-12-31T12:00:00Z'))
  expect(await forgetDocuments({ ...books.deps(), blobs: press.blobs })).toBe(0)
  await forgetBuyers(database.db, new Date('2037-01-01T12:00:00Z'))
  expect(await forgetDocuments({ ...books.deps(), blobs: press.blobs })).toBeGreaterThan(3)
  expect(await kept()).toEqual([])
  expect(await findDocument(database.db, { invoiceId: id, locale: 'en' })).toBeNull()
})

test('BR-FR-11 a French firm is asked for its SIREN before anything is invoiced to it', async () => {
  const { userId, customerId } = await books.customer({ userType: 'legal' })
  await database.db.updateTable('profile').set({ company_number: '552100555' }).where('user_id', '=', userId).execute()
  await expect(books.ask(customerId, essential)).rejects.toThrow('billing.siren_missing')
  await database.db.updateTable('profile').set({ company_number: '552 100 554 00013' }).where('user_id', '=', userId).execute()
  await books.ask(customerId, essential)
  await database.db
    .updateTable('profile')
    .set({ company_number: 'HRB 12', country: 'DE' })
    .where('user_id', '=', userId)
    .execute()
  expect(await books.payAll(customerId)).toBe(1)
})
