import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findListed, listGivenBack } from '../calls/invoice-list-store.ts'
import { presentInvoice } from '../calls/present-invoice.ts'
import type { Actor } from '../../../../kernel/actor.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import type { Answered, CustomerOnTheWire, PlanChangeOnTheWire } from '../../contract/administration.ts'
import { comfort, comfortInFour, emptyBooks, essential, openBooks } from '../billing.test-data.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { finishAttempt, startAttempt } from '../settlement/attempt-payment.ts'
import { failInstalment } from '../settlement/settle-instalment.ts'
import { administrationRoutes } from './routes.ts'

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let blobs: BlobStore
beforeAll(async () => {
  folder = await temporaryFolder()
  blobs = createFolderBlobStore(folder.dir)
})
afterAll(async () => await folder.remove())

type Books = ReturnType<typeof openBooks>
type Body = Record<string, unknown>

/** Signed in with a second factor, who has just proven who he is. */
const administrator = (userId: string): Actor => ({
  ...actorOf(userId),
  roles: new Set(['administrator']),
  secondFactor: true,
  proven: true,
})

async function openDesk(books: Books) {
  const boss = await haveAccount(database.db, { first: 'Anne', last: 'd’Autriche' })
  const server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: 's'.repeat(32),
    routes: administrationRoutes({ ...books.deps(), blobs }),
    health: {},
    authenticate: () => Promise.resolve(administrator(boss)),
  })
  async function call(method: 'GET' | 'POST', path: string, payload?: object): Promise<{ status: number; body: Body }> {
    const answer = await server.inject({
      method,
      url: `/admin/billing/${path}`,
      headers: { authorization: `Bearer ${boss}` },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: answer.statusCode, body: answer.json<Body>() }
  }
  return {
    boss,
    call,
    /** Asked what it would bring, then done as it was shown. */
    async act<T extends { done: boolean; shown: string } = Answered>(path: string, body: object): Promise<T> {
      const shown = (await call('POST', path, body)) as { status: number; body: T }
      expect([path, shown.status, shown.body.done]).toEqual([path, 200, false])
      const done = (await call('POST', path, { ...body, accepted: shown.body.shown })) as { status: number; body: T }
      expect([done.status, done.body]).toEqual([200, { ...shown.body, done: true }])
      return done.body
    },
    [Symbol.asyncDispose]: async () => await server.close(),
  }
}

/** What the record of acts has of an invoice or a plan. */
const acts = async (of: string) => {
  const { rows } = await sql<{ action: string; data: unknown }>`
    select action, data from act where subject_id = ${of} order by number`.execute(database.db)
  return rows
}

