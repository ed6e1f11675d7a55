import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../../platform/log/log.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { creditInvoice } from '../admin/credit-invoice.ts'
import { settleRefund } from '../admin/settle-refund.ts'
import { comfort, comfortInFour, emptyBooks, essential, openBooks } from '../billing.test-data.ts'
import { openPress } from '../document/documents.test-data.ts'
import { endCustomer } from '../ending/end-customer.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { remindCustomers } from '../run/remind-customers.ts'
import { failInstalment, reverseInstalment } from '../settlement/settle-instalment.ts'
import { startRefund } from '../settlement/start-refund.ts'
import { sendBillingNotice } from './send-billing-notice.ts'

const database = withDatabase()
let press: Awaited<ReturnType<typeof openPress>>
beforeAll(async () => {
  press = await openPress()
})
afterAll(async () => await press.remove())
beforeEach(async () => await emptyBooks(database))

type Books = ReturnType<typeof openBooks>

/** What the worker does about mails, each job twice. @returns what was sent, oldest first, without its HTML */
async function look(
  books: Books,
  other: { testPayments?: boolean } = {},
): Promise<{ to: string; subject: string; text: string }[]> {
  const sent: Mail[] = []
  await remindCustomers(books.deps())
  await remindCustomers(books.deps())
  const open = await database.db.selectFrom('billing_notice').select('id').where('settled_at', 'is', null).orderBy('id').execute()
  const deps = {
    ...books.deps(),
    log: silentLog,
    mailer: { send: async (mail: Mail) => await Promise.resolve(void sent.push(mail)), close: () => undefined },
    publicUrl: 'https://probant.example',
    testPayments: false,
    ...other,
  }
  for (const { id } of open) {
    await sendBillingNotice(deps, id)
    await sendBillingNotice(deps, id)
  }
  return sent.map(({ to, subject, text }) => ({ to, subject: plain(subject), text: plain(text) }))
}
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const subjects = async (books: Books) => (await look(books)).map(({ subject }) => subject)
const french = async (userId: string) =>
  await database.db.updateTable('account_user').set({ locale: 'fr' }).where('id', '=', userId).execute()

test('H-36 an invoice that was paid as it was issued is one mail, with its number, amount and a way to it', async () => {
  const books = openBooks(database)
  const { userId } = await books.subscribed(essential)
  await french(userId)
  expect(await look(books)).toEqual([])
  await press.make(books.deps())
  const [mail, ...others] = await look(books)
  expect(others).toEqual([])
  expect(mail?.subject).toBe('Facture F2026-000001 : 478,80 €')
  expect(mail?.text).toContain('La facture F2026-000001 de 478,80 € est dans votre compte. Elle est payée.')
  expect(mail?.text).toContain('https://probant.example/fr/account/invoice/')
  expect(await look(books)).toEqual([])
  const kept = await database.db.selectFrom('billing_notice').select(['kind', 'sent', 'subject', 'settled_at']).execute()
  expect(kept.map((each) => ({ ...each, subject: plain(each.subject ?? '') }))).toEqual([
    { kind: 'invoice_issued', sent: true, subject: 'Facture F2026-000001 : 478,80 €', settled_at: books.now() },
  ])
})

test('K-13 of one that is to be paid: its day, a reminder a week before it, and a receipt', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { customerId } = await books.subscribed(essential)
  await press.make(books.deps())
  await look(books)
  books.at('2026-12-01T09:00:00Z')
  await books.run()
  await press.make(books.deps())
  const [mail] = await look(books)
  expect(mail?.subject).toBe('Invoice F2026-000002: €478.80')
  expect(mail?.text).toContain('€478.80 is to be paid by 31 December 2026.')
  books.at('2026-12-23T09:00:00Z')
  expect(await subjects(books)).toEqual([])
  books.at('2026-12-24T09:00:00Z')
  expect(await subjects(books)).toEqual(['Invoice F2026-000002 is to be paid by 31 December 2026'])
  await books.payAll(customerId)
  const [receipt, ...others] = await look(books)
  expect([receipt?.subject, others]).toEqual(['Payment received: €478.80', []])
  expect(receipt?.text).toContain('We received €478.80 on 24 December 2026 for invoice F2026-000002.')
})

