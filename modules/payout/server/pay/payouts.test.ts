import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { emptyBooks } from '../../../billing/server/billing.test-data.ts'
import { creditInvoice } from '../../../billing/server/admin/credit-invoice.ts'
import { lockCustomer } from '../../../billing/server/customer/customer-store.ts'
import { findBroken } from '../../../billing/server/invariants/invariant-store.ts'
import {
  cardOf,
  charge,
  customerOf,
  openShop,
  type Shop,
  testCards,
  wire,
} from '../../../billing/server/provider/mangopay/shop.test-data.ts'
import { preparePayee } from '../payee/prepare-payee.ts'
import { readLacking } from '../payee/read-lacking.ts'
import { runPayouts } from '../handlers.ts'
import { never, openPayouts, vault } from '../payouts.test-data.ts'
import { askPayouts } from './ask-payouts.ts'
import { settleByHand } from './settle-by-hand.ts'
import { earner, openPaying, settled } from './paying.test-data.ts'

const database = withDatabase()
const opened: ReturnType<typeof openPayouts>[] = []
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  const payer = await customerOf(shop)
  await charge(shop, { customer: payer, card: await cardOf(shop, payer, testCards.accepted) }, 1_000_000)
})
afterAll(async () => {
  opened.forEach((each) => each.remove())
  await shop.mangopay.stop()
})
beforeEach(async () => await emptyBooks(database))
afterEach(async () => expect(await findBroken(database.db)).toEqual([]))

async function open() {
  const payouts = await openPaying(database, shop)
  opened.push(payouts)
  return payouts
}

function openByHand() {
  const payouts = openPayouts(database)
  opened.push(payouts)
  return payouts
}

test('S-18 H-48 K-17 identity and bank account are asked for only where there is something to pay, which waits for the first', async () => {
  const payouts = openByHand()
  const { userId } = await payouts.books.customer()
  const lacks = async () => await readLacking(database.db, payouts.deps(), userId, (await payouts.sums(userId)).owed)
  expect(await lacks()).toEqual(['minimum'])
  await payouts.referee(userId)
  await payouts.accrue()
  payouts.books.at('2027-01-21T12:00:00Z')
  await payouts.run()
  expect(await payouts.sums(userId)).toMatchObject({ accrued: 3990, owed: 0 })
  expect(await lacks()).toEqual(['minimum'])
  payouts.books.at('2027-01-22T12:00:00Z')
  await payouts.run()
  expect(await payouts.sums(userId)).toMatchObject({ accrued: 0, owed: 3990 })
  expect(await lacks()).toEqual(['profile', 'identity', 'bank_account'])
  payouts.books.at('2027-02-01T09:00:00Z')
  await payouts.run()
  expect(await payouts.payouts(userId)).toEqual([])
  // Nothing was lost meanwhile: the month after, he is ready.
  await payouts.ready(userId)
  payouts.books.at('2027-02-28T22:59:00Z')
  await payouts.run()
  expect(await payouts.payouts(userId)).toEqual([])
  payouts.books.at('2027-02-28T23:01:00Z')
  expect(await payouts.run()).toBe(1)
  expect(await payouts.run()).toBe(0)
  expect(await payouts.payouts(userId)).toMatchObject([{ month: '2027-03-01', status: 'pending', net_cents: 3990, vat_cents: 0 }])
  expect(await payouts.sums(userId)).toMatchObject({ owed: 0, reserved: 3990 })
})

test('a firm with a valid VAT number is paid VAT on top; less than the minimum waits, and adds up', async () => {
  const payouts = openByHand()
  const { userId, customerId } = await payouts.books.customer({ userType: 'legal' })
  await sql`update billing_customer set vat_number = 'FR96552100554', vat_check = 'valid', vat_checked_at = now() where id = ${customerId}::uuid`.execute(
    database.db,
  )
  const friend = await payouts.referee(userId)
  await payouts.accrue()
  await payouts.ready(userId)
  await sql`update profile set company_type = 'organization', company_number = '552 100 554', company_address = '1 rue', representative_first_name = 'A', representative_last_name = 'B'
    where user_id = ${userId}::uuid`.execute(database.db)
  await payouts.books.within(async (tx) => {
    await lockCustomer(tx, friend.customerId)
    await creditInvoice(tx, payouts.books.deps(), friend.invoiceId, 20_000)
  })
  payouts.books.at('2027-02-01T09:00:00Z')
  expect(await payouts.run()).toBe(0)
  expect(await payouts.sums(userId)).toMatchObject({ owed: 1990 })
  await payouts.referee(userId)
  await payouts.accrue()
  payouts.books.at('2027-05-01T09:00:00Z')
  expect(await payouts.run()).toBe(1)
  expect(await payouts.payouts(userId)).toMatchObject([{ net_cents: 5980, vat_cents: 1196, gross_cents: 7176 }])
})