test('H-36 an invoice that is owed is credited in part, then whole: first what was to be paid is less, then nothing is', async () => {
  const books = openBooks(database)
  await using desk = await openDesk(books)
  const { customerId } = await books.subscribed(essential)
  books.later(30)
  await books.run()
  const [, invoice] = await books.invoices(customerId)
  const path = `invoices/${invoice?.id ?? ''}/credit/`
  const part = await desk.act(path, { net_cents: 10_000, reason: 'Two reports failed' })
  expect(part.consequence).toMatchObject({
    credit: { before: 0, after: 0 },
    balance: { before: 47_880, after: 35_880 },
    documents: [{ kind: 'credit_note', net_cents: 10_000, vat_cents: 2000, gross_cents: 12_000, credits: 'F2026-000002' }],
    invoices: [{ number: 'F2026-000002', left_cents: { before: 47_880, after: 35_880 } }],
    subscription: null,
    entries: [{ journal: 'VE', kind: 'credit_note' }],
  })
  // The customer reads the same.
  const read = await findListed(database.db, customerId, invoice?.id ?? '')
  expect(read === null ? null : presentInvoice(read)).toMatchObject({
    gross_cents: 47_880,
    to_pay_cents: 35_880,
    instalments: [{ to_pay_cents: 35_880 }],
  })
  const rest = await desk.act(path, { reason: 'Cancelled by agreement' })
  expect(rest.consequence).toMatchObject({
    balance: { before: 35_880, after: 0 },
    documents: [{ net_cents: 29_900, vat_cents: 5980 }],
    invoices: [{ status: { before: 'pending', after: 'success' }, left_cents: { before: 35_880, after: 0 } }],
  })
  expect(await desk.call('POST', path, { reason: 'Again' })).toMatchObject({
    status: 409,
    body: { code: 'billing.not_creditable' },
  })
  expect(await desk.call('POST', path, { net_cents: 1, reason: 'Again' })).toMatchObject({ status: 409 })
  expect((await desk.call('POST', path, { net_cents: 1, reason: ' ' })).status).toBe(400)
  const { body } = (await desk.call('GET', `customers/${customerId}/`)) as { status: number; body: CustomerOnTheWire }
  expect(body.interventions.map((each) => [each.kind, each.invoice, each.amount_cents, each.reason, each.by])).toEqual([
    ['credit_note', 'F2026-000002', 35_880, 'Cancelled by agreement', 'Anne d’Autriche'],
    ['credit_note', 'F2026-000002', 12_000, 'Two reports failed', 'Anne d’Autriche'],
  ])
  // Why it was done is what somebody typed: the record of acts has none of it.
  expect(await acts(invoice?.id ?? '')).toEqual([
    { action: 'billing.credited_invoice', data: { cents: 12_000 } },
    { action: 'billing.credited_invoice', data: { cents: 35_880 } },
  ])
})

test('H-36 what was paid and is credited is to the customer’s credit, which the next invoice uses up', async () => {
  const books = openBooks(database)
  await using desk = await openDesk(books)
  const { customerId } = await books.subscribed(essential)
  const [invoice] = await books.invoices(customerId)
  books.later(1)
  const { consequence } = await desk.act(`invoices/${invoice?.id ?? ''}/credit/`, { reason: 'Out of service for a month' })
  expect(consequence).toMatchObject({
    credit: { before: 0, after: 47_880 },
    balance: { before: 0, after: -47_880 },
    invoices: [],
  })
  books.later(30)
  await books.run()
  expect(await books.invoices(customerId)).toMatchObject([
    { kind: 'invoice' },
    { kind: 'credit_note', gross_cents: 47_880 },
    { kind: 'invoice', settlement: 'success', credit_used_cents: 47_880 },
  ])
  const note = (await books.invoices(customerId))[1]
  expect((await desk.call('POST', `invoices/${note?.id ?? ''}/credit/`, { reason: 'No' })).body['code']).toBe(
    'billing.not_creditable',
  )
})

