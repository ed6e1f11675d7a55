import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { startVies } from '../../../../testing/vies/start-vies.ts'
import { emptyBooks, essential, openBooks, seller } from '../billing.test-data.ts'
import { callBilling } from '../calls/call-billing.test-data.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { sendBillingNotice } from '../mail/send-billing-notice.ts'
import { checkVatNumber, checkVatNumbers } from './check-vat-number.ts'
import { viesRegister } from './vies-register.ts'

const database = withDatabase()
const folder = await temporaryFolder()
let vies: Awaited<ReturnType<typeof startVies>>
beforeAll(async () => {
  vies = await startVies()
})
afterAll(async () => {
  await vies.close()
  await folder.remove()
})
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

type Books = ReturnType<typeof openBooks>
const register = () => viesRegister({ url: vies.url, requester: seller.vatId })
const depsOf = (books: Books) => ({
  ...books.deps(),
  blobs: createFolderBlobStore(folder.dir),
  vatRegister: register(),
})
const give = async (books: Books, userId: string, number: string | null) =>
  await callBilling(depsOf(books), {
    userId,
    method: 'POST',
    url: '/invoices/vat_number/',
    payload: { vat_number: number },
  })
const firmIn = async (books: Books, country: string) => await books.customer({ country, userType: 'legal' })
const consultations = async () =>
  await database.db
    .selectFrom('vat_consultation')
    .select(['vat_number', 'state', 'consultation', 'asked_at'])
    .orderBy('id')
    .execute()

/** What customers are written to of it. */
async function mails(books: Books): Promise<string[]> {
  const sent: Mail[] = []
  const open = await database.db
    .selectFrom('billing_notice')
    .select('id')
    .where('settled_at', 'is', null)
    .where('kind', '=', 'vat_checked')
    .execute()
  for (const { id } of open)
    await sendBillingNotice(
      {
        ...books.deps(),
        mailer: { send: async (mail: Mail) => await Promise.resolve(void sent.push(mail)), close: () => undefined },
        publicUrl: 'https://probant.example',
        testPayments: false,
      },
      id,
    )
  return sent.map(({ subject, text }) => `${subject}\n${text}`)
}

