import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { comfort, comfortInFour, emptyBooks, essential, openBooks } from '../billing.test-data.ts'
import { endCustomer } from '../ending/end-customer.ts'
import { forgetBuyers } from '../ending/ending-store.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { takeQuota } from '../quota/take-quota.ts'
import { startAttempt } from '../settlement/attempt-payment.ts'
import { callBilling } from './call-billing.test-data.ts'
import { exportOwnedInvoices } from './export-invoices.ts'

const database = withDatabase()
const folder = await temporaryFolder()
afterAll(async () => await folder.remove())
const blobs = createFolderBlobStore(folder.dir)
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

/** Of a register nothing is wanted here. */
const nobody = { ask: () => Promise.reject(new Error('nobody is asked')) }

type Body = Record<string, unknown>
type Books = ReturnType<typeof openBooks>

async function call(books: Books, userId: string | null, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) {
  return await callBilling(
    { ...books.deps(), blobs, vatRegister: nobody },
    { userId, method, url, ...(payload === undefined ? {} : { payload }) },
  )
}

test('C-64 E-47 S-08 K-05…K-09 K-11 K-12 anybody sees the plans, at the prices of the day', async () => {
  const books = openBooks(database)
  const { status, body } = await call(books, null, 'GET', '/subscriptions/plans/')
  expect([status, body]).toMatchObject([
    200,
    {
      currency: 'EUR',
      vat_basis_points: 2000,
      plans: [
        { plan: 'unit', report_cents: 9900, timestamp_cents: 500, month_cents: null },
        {
          plan: 'essential',
          month_cents: 39_900,
          year_cents: 383_040,
          reports_per_month: 5,
          timestamps_per_month: 50,
          drafts: 10,
        },
        { plan: 'comfort', month_cents: 49_900, year_cents: 479_040, reports_per_month: null, seats: 5 },
        { plan: 'custom', month_cents: null },
      ],
    },
  ])
})

test('C-60 C-61 C-62 C-63 S-13 one subscribes, sees it, changes it and cancels the change', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { userId, customerId } = await books.customer()
  expect((await call(books, userId, 'GET', '/subscriptions/')).body).toMatchObject({ count: 0, results: [] })
  const made = await call(books, userId, 'POST', '/subscriptions/', { plan: 'essential', accepted_cents: 47_880 })
  expect([made.status, made.body]).toMatchObject([
    201,
    { status: 'incomplete', plan: 'unit', pending: { plan: 'essential', kind: 'payment' } },
  ])
  await books.payAll(customerId)
  const path = `/subscriptions/${String(made.body['id'])}/`
  expect((await call(books, userId, 'GET', path)).body).toMatchObject({
    status: 'active',
    plan: 'essential',
    cycle: 'month',
    period_from: '2026-11-01',
    period_to: '2026-12-01',
    suspended: false,
    upgrade_required: false,
  })
  const less = await call(books, userId, 'PATCH', path, { plan: 'unit' })
  expect(less.body).toMatchObject({ plan: 'essential', pending: { plan: 'unit', kind: 'term', on: '2026-12-01' } })
  expect((await call(books, userId, 'PATCH', path, { plan: 'comfort' })).body).toMatchObject({ code: 'billing.change_pending' })
  expect((await call(books, userId, 'PATCH', path, { cancel_pending: true })).body).toMatchObject({
    status: 'active',
    pending: null,
  })
  expect((await call(books, userId, 'PATCH', path, {})).status).toBe(400)
  expect((await call(books, userId, 'PATCH', path, { plan: 'comfort', cycle: 'month', instalments: 4 })).status).toBe(400)
  const other = await books.customer()
  expect((await call(books, other.userId, 'GET', path)).status).toBe(404)
  expect((await call(books, other.userId, 'PATCH', path, { plan: 'unit' })).body).toMatchObject({
    code: 'billing.subscription_unknown',
  })
  const { rows: acts } = await sql<{
    action: string
  }>`select action from act where actor_id = ${userId}::uuid order by number`.execute(database.db)
  expect(acts.map(({ action }) => action)).toEqual([
    'billing.asked_for_plan',
    'billing.asked_for_plan',
    'billing.cancelled_change',
  ])
})