test('H-36 what is to the customer’s credit is refunded as it was shown, and who transferred it says so, once each', async () => {
  const books = openBooks(database)
  await using desk = await openDesk(books)
  const { customerId } = await books.subscribed(essential)
  const [invoice] = await books.invoices(customerId)
  const path = `invoices/${invoice?.id ?? ''}/refund/`
  expect((await desk.call('POST', path, { reason: 'Goodwill' })).body['code']).toBe('billing.not_refundable')
  await desk.act(`invoices/${invoice?.id ?? ''}/credit/`, { net_cents: 10_000, reason: 'Two reports failed' })
  expect((await desk.call('GET', 'invoices/')).body).toMatchObject({ results: [{}, { refundable_cents: 12_000 }] })
  const begun = await desk.act(path, { cents: 5000, reason: 'He asked for it' })
  expect(begun.consequence).toMatchObject({
    credit: { before: 12_000, after: 7000 },
    balance: { before: -12_000, after: -12_000 },
    entries: [],
    refunds: [{ invoice: 'F2026-000001', amount_cents: 5000, by: 'bank', status: { before: null, after: 'started' } }],
  })
  const again = await desk.call('POST', path, { cents: 5000, reason: 'He asked for it', accepted: begun.shown })
  expect(again.body['code']).toBe('billing.refund_processing')
  const read = async () => (await desk.call('GET', `customers/${customerId}/`)).body as unknown as CustomerOnTheWire
  const [refund] = (await read()).refunds
  expect(refund).toMatchObject({ invoice: 'F2026-000001', credit_note: 'A2026-000001', by: 'bank', status: 'started' })
  const paid = await desk.act(`refunds/${refund?.id ?? ''}/settle/`, { reference: 'VIR 4712', reason: 'Done' })
  expect(paid.consequence).toMatchObject({
    balance: { before: -12_000, after: -7000 },
    refunds: [{ amount_cents: 5000, status: { before: 'started', after: 'succeeded' } }],
    entries: [
      {
        journal: 'BQ',
        kind: 'refund',
        postings: [
          { account: '411000', debit_cents: 5000 },
          { account: '512000', credit_cents: 5000 },
        ],
      },
    ],
  })
  expect((await desk.call('POST', `refunds/${refund?.id ?? ''}/drop/`, { reason: 'No' })).body['code']).toBe(
    'billing.refund_not_by_hand',
  )
  expect((await read()).interventions.map(({ kind, reference }) => [kind, reference])).toEqual([
    ['refund_paid', 'VIR 4712'],
    ['refund', null],
    ['credit_note', null],
  ])
  expect((await acts(invoice?.id ?? '')).slice(1)).toEqual([
    { action: 'billing.refunded_payment', data: { cents: 5000 } },
    { action: 'billing.paid_refund', data: { cents: 5000 } },
  ])
  // The customer reads it on the invoice, and on the credit note that it is by.
  const note = (await books.invoices(customerId)).find(({ kind }) => kind === 'credit_note')
  for (const id of [invoice?.id ?? '', note?.id ?? ''])
    expect(await listGivenBack(database.db, id)).toMatchObject([{ cents: 5000, isDone: true }])
})

test('what was shown is done, or nothing: something else happened meanwhile, or another reason is given', async () => {
  const books = openBooks(database)
  await using desk = await openDesk(books)
  const { customerId } = await books.subscribed(essential)
  books.later(30)
  await books.run()
  const [, invoice] = await books.invoices(customerId)
  const path = `invoices/${invoice?.id ?? ''}`
  const before = await books.invoices(customerId)
  const { body: shown } = (await desk.call('POST', `${path}/credit/`, { reason: 'Goodwill' })) as {
    status: number
    body: Answered
  }
  expect(await books.invoices(customerId)).toEqual(before)
  await books.payAll(customerId)
  const late = await desk.call('POST', `${path}/credit/`, { reason: 'Goodwill', accepted: shown.shown })
  expect([late.status, late.body['code']]).toEqual([409, 'billing.consequence_changed'])
  const again = (await desk.call('POST', `${path}/credit/`, { reason: 'Goodwill' })) as { status: number; body: Answered }
  expect(again.body.consequence.credit).toEqual({ before: 0, after: 47_880 })
  const other = await desk.call('POST', `${path}/credit/`, { reason: 'Another', accepted: again.body.shown })
  expect(other.body['code']).toBe('billing.consequence_changed')
  expect(await books.invoices(customerId)).toHaveLength(before.length)
  expect(await acts(invoice?.id ?? '')).toEqual([])
})