test('S-19 S-20 the provider is granted and pays; told twice, in any order, the books change once', async () => {
  const payouts = await open()
  const { userId } = await earner(payouts)
  await payouts.later(61)
  await payouts.run()
  await payouts.prepared(userId)
  await payouts.toFirst()
  expect(await payouts.run()).toBe(1)
  const [begun] = await payouts.payouts(userId)
  expect(begun).toMatchObject({ status: 'pending', granted_cents: 3990 })
  expect(await payouts.run()).toBe(0)
  await payouts.later(3)
  await askPayouts(payouts.deps(), never)
  await askPayouts(payouts.deps(), never)
  expect(await payouts.payouts(userId)).toMatchObject([{ status: 'success' }])
  expect(await payouts.sums(userId)).toMatchObject({ owed: 0, reserved: 0, paid: 3990 })
  const { rows } = await sql<{
    account: string
    cents: number
  }>`select account, (sum(debit_cents) - sum(credit_cents))::integer as cents
    from journal_posting where account in ('467100', '517100', '517000', '622200') group by account order by account`.execute(
    database.db,
  )
  expect(rows).toEqual([
    { account: '467100', cents: 0 },
    { account: '517000', cents: -3990 },
    { account: '517100', cents: 0 },
    { account: '622200', cents: 3990 },
  ])
})

test('S-21 K-18 an account that is refused fails with its reason, and is tried the next month with another key and no second grant', async () => {
  const payouts = await open()
  const { userId } = await earner(payouts)
  await payouts.later(61)
  await payouts.run()
  const known = await payouts.prepared(userId)
  await payouts.toFirst()
  await payouts.run()
  const [first] = await database.db.selectFrom('payout').selectAll().where('user_id', '=', userId).execute()
  await shop.mangopay.control(`POST payouts/${first?.reference ?? ''}`, { result: '121999' })
  await payouts.later(2)
  await askPayouts(payouts.deps(), never)
  expect(await payouts.payouts(userId)).toMatchObject([{ status: 'failed', failure: 'account_refused' }])
  expect(await payouts.sums(userId)).toMatchObject({ owed: 3990, reserved: 0 })
  expect(await payouts.run()).toBe(0)
  await payouts.toFirst()
  expect(await payouts.run()).toBe(1)
  await payouts.later(3)
  await askPayouts(payouts.deps(), never)
  const all = await database.db.selectFrom('payout').selectAll().where('user_id', '=', userId).orderBy('month').execute()
  expect(all.map(({ status, granted_cents, held_cents }) => [status, granted_cents, held_cents])).toEqual([
    ['failed', 3990, 0],
    ['success', 0, 3990],
  ])
  expect(new Set(all.map(({ payout_key }) => payout_key)).size).toBe(2)
  // Weeks later his bank sends it back: it is owed again, and paid the month after.
  const [, second] = all
  await shop.mangopay.control(`POST payouts/${second?.reference ?? ''}/return`)
  await payouts.later(20)
  await askPayouts(payouts.deps(), never)
  await askPayouts(payouts.deps(), never)
  expect(await payouts.sums(userId)).toMatchObject({ owed: 3990, paid: 0 })
  await payouts.toFirst()
  await payouts.run()
  await payouts.later(3)
  await askPayouts(payouts.deps(), never)
  expect((await payouts.payouts(userId)).map(({ status }) => status)).toEqual(['failed', 'returned', 'success'])
  const wallets = await wire<{ Balance: { Amount: number } }[]>(shop.mangopay, `GET users/${known?.reference ?? ''}/wallets`)
  expect(wallets.map(({ Balance }) => Balance.Amount)).toEqual([0])
})

test('H-20 S-19 from the day on which the operator pays by his own bank, what begins is his to settle; what has begun ends at the provider', async () => {
  const payouts = await open()
  const byBank = () => ({ ...payouts.deps(), rules: { ...payouts.deps().rules, by: 'transfer' as const } })
  const { userId } = await earner(payouts)
  await payouts.later(61)
  await payouts.run()
  await payouts.prepared(userId)
  await payouts.toFirst()
  expect(await payouts.run()).toBe(1)
  await payouts.later(3)
  await askPayouts(byBank(), never)
  await askPayouts(byBank(), never)
  expect(await payouts.payouts(userId)).toMatchObject([{ status: 'success' }])
  await payouts.referee(userId)
  await payouts.accrue()
  await payouts.later(61)
  await payouts.run()
  expect(await readLacking(database.db, byBank(), userId, 3990)).toEqual([])
  await expect(preparePayee(byBank(), actorOf(userId), '/en/account/payout/')).rejects.toMatchObject({ code: 'payout.by_hand' })
  await payouts.toFirst()
  expect(await runPayouts(byBank(), never)).toBe(1)
  await payouts.later(3)
  await askPayouts(byBank(), never)
  const [, second] = await payouts.payouts(userId)
  expect(second).toMatchObject({ status: 'pending', granted_cents: 0 })
  await settled(byBank(), actorOf(userId), second?.id ?? '', 'success')
  expect(await payouts.sums(userId)).toMatchObject({ owed: 0, reserved: 0, paid: 7980 })
})