test('E-48 E-61 S-12 H-34 what lies before a subscription: what is left of its month, what is to be paid, what is invoiced next', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { userId, customerId } = await books.customer()
  const wish = { plan: 'comfort', cycle: 'year', instalments: 4 }
  const { id } = (await call(books, userId, 'POST', '/subscriptions/', wish)).body
  const path = `/subscriptions/${String(id)}/`
  const waiting = (await call(books, userId, 'GET', path)).body
  expect(waiting).toMatchObject({
    quota: null,
    next_invoice: null,
    to_pay: [{ to_pay_cents: 143_712, status: 'pending', of_change: true }],
  })
  await books.payAll(customerId)
  // 4 × 1,197.60 net: the next quarter.
  expect((await call(books, userId, 'GET', path)).body).toMatchObject({
    quota: { from: '2026-11-01', to: '2026-12-01', evidences: { used: 0, included: null } },
    next_invoice: { on: '2027-02-01', net_cents: 119_760, vat_cents: 23_952, gross_cents: 143_712, to_pay_cents: 143_712 },
    to_pay: [],
  })
  await call(books, userId, 'PATCH', path, { plan: 'unit' })
  for (const day of ['2027-02-01', '2027-05-01', '2027-08-01']) {
    books.at(`${day}T09:00:00Z`)
    await books.run()
    await books.payAll(customerId)
  }
  // The last quarter is invoiced, and after it nothing is to come.
  expect((await call(books, userId, 'GET', path)).body).toMatchObject({ next_invoice: null, to_pay: [] })
  await call(books, userId, 'PATCH', path, { cancel_pending: true })
  expect((await call(books, userId, 'GET', path)).body).toMatchObject({ next_invoice: { on: '2027-11-01', net_cents: 119_760 } })
  const monthly = await books.subscribed(essential)
  for (let used = 0; used < 5; used += 1)
    await books.within(
      async (tx) => await takeQuota(tx, books.deps(), monthly.userId, { kind: 'evidence', subjectIds: [randomUUID()] }),
    )
  expect((await call(books, monthly.userId, 'GET', `/subscriptions/${monthly.id}/`)).body).toMatchObject({
    upgrade_required: true,
    quota: { evidences: { used: 5, included: 5 }, documents: { used: 0, included: 50 } },
  })
})

test('X-10 X-11 V-45 the refusals of the specification, to the letter', async () => {
  const books = openBooks(database)
  const { userId, customerId } = await books.subscribed(essential)
  books.later(30)
  await books.run()
  const wish = { plan: 'comfort' }
  expect(await call(books, userId, 'POST', '/subscriptions/', wish)).toMatchObject({
    status: 409,
    body: { code: 'billing.invoice_unpaid', message: 'A previous invoice has not been payed' },
  })
  const [due = ''] = await books.due(customerId)
  await books.within(
    async (tx) =>
      await startAttempt(tx, books.deps(), due, { channel: 'provider', idempotencyKey: randomUUID().replaceAll('-', '') }),
  )
  expect(await call(books, userId, 'POST', '/subscriptions/', wish)).toMatchObject({
    status: 409,
    body: { code: 'billing.payment_processing', message: 'A previous invoice payment is still not validated' },
  })
  const bare = await books.customer()
  await sql`update profile set zip = null where user_id = ${bare.userId}::uuid`.execute(database.db)
  expect((await call(books, bare.userId, 'POST', '/subscriptions/', wish)).body).toMatchObject({
    code: 'billing.profile_incomplete',
    data: { missing: 'zip' },
  })
})