test('S-10 S-15 a transfer that came to the bank settles an invoice, with its reference, and what was suspended goes on', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  await using desk = await openDesk(books)
  const { customerId } = await books.subscribed(essential)
  books.at('2026-12-01T09:00:00Z')
  await books.run()
  const [due = ''] = await books.due(customerId)
  await books.within(async (tx) => await failInstalment(tx, books.deps(), due))
  books.at('2026-12-28T09:00:00Z')
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'suspended' })
  const [, invoice] = await books.invoices(customerId)
  const path = `invoices/${invoice?.id ?? ''}/settle/`
  expect((await desk.call('POST', path, { reference: '', reason: 'Transfer' })).status).toBe(400)
  const { consequence } = await desk.act(path, { reference: 'VIR 4711', reason: 'Transfer of 27 December' })
  expect(consequence).toMatchObject({
    balance: { before: 47_880, after: 0 },
    invoices: [{ status: { before: 'failed', after: 'success' } }],
    subscription: { status: { before: 'suspended', after: 'active' } },
    entries: [
      {
        journal: 'BQ',
        kind: 'payment',
        postings: [
          { account: '512000', debit_cents: 47_880, credit_cents: 0 },
          { account: '411000', debit_cents: 0, credit_cents: 47_880 },
        ],
      },
    ],
  })
  expect(await books.state(customerId)).toMatchObject({ status: 'active' })
  expect((await desk.call('POST', path, { reference: 'VIR 4711', reason: 'Twice' })).body['code']).toBe('billing.nothing_due')
  const { body } = (await desk.call('GET', `customers/${customerId}/`)) as { status: number; body: CustomerOnTheWire }
  expect(body).toMatchObject({
    owed_cents: 0,
    balance_cents: 0,
    interventions: [{ kind: 'settlement', reference: 'VIR 4711', amount_cents: 47_880 }],
  })
})

test('S-17 payments that failed are listed with why, and tried again today where an administrator says so; none under way is', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  await using desk = await openDesk(books)
  const { customerId } = await books.subscribed(essential)
  books.at('2026-12-01T09:00:00Z')
  await books.run()
  const [due = ''] = await books.due(customerId)
  await database.db
    .insertInto('payment_customer')
    .values({
      customer_id: customerId,
      realm: 'test',
      idempotency_key: randomUUID(),
      asked_at: books.now(),
      renewed_by: 'mandate',
    })
    .execute()
  const start = async () =>
    await books.within(
      async (tx) =>
        await startAttempt(tx, books.deps(), due, { channel: 'provider', idempotencyKey: randomUUID().replaceAll('-', '') }),
    )
  const attempt = await start()
  const [, invoice] = await books.invoices(customerId)
  const path = `invoices/${invoice?.id ?? ''}/retry/`
  expect((await desk.call('POST', path, { reason: 'Card' })).body['code']).toBe('billing.payment_processing')
  await books.within(async (tx) => await finishAttempt(tx, books.deps(), attempt.id, 'failed', { failure: 'card_expired' }))
  expect((await desk.call('GET', 'failed_payments/?status=unknown')).body).toMatchObject({ count: 0 })
  const { body } = await desk.call('GET', 'failed_payments/')
  expect(body).toMatchObject({
    count: 1,
    count_capped: false,
    results: [
      {
        invoice: { number: 'F2026-000002', left_cents: 47_880, customer: 'Ada Byron', instalment: 'failed' },
        failures: 1,
        next_attempt_on: '2026-12-03',
        failure: 'card_expired',
      },
    ],
  })
  const { consequence } = await desk.act(path, { reason: 'He has a new card' })
  expect(consequence).toMatchObject({
    documents: [],
    entries: [],
    invoices: [{ number: 'F2026-000002', tried_on: { before: '2026-12-03', after: '2026-12-01' } }],
  })
  expect((await desk.call('GET', 'failed_payments/')).body).toMatchObject({ results: [{ next_attempt_on: '2026-12-01' }] })
  expect(await desk.call('POST', `invoices/${randomUUID()}/retry/`, { reason: 'x' })).toMatchObject({
    status: 404,
    body: { code: 'billing.invoice_unknown' },
  })
})