test('S-10 S-17 a payment that fails is told with what to do, then each step to the suspension and the end, days before', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { customerId } = await books.subscribed(essential)
  books.at('2026-12-01T09:00:00Z')
  await books.run()
  const [due = ''] = await books.due(customerId)
  const fail = async () => await books.within(async (tx) => await failInstalment(tx, books.deps(), due))
  await fail()
  const [failed, ...others] = await look(books)
  expect([failed?.subject, others]).toEqual(['Payment failed: €478.80', []])
  expect(failed?.text).toContain('for invoice F2026-000002 failed on 1 December 2026')
  expect(failed?.text).toContain('if the invoice is still unpaid on 22 December 2026, it is suspended')
  const told: [string, string][] = []
  for (let day = 0; day < 62; day += 1) {
    books.later(1)
    await books.run()
    for (const { subject } of await look(books)) told.push([books.now().toISOString().slice(0, 10), subject])
  }
  expect(told).toEqual([
    ['2026-12-15', 'Your subscription is suspended on 22 December 2026 unless €478.80 is paid'],
    ['2026-12-22', 'Your subscription is suspended'],
    ['2026-12-24', 'Invoice F2026-000002 is to be paid by 31 December 2026'],
    ['2027-01-16', 'Your subscription ends on 30 January 2027 unless €478.80 is paid'],
    ['2027-01-27', 'Your subscription ends on 30 January 2027 unless €478.80 is paid'],
    ['2027-01-30', 'Your subscription has ended'],
  ])
})

test('whoever pays before a mail is sent is not asked to; what the bank takes back is told', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { userId, customerId } = await books.subscribed(essential)
  await french(userId)
  books.at('2026-12-01T09:00:00Z')
  await books.run()
  const [due = ''] = await books.due(customerId)
  await books.within(async (tx) => await failInstalment(tx, books.deps(), due))
  await books.payAll(customerId)
  expect(await subjects(books)).toEqual(['Paiement reçu : 478,80 €'])
  const unsent = await database.db.selectFrom('billing_notice').select('kind').where('sent', '=', false).execute()
  expect(unsent).toEqual([{ kind: 'payment_failed' }])
  await books.within(async (tx) => await reverseInstalment(tx, books.deps(), due, { channel: 'bank', attemptId: null }))
  const [back] = await look(books)
  expect(back?.subject).toBe('Paiement repris : 478,80 €')
  expect(back?.text).toContain('La facture est à nouveau à payer')
  expect(await findBroken(database.db)).toEqual([])
})

test.each([
  ['en', 'Refund: €120.00', '€120.00 of invoice F2026-000001 was refunded on 23 November 2026.'],
  ['fr', 'Remboursement : 120,00 €', '120,00 € de la facture F2026-000001 ont été remboursés le 23 novembre 2026.'],
])('a refund is told of once it was made, in the customer’s language: %s', async (locale, subject, words) => {
  const books = openBooks(database)
  const { userId, customerId } = await books.subscribed(essential)
  await database.db.updateTable('account_user').set({ locale }).where('id', '=', userId).execute()
  await database.db.updateTable('billing_notice').set({ settled_at: books.now(), sent: false }).execute()
  const [invoice] = await books.invoices(customerId)
  const refund = await books.within(async (tx) => {
    await lockCustomer(tx, customerId)
    await creditInvoice(tx, books.deps(), invoice?.id ?? '', 10_000)
    return await startRefund(tx, books.deps(), invoice?.id ?? '', null)
  })
  expect((await subjects(books)).filter((each) => each === subject)).toEqual([])
  await books.within(async (tx) => await settleRefund(tx, books.deps(), refund.id, { succeeded: true }))
  const told = (await look(books)).find((each) => each.subject === subject)
  expect(told?.text).toContain(words)
  expect(await findBroken(database.db)).toEqual([])
})