test('H-35 what is previewed is what is invoiced, to the cent and the day', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { userId, customerId } = await books.subscribed(essential)
  books.at('2026-11-16T09:00:00Z')
  const wish = { plan: 'comfort', cycle: 'year', instalments: 4 }
  const before = await books.invoices(customerId)
  const { body } = await call(books, userId, 'POST', '/subscriptions/preview/', wish)
  expect(await books.invoices(customerId)).toEqual(before)
  const quote = body as unknown as {
    due_now_cents: number
    credits: { net_cents: number }[]
    invoices: { issued_on: string; net_cents: number; vat_cents: number; to_pay_cents: number }[]
    renewal: { on: string; net_cents: number }
  }
  expect(quote.due_now_cents).toBe(143_712 - 23_940)
  const refused = await call(books, userId, 'POST', '/subscriptions/', { ...wish, accepted_cents: quote.due_now_cents - 1 })
  expect(refused.body).toMatchObject({ code: 'billing.amount_changed', data: { due_now_cents: quote.due_now_cents } })
  expect((await call(books, userId, 'POST', '/subscriptions/', { ...wish, accepted_cents: quote.due_now_cents })).status).toBe(
    201,
  )
  await books.payAll(customerId)
  for (let day = 0; day < 366; day += 1) {
    books.later(1)
    await books.run()
    await books.payAll(customerId)
  }
  const issued = (await books.invoices(customerId)).slice(before.length)
  const said = issued
    .filter(({ kind }) => kind === 'invoice')
    .map((each) => [each.issued_on, each.net_cents, each.vat_cents, each.gross_cents - each.credit_used_cents])
  const foreseen = quote.invoices.map((each) => [each.issued_on, each.net_cents, each.vat_cents, each.to_pay_cents])
  expect(said).toEqual([...foreseen, [quote.renewal.on, quote.renewal.net_cents, 23_952, 143_712]])
  expect(issued.filter(({ kind }) => kind === 'credit_note').map((each) => each.net_cents)).toEqual(
    quote.credits.map((each) => each.net_cents),
  )
})

test('C-39 C-40 C-43 E-36 E-37 E-38 E-39 E-40 E-62 invoices are listed, read and exported', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { userId, customerId } = await books.subscribed(essential)
  await books.subscribed(comfortInFour)
  books.at('2026-11-16T09:00:00Z')
  await books.ask(customerId, comfort)
  await books.payAll(customerId)
  const { body } = await call(books, userId, 'GET', '/invoices/')
  const results = body['results'] as Body[]
  expect(body).toMatchObject({ count: 3 })
  expect(
    new Set(results.map((each) => [each['kind'], each['status'], each['net_cents'], each['to_pay_cents']].join(' '))),
  ).toEqual(new Set(['credit_note success 19950 0', 'invoice success 39900 47880', 'invoice success 49900 35940']))
  expect((await call(books, userId, 'GET', '/invoices/?status=pending')).body).toMatchObject({ count: 0 })
  expect((await call(books, userId, 'GET', '/invoices/?search=A2026')).body).toMatchObject({ count: 1 })
  const one = results.find((each) => each['kind'] === 'invoice')
  const whole = (await call(books, userId, 'GET', `/invoices/${String(one?.['id'])}/`)).body
  expect(whole).toMatchObject({
    category: 'subscription',
    number: expect.stringMatching(/^F2026-\d{6}$/) as unknown,
    due_on: expect.stringMatching(/^2026-12-/) as unknown,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    credits: null,
    instalments: [{ part: 1, parts: 1, status: 'success' }],
    vat_treatment: 'standard',
    lines: [{ item: 'plan', quantity: 1, vat_basis_points: 2000 }],
  })
  const other = await books.customer()
  expect((await call(books, other.userId, 'GET', `/invoices/${String(one?.['id'])}/`)).status).toBe(404)
  expect((await call(books, other.userId, 'GET', '/invoices/')).body).toMatchObject({ count: 0 })

  const csv = (await call(books, userId, 'GET', '/invoices/export/')).text.split('\r\n')
  expect(csv).toHaveLength(5)
  expect(csv[1]).toBe(
    'F2026-000001,invoice,2026-11-01,2026-12-01,subscription,2026-11-01,2026-12-01,411000,706000,445710,20.00,399.00,79.80,478.80,478.80,success',
  )
  const fec = (await call(books, userId, 'GET', '/invoices/export/?format=fec')).text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split('|'))
  for (const line of fec) expect(line).toHaveLength(18)
  const cents = (text = '') => Number(text.replace(',', ''))
  const [debit, credit] = [11, 12].map((column) => fec.slice(1).reduce((sum, line) => sum + cents(line[column]), 0))
  expect(debit).toBe(credit)
  expect(debit).toBeGreaterThan(0)
  expect(new Set(fec.slice(1).map((line) => line[0]))).toEqual(new Set(['VE', 'BQ']))
})