test('E-36 E-39 E-47 customers and invoices are found by name, company, address, number and state', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  await using desk = await openDesk(books)
  const company = await books.customer({ userType: 'legal' })
  const [person, other] = [await books.subscribed(comfortInFour), await books.subscribed(essential)]
  await sql`update account_user set first_name = 'Zoë', last_name = 'Lefèvre' where id = ${person.userId}::uuid`.execute(
    database.db,
  )
  books.at('2026-12-01T09:00:00Z')
  await books.run()
  const ids = async (query: string) =>
    ((await desk.call('GET', `customers/?${query}`)) as { status: number; body: { results: { id: string }[] } }).body.results.map(
      ({ id }) => id,
    )
  expect(await ids('')).toEqual([other.customerId, person.customerId, company.customerId])
  expect(await ids('search=lefevre zoe')).toEqual([person.customerId])
  expect(await ids('search=client sas')).toEqual([company.customerId])
  await sql`update email_address set address = 'Zoe@example.net', address_key = 'zoe@example.net' where user_id = ${person.userId}::uuid`.execute(
    database.db,
  )
  expect(await ids('search=zoe@exam')).toEqual([person.customerId])
  expect(await ids('search=F2026-2')).toEqual([other.customerId])
  expect(await ids(`search=${other.customerId}`)).toEqual([other.customerId])
  expect(await ids('search=nobody at all')).toEqual([])
  expect(await ids('standing=past_due')).toEqual([])
  books.at('2027-01-02T09:00:00Z')
  await books.run()
  expect(await ids('standing=past_due')).toEqual([other.customerId])
  const numbers = async (query: string) =>
    (
      (await desk.call('GET', `invoices/?${query}`)) as { status: number; body: { results: { number: string }[] } }
    ).body.results.map(({ number }) => number)
  expect(await numbers('')).toEqual(['F2027-000001', 'F2026-000003', 'F2026-000002', 'F2026-000001'])
  expect(await numbers('page=2&page_size=3')).toEqual(['F2026-000001'])
  expect(await numbers('search=f2026-3')).toEqual(['F2026-000003'])
  expect(await numbers('search=F2027')).toEqual(['F2027-000001'])
  expect(await numbers('search=Lefèvre')).toEqual(['F2026-000001'])
  expect(await numbers('status=pending')).toEqual(['F2027-000001', 'F2026-000003'])
  expect(await numbers('status=failed')).toEqual([])
  expect(await numbers(`customer=${other.customerId}&status=success`)).toEqual(['F2026-000002'])
  expect(await numbers('category=license')).toEqual([])
  const { body } = (await desk.call('GET', `customers/${other.customerId}/`)) as { status: number; body: CustomerOnTheWire }
  expect(body).toMatchObject({
    plan: 'essential',
    status: 'past_due',
    owed_cents: 2 * 47_880,
    balance_cents: 2 * 47_880,
    subscriptions: [{ plan: 'essential' }],
    entries: [{ number: '2027-1' }, { kind: 'invoice' }, { kind: 'payment' }, { kind: 'invoice', invoice: 'F2026-000002' }],
  })
  expect((await desk.call('GET', `customers/${randomUUID()}/`)).body['code']).toBe('billing.customer_unknown')
})

const terms = {
  month_cents: 41_001,
  year_cents: 390_000,
  report_cents: 9900,
  timestamp_cents: 500,
  reports_per_month: 6,
  timestamps_per_month: 50,
  drafts: 10,
  seats: 1,
}

test('H-35 the page changes a plan from a day on, and says before whom it renews at the new price, and when', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  await using desk = await openDesk(books)
  const { customerId } = await books.subscribed(essential)
  await books.subscribed(comfort)
  const change = { plan: 'essential', from: '2026-12-15', ...terms }
  const done = await desk.act<PlanChangeOnTheWire>('plans/', change)
  expect(done).toMatchObject({
    before: { month_cents: 39_900, reports_per_month: 5 },
    after: { month_cents: 41_001, reports_per_month: 6, effective_from: '2026-12-15' },
    renewing: 1,
    first_renewal: '2026-12-15',
  })
  expect((await desk.call('POST', 'plans/', { ...change, from: '2026-10-31' })).body['code']).toBe('billing.plan_day_over')
  const { body } = (await desk.call('GET', 'plans/')) as { status: number; body: { lines: Body[] } }
  expect(body.lines.filter((line) => line['plan'] === 'essential')).toMatchObject([
    { effective_from: '2026-12-15', in_force: false },
    { effective_from: '2026-01-01', in_force: true },
  ])
  for (const day of ['2026-12-01', '2027-01-01']) {
    books.at(`${day}T09:00:00Z`)
    await books.run()
    await books.payAll(customerId)
  }
  expect((await books.invoices(customerId)).map((each) => each.net_cents)).toEqual([39_900, 39_900, 41_001])
  expect(await acts('essential')).toEqual([{ action: 'billing.set_plan', data: { from: '2026-12-15' } }])
})