test('H-37 a firm of the union with a valid number: the answer is kept with its consultation, and its invoices are without French VAT', async () => {
  const books = openBooks(database)
  const { userId, customerId } = await firmIn(books, 'DE')
  vies.says('DE129273398', { valid: true })
  const { status, body } = await give(books, userId, 'de 129.273.398')
  expect([status, body]).toMatchObject([
    200,
    {
      vat_number: 'DE129273398',
      status: 'valid',
      checked_at: '2026-11-23T09:00:00.000Z',
      consultation: expect.stringMatching(/^WAPIAAAAZ/) as string,
      vat_treatment: 'reverse_charge',
      vat_basis_points: 0,
    },
  ])
  expect(vies.asked.at(-1)).toEqual({
    countryCode: 'DE',
    vatNumber: '129273398',
    requesterMemberStateCode: 'FR',
    requesterNumber: '11123456782',
  })
  expect(await consultations()).toEqual([
    { vat_number: 'DE129273398', state: 'valid', consultation: body['consultation'], asked_at: books.now() },
  ])
  await books.ask(customerId, essential)
  expect(await books.invoices(customerId)).toMatchObject([{ net_cents: 39_900, vat_cents: 0 }])
  expect(await mails(books)).toEqual([
    expect.stringMatching(/valid\n[^]*DE129273398 is a valid VAT number \(consultation WAPI[^]*reverse charge/),
  ])
})

test('H-37 one that the register does not know is told in the customer’s language, and French VAT applies', async () => {
  const books = openBooks(database)
  const { userId, customerId } = await firmIn(books, 'DE')
  await database.db.updateTable('account_user').set({ locale: 'fr' }).where('id', '=', userId).execute()
  const { body } = await give(books, userId, 'DE999999999')
  expect(body).toMatchObject({ status: 'invalid', consultation: null, vat_treatment: 'standard', vat_basis_points: 2000 })
  expect(await mails(books)).toEqual([expect.stringMatching(/non valide\n[^]*DE999999999 n’est pas un numéro de TVA valide/)])
  await books.ask(customerId, essential)
  expect(await books.invoices(customerId)).toMatchObject([{ vat_cents: 7_980 }])
})

test.each([
  ['its member state is away', { error: 'MS_UNAVAILABLE' }],
  ['too many ask', { error: 'GLOBAL_MAX_CONCURRENT_REQ' }],
  ['it answers with a page', { raw: '<html>Bad gateway</html>', status: 502 }],
  [
    'it answers about another number',
    { raw: '{"countryCode":"DE","vatNumber":"1","requestDate":"x","valid":true}', status: 200 },
  ],
  ['it answers with something else', { raw: '{"valid":"yes"}', status: 200 }],
  ['it says too much', { raw: `"${'x'.repeat(100_000)}"`, status: 200 }],
  ['it says nothing', 'silence'],
] as const)('H-37 while it cannot be told, as %s, nothing is invoiced; once it can, all goes on', async (_, said) => {
  const books = openBooks(database)
  const { userId, customerId } = await firmIn(books, 'DE')
  vies.says('DE136695976', said)
  const quick = { ...depsOf(books), vatRegister: viesRegister({ url: vies.url, requester: seller.vatId, timeoutMs: 300 }) }
  const given = await callBilling(quick, {
    userId,
    method: 'POST',
    url: '/invoices/vat_number/',
    payload: { vat_number: 'DE136695976' },
  })
  expect(given.body).toMatchObject({ status: 'unreachable', vat_treatment: 'wait', vat_basis_points: null })
  await expect(books.ask(customerId, essential)).rejects.toThrow('billing.vat_unchecked')
  expect(await mails(books)).toEqual([])
  vies.says('DE136695976', { valid: true })
  await checkVatNumbers(depsOf(books))
  await books.ask(customerId, essential)
  expect(await books.invoices(customerId)).toMatchObject([{ vat_cents: 0 }])
  expect((await consultations()).map(({ state }) => state)).toEqual(['unreachable', 'valid'])
  expect(await mails(books)).toHaveLength(1)
})

test('H-37 what has no shape of a number, is of another country or of a person is refused before anybody is asked', async () => {
  const books = openBooks(database)
  const asked = vies.asked.length
  const fields = async (userId: string, number: string) => (await give(books, userId, number)).body['fields']
  const german = await firmIn(books, 'DE')
  expect(await fields(german.userId, 'DE12345')).toEqual({ vat_number: ['vat_number_format'] })
  expect(await fields(german.userId, 'PL1234567890')).toEqual({ vat_number: ['vat_number_country'] })
  expect(await fields((await books.customer({ country: 'DE' })).userId, 'DE129273398')).toEqual({
    vat_number: ['vat_number_business'],
  })
  expect(vies.asked).toHaveLength(asked)
  expect(await consultations()).toEqual([])
  expect((await callBilling(depsOf(books), { userId: german.userId, url: '/invoices/vat_number/' })).body).toMatchObject({
    vat_number: null,
    status: 'none',
    vat_treatment: 'standard',
  })
})

test('H-37 Northern Ireland is asked about as XI, and its services are outside French VAT', async () => {
  const books = openBooks(database)
  const { userId } = await firmIn(books, 'GB')
  vies.says('XI123456789', { valid: true })
  expect((await give(books, userId, 'XI 123456789')).body).toMatchObject({
    status: 'valid',
    vat_treatment: 'outside',
    vat_basis_points: 0,
  })
  expect(vies.asked.at(-1)).toMatchObject({ countryCode: 'XI', vatNumber: '123456789' })
  expect(await mails(books)).toEqual([expect.stringContaining('Services to Northern Ireland are outside French VAT.')])
})

test('H-37 a number is asked about again after thirty days; silence takes back nothing, an end does', async () => {
  const books = openBooks(database)
  const { userId } = await firmIn(books, 'DE')
  vies.says('DE129273398', { valid: true })
  await give(books, userId, 'DE129273398')
  const asked = vies.asked.length
  books.later(29)
  await checkVatNumbers(depsOf(books))
  expect(vies.asked).toHaveLength(asked)
  vies.says('DE129273398', { error: 'MS_UNAVAILABLE' })
  books.later(2)
  await checkVatNumbers(depsOf(books))
  const status = async () => (await callBilling(depsOf(books), { userId, url: '/invoices/vat_number/' })).body['status']
  expect([await status(), vies.asked.length]).toEqual(['valid', asked + 1])
  vies.says('DE129273398', { valid: false })
  await checkVatNumbers(depsOf(books))
  expect(await status()).toBe('invalid')
})

test('an answer about a number that was changed meanwhile is of nobody', async () => {
  const books = openBooks(database)
  const { userId, customerId } = await firmIn(books, 'DE')
  vies.says('DE129273398', { valid: true })
  await give(books, userId, 'DE999999999')
  const slow = {
    ...depsOf(books),
    vatRegister: {
      ask: async (number: Parameters<ReturnType<typeof register>['ask']>[0]) => {
        const said = await register().ask(number)
        await give(books, userId, null)
        return said
      },
    },
  }
  await checkVatNumber(slow, { customerId, vatNumber: 'DE999999999', checkedAt: null })
  expect((await callBilling(depsOf(books), { userId, url: '/invoices/vat_number/' })).body).toMatchObject({
    vat_number: null,
    status: 'none',
  })
})