test('H-36 the statement has each invoice, credit note and payment of the account, and what is owed after each', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { userId, customerId } = await books.subscribed(essential)
  await books.subscribed(comfortInFour)
  books.at('2026-11-16T09:00:00Z')
  await books.ask(customerId, comfort)
  await books.payAll(customerId)
  books.at('2026-12-16T09:00:00Z')
  await books.run()
  const { body } = await call(books, userId, 'GET', '/invoices/statement/')
  const lines = (body['results'] as Body[]).map((each) => [
    each['date'],
    each['kind'],
    each['number'],
    Number(each['debit_cents']) - Number(each['credit_cents']),
    each['balance_cents'],
  ])
  expect(lines).toEqual([
    ['2026-12-16', 'invoice', 'F2026-000004', 59_880, 59_880],
    ['2026-11-16', 'payment', 'F2026-000003', -35_940, 0],
    ['2026-11-16', 'invoice', 'F2026-000003', 59_880, 35_940],
    ['2026-11-16', 'credit_note', 'A2026-000001', -23_940, -23_940],
    ['2026-11-01', 'payment', 'F2026-000001', -47_880, 0],
    ['2026-11-01', 'invoice', 'F2026-000001', 47_880, 47_880],
  ])
  const second = (await call(books, userId, 'GET', '/invoices/statement/?page=2&page_size=5')).body
  expect(second).toMatchObject({ count: 6, results: [{ number: 'F2026-000001', balance_cents: 47_880 }] })
  const other = await books.customer()
  expect((await call(books, other.userId, 'GET', '/invoices/statement/')).body).toMatchObject({ count: 0 })
})

test('H-35 new prices are those of periods that begin from their day on, and what was invoiced stays', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { customerId } = await books.subscribed(essential)
  await books.setPlan('essential', '2026-12-15', { monthCents: 41_001 })
  await expect(books.setPlan('essential', '2026-10-31', { monthCents: 1 })).rejects.toThrow('billing.plan_day_over')
  for (const day of ['2026-12-01', '2027-01-01']) {
    books.at(`${day}T09:00:00Z`)
    await books.run()
    await books.payAll(customerId)
  }
  expect((await books.invoices(customerId)).map((each) => each.net_cents)).toEqual([39_900, 39_900, 41_001])
  await expect(sql`update billing_plan set month_cents = 1`.execute(database.db)).rejects.toThrow('only grows')
})

test('H-38 invoices outlive their account for ten years, and lead to nobody', async () => {
  const books = openBooks(database)
  const { userId, customerId } = await books.subscribed(comfortInFour)
  expect(await Array.fromAsync(exportOwnedInvoices(database.db, userId))).toMatchObject([
    { kind: 'invoice', number: 'F2026-000001' },
  ])
  await endCustomer({ ...books.deps(), billing: books.deps() }, userId)
  await endCustomer({ ...books.deps(), billing: books.deps() }, userId)
  const { rows } = await sql<{ row: string }>`select to_jsonb(c)::text as row from billing_customer c
    union all select to_jsonb(s)::text from subscription s union all select to_jsonb(i)::text from invoice i
    union all select to_jsonb(b)::text from invoice_buyer b union all select to_jsonb(l)::text from subscription_change l`.execute(
    database.db,
  )
  expect(rows.length).toBeGreaterThan(4)
  expect(rows.filter(({ row }) => row.includes(userId))).toEqual([])
  // What was paid for and had not begun was given back.
  expect(await books.invoices(customerId)).toMatchObject([
    { kind: 'credit_note', status: 'issued' },
    { kind: 'invoice', status: 'issued' },
  ])
  expect(await books.state(customerId)).toBeNull()
  books.later(366)
  expect(await books.run()).toBe(0)
  expect(await forgetBuyers(database.db, new Date('2036-12-31T12:00:00Z'))).toBe(0)
  expect(await forgetBuyers(database.db, new Date('2037-01-01T12:00:00Z'))).toBe(2)
})