test('S-12 an annual subscription is announced two months before it is renewed, with the price; none that goes back to Unit', async () => {
  const books = openBooks(database, '2026-11-30T09:00:00Z')
  const { userId } = await books.subscribed(comfortInFour)
  await french(userId)
  const leaving = await books.subscribed(comfortInFour)
  await books.ask(leaving.customerId, { plan: 'unit' })
  await database.db.deleteFrom('billing_notice').execute()
  books.at('2027-09-29T09:00:00Z')
  expect((await subjects(books)).filter((subject) => subject.includes('reconduit'))).toEqual([])
  books.at('2027-09-30T09:00:00Z')
  const [mail, ...others] = await look(books)
  expect([mail?.subject, others]).toEqual(['Votre abonnement annuel sera reconduit le 30 novembre 2027', []])
  expect(mail?.text).toContain('au plus tard le 29 novembre 2027')
  expect(mail?.text).toContain('Confort, un an, 4 790,40 € hors TVA, en quatre échéances')
  expect(mail?.text).toContain('https://probant.example/fr/account/subscription/')
})

test('a credit note is told of as what it is; where payments are tests each mail says so', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { customerId } = await books.subscribed(essential)
  books.at('2026-11-16T09:00:00Z')
  await books.ask(customerId, comfort)
  await books.payAll(customerId)
  await press.make(books.deps(), { testPayments: true })
  const sent = await look(books, { testPayments: true })
  expect(sent.map(({ subject }) => subject).toSorted()).toEqual([
    'Credit note A2026-000001: €239.40',
    'Invoice F2026-000001: €478.80',
    'Invoice F2026-000002: €598.80',
  ])
  expect(sent.filter(({ text }) => text.includes('Test payments: no money moves.'))).toHaveLength(3)
})

test('a worker that dies after a mail was taken sends the same one again: one Message-ID, one date', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { customerId } = await books.subscribed(essential)
  books.at('2026-12-01T09:00:00Z')
  await books.run()
  await books.payAll(customerId)
  const { id } = await database.db.selectFrom('billing_notice').select('id').executeTakeFirstOrThrow()
  const taken: Mail[] = []
  const dying = (dies: boolean) => ({
    ...books.deps(),
    mailer: {
      send: async (mail: Mail) => {
        taken.push(mail)
        await (dies ? Promise.reject(new Error('died')) : Promise.resolve())
      },
      close: () => undefined,
    },
    publicUrl: 'https://probant.example',
    testPayments: false,
  })
  await expect(sendBillingNotice(dying(true), id)).rejects.toThrow('died')
  books.later(1)
  await sendBillingNotice(dying(false), id)
  await sendBillingNotice(dying(false), id)
  expect(taken.map(({ once, subject }) => [once?.id, once?.at.toISOString(), plain(subject)])).toEqual(
    Array.from({ length: 2 }, () => [id, '2026-12-01T09:00:00.000Z', 'Payment received: €478.80']),
  )
})

test('a mail exists exactly when that of which it tells does, and nobody is written to whose account is closed', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { userId, customerId } = await books.subscribed(essential)
  books.at('2026-12-01T09:00:00Z')
  await books.run()
  const [due = ''] = await books.due(customerId)
  await expect(
    books.within(async (tx) => {
      await failInstalment(tx, books.deps(), due)
      throw new Error('died')
    }),
  ).rejects.toThrow('died')
  expect(await database.db.selectFrom('billing_notice').select('kind').execute()).toEqual([])
  await books.within(async (tx) => await failInstalment(tx, books.deps(), due))
  await endCustomer({ ...books.deps(), billing: books.deps() }, userId)
  expect(await look(books)).toEqual([])
  const { rows } = await sql<{ sent: boolean }>`select sent from billing_notice`.execute(database.db)
  expect(rows).toEqual([{ sent: false }])
})