test('H-35 K-09 Custom is had at the prices that were quoted to one customer, and by nobody else', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  await using desk = await openDesk(books)
  const [quoted, other] = [await books.subscribed(essential), await books.customer()]
  const custom = { plan: 'custom', cycle: 'year', instalments: 4 } as const
  await expect(books.ask(quoted.customerId, custom)).rejects.toThrow('billing.custom_by_quote')
  const offer = { from: '2026-11-01', ...terms, month_cents: null, year_cents: 1_234_567, reports_per_month: null, seats: 40 }
  const path = `customers/${quoted.customerId}/custom_plan/`
  expect((await desk.call('POST', path, { ...offer, year_cents: null, reason: 'x' })).status).toBe(400)
  const told = await desk.act<PlanChangeOnTheWire>(path, { ...offer, reason: 'Quote D-42' })
  expect(told).toMatchObject({ before: { year_cents: null }, after: { year_cents: 1_234_567, seats: 40 }, renewing: 0 })
  await expect(books.ask(other.customerId, custom)).rejects.toThrow('billing.custom_by_quote')
  await expect(books.ask(quoted.customerId, { ...custom, cycle: 'month', instalments: 1 })).rejects.toThrow('custom_by_quote')
  await books.ask(quoted.customerId, custom)
  await books.payAll(quoted.customerId)
  books.at('2027-11-02T09:00:00Z')
  await desk.act<PlanChangeOnTheWire>(path, { ...offer, from: '2028-01-01', year_cents: 2_000_000, reason: 'Quote D-43' })
  for (let quarter = 0; quarter < 6; quarter += 1) {
    await books.run()
    await books.payAll(quoted.customerId)
    books.later(92)
  }
  const yearly = (await books.invoices(quoted.customerId)).filter(({ kind }) => kind === 'invoice').slice(1)
  expect(yearly.slice(0, 4).map((each) => each.net_cents)).toEqual([308_641, 308_641, 308_641, 308_644])
  expect(yearly.reduce((sum, each) => sum + each.net_cents, 0)).toBeGreaterThan(2 * 1_234_567)
  const { body } = (await desk.call('GET', `customers/${quoted.customerId}/`)) as { status: number; body: CustomerOnTheWire }
  expect(body.custom_plans.map((each) => [each.effective_from, each.year_cents])).toEqual([
    ['2028-01-01', 2_000_000],
    ['2026-11-01', 1_234_567],
  ])
  await expect(sql`update custom_plan set year_cents = 1`.execute(database.db)).rejects.toThrow('only grows')
})

test('invariants are read as they are now, each with what was asked; one that is broken says where', async () => {
  const books = openBooks(database)
  await using desk = await openDesk(books)
  const { customerId } = await books.subscribed(essential)
  type Read = { at: string; invariants: { name: string; query: string; broken: string[] }[] }
  const { body } = (await desk.call('GET', 'invariants/')) as { status: number; body: Read }
  expect(body.invariants.length).toBeGreaterThan(12)
  expect(body.invariants.filter(({ broken }) => broken.length > 0)).toEqual([])
  for (const { query } of body.invariants) expect(query).toMatch(/^select .* from /)
  await sql`update billing_customer set credit_cents = 7 where id = ${customerId}::uuid`.execute(database.db)
  const { body: after } = (await desk.call('GET', 'invariants/')) as { status: number; body: Read }
  expect(after.invariants.filter(({ broken }) => broken.length > 0)).toMatchObject([
    { name: 'balances_fold', broken: [`${customerId}: 0 booked, -7 open`] },
  ])
  await sql`update billing_customer set credit_cents = 0`.execute(database.db)
})