test('K-18 an account that is closed after months of payouts fails once: another is asked for, and what was owed is paid to that', async () => {
  const payouts = await open()
  const { userId } = await earner(payouts)
  await payouts.later(61)
  await payouts.run()
  const known = await payouts.prepared(userId)
  const month = async () => {
    await payouts.toFirst()
    const begun = await payouts.run()
    await payouts.later(3)
    await askPayouts(payouts.deps(), never)
    return begun
  }
  expect(await month()).toBe(1)
  await payouts.referee(userId)
  await payouts.accrue()
  await payouts.later(91)
  await wire(shop.mangopay, `PUT recipients/${known.accountReference ?? ''}`, { Status: 'DEACTIVATED' })
  expect(await month()).toBe(1)
  expect((await payouts.payouts(userId)).map(({ status, failure }) => [status, failure])).toEqual([
    ['success', null],
    ['failed', 'account_refused'],
  ])
  expect(await readLacking(database.db, payouts.deps(), userId, 3990)).toEqual(['provider_account'])
  expect(await month()).toBe(0)
  await payouts.ready(userId, 'FR1420041010050500013M02606')
  await payouts.prepared(userId)
  expect(await month()).toBe(1)
  expect(await payouts.sums(userId)).toMatchObject({ paid: 7980, owed: 0, reserved: 0 })
})

test('bad input: to an account of a country where nothing can be paid nothing is reserved, by the provider or by hand, and nothing is lost', async () => {
  const payouts = await open()
  const { userId } = await earner(payouts)
  await payouts.later(61)
  await payouts.run()
  const account = {
    type: 'US',
    account_number: '000123456789',
    aba: '021000021',
    deposit_type: 'checking',
    owner_name: 'Ada Byron',
  }
  const sealed = vault.seal('account.bank_account', userId, Buffer.from(JSON.stringify(account)))
  await database.db
    .updateTable('bank_account')
    .set({ type: 'US', ending: '6789', sealed })
    .where('user_id', '=', userId)
    .execute()
  await expect(preparePayee(payouts.deps(), actorOf(userId), '/en/account/payout/')).rejects.toMatchObject({
    code: 'payout.not_ready',
    data: { lacks: expect.stringContaining('account_currency') as string },
  })
  // By its own number alone no euros reach it: the provider is not asked with a code of its bank that nobody gave.
  const holder = {
    name: 'Ada Byron',
    address: { line1: '1 Main St', line2: null, city: 'Boston', region: 'MA', zip: '02101', country: 'US' },
  }
  const attempt = { key: randomUUID(), tag: 'payee', since: payouts.books.now() }
  const refused = { state: 'refused', reason: 'account_refused', code: 'no_bic' }
  for (const asked of [
    { kind: 'us', aba: '021000021', number: '000123456789' },
    { kind: 'gb', sortCode: '200000', number: '55779911' },
    { kind: 'ca', bank: 'Banque', institution: '614', branch: '00152', number: '11696419' },
  ] as const)
    expect(
      await payouts.provider.payouts?.registerPayee('nobody', holder as never, asked, 'https://p.example/', attempt),
    ).toMatchObject(refused)
  for (const provider of [payouts.provider, null]) {
    const deps = { ...payouts.deps(), provider }
    expect(await readLacking(database.db, deps, userId, 3990)).toContain('account_currency')
  }
  await payouts.toFirst()
  expect(await payouts.run()).toBe(0)
  expect(await payouts.sums(userId)).toMatchObject({ owed: 3990, reserved: 0 })
})

test('what goes back after it was paid is taken off the next payout, and never below nothing', async () => {
  const payouts = await open()
  const { userId, friend } = await earner(payouts)
  await payouts.later(61)
  await payouts.run()
  await payouts.prepared(userId)
  await payouts.toFirst()
  await payouts.run()
  await payouts.later(3)
  await askPayouts(payouts.deps(), never)
  await payouts.books.within(async (tx) => {
    await lockCustomer(tx, friend.customerId)
    await creditInvoice(tx, payouts.books.deps(), friend.invoiceId, null)
  })
  await payouts.run()
  expect(await payouts.sums(userId)).toMatchObject({ owed: -3990, paid: 3990, clawedBack: 3990 })
  for (const _ of [1, 2]) await payouts.referee(userId)
  await payouts.accrue()
  await payouts.later(61)
  await payouts.toFirst()
  expect(await payouts.run()).toBe(1)
  const all = await payouts.payouts(userId)
  expect(all.map(({ net_cents }) => net_cents)).toEqual([3990, 3990])
  const lines = await database.db
    .selectFrom('payout_line')
    .select('cents')
    .where('payout_id', '=', all[1]?.id ?? '')
    .orderBy('cents')
    .execute()
  expect(lines.map(({ cents }) => cents)).toEqual([-3990, 3990, 3990])
})

test('bad input: who is suspended, erased, or changed his account is not paid, and nothing of his is lost', async () => {
  const payouts = await open()
  const { userId } = await earner(payouts)
  await payouts.later(61)
  await payouts.run()
  await payouts.prepared(userId)
  const { owed } = await payouts.sums(userId)
  const lacks = async () => await readLacking(database.db, payouts.deps(), userId, owed)
  expect(await lacks()).toEqual([])
  await payouts.ready(userId, 'FR1420041010050500013M02606')
  expect(await lacks()).toEqual(['provider_account'])
  await database.db
    .updateTable('account_user')
    .set({ status: 'suspended', suspended_at: payouts.books.now() })
    .where('id', '=', userId)
    .execute()
  expect(await lacks()).toEqual(['account_not_open'])
  await payouts.toFirst()
  expect(await payouts.run()).toBe(0)
  expect(await payouts.sums(userId)).toMatchObject({ owed: 3990 })
})

test('more than has matured is refused by the database, whoever asks for it', async () => {
  const payouts = openByHand()
  const stranger = await haveAccount(database.db)
  const { userId } = await earner(payouts)
  payouts.books.at('2027-01-25T09:00:00Z')
  await payouts.run()
  const [earning] = await database.db.selectFrom('earning').select('id').where('user_id', '=', userId).execute()
  const insert = async (user: string, cents: number, line: number) =>
    await database.db.transaction().execute(async (tx) => {
      await sql`insert into payout (id, user_id, month, status, net_cents, vat_treatment, vat_cents, gross_cents, realm, reference_text, grant_key,
          payout_key, created_at) values (gen_random_uuid(), ${user}::uuid, '2027-05-01', 'pending', ${cents}, 'none', 0, ${cents}, 'transfer',
          'PBT-AAAAAAAAAA', gen_random_uuid()::text, gen_random_uuid()::text, now())`.execute(tx)
      await sql`insert into payout_line select id, ${earning?.id}::uuid, ${line} from payout where reference_text = 'PBT-AAAAAAAAAA'`.execute(
        tx,
      )
    })
  await expect(insert(stranger, 1, 1)).rejects.toThrow('would be paid out of 0')
  await expect(insert(userId, 3990, 3000)).rejects.toThrow('its lines of 3000')
})

test('S-20 by the operator’s own bank it is pending until he says what became of it, and sent back it is owed again', async () => {
  const payouts = openByHand()
  const { userId } = await earner(payouts)
  payouts.books.at('2027-02-01T09:00:00Z')
  expect(await payouts.run()).toBe(1)
  const [begun] = await payouts.payouts(userId)
  const settle = async (outcome: 'success' | 'failed' | 'returned') =>
    await settled(payouts.deps(), actorOf(userId), begun?.id ?? '', outcome)
  await expect(settle('returned')).rejects.toThrow('payout.illegal_transition')
  const reason = 'As the bank says'
  const look = await settleByHand(payouts.deps(), actorOf(userId), begun?.id ?? '', { outcome: 'success', reason })
  expect(look).toMatchObject({
    done: false,
    consequence: {
      status: { before: 'pending', after: 'success' },
      reserved_cents: { before: 3990, after: 0 },
      paid_cents: { before: 0, after: 3990 },
      invoice: null,
      entries: [{ journal: 'BQ' }],
    },
  })
  expect(await payouts.payouts(userId)).toMatchObject([{ status: 'pending' }])
  const other = settleByHand(payouts.deps(), actorOf(userId), begun?.id ?? '', {
    outcome: 'failed',
    reason,
    accepted: look.shown,
  })
  await expect(other).rejects.toThrow('payout.consequence_changed')
  await settle('success')
  await expect(settle('success')).rejects.toThrow('payout.illegal_transition')
  expect(await payouts.sums(userId)).toMatchObject({ paid: 3990, reserved: 0, owed: 0 })
  await settle('returned')
  expect(await payouts.sums(userId)).toMatchObject({ paid: 0, reserved: 0, owed: 3990 })
  payouts.books.at('2027-03-01T09:00:00Z')
  expect(await payouts.run()).toBe(1)
})
