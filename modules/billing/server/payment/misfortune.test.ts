import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { below, seed } from '../../../../testing/sweep.ts'
import { changeBankAccount } from '../../../account/server/profile/change-bank-account.ts'
import { emptyBooks } from '../billing.test-data.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { openShop, testCards, type Shop } from '../provider/mangopay/shop.test-data.ts'
import { createMandate, readMandate } from './means/create-mandate.ts'
import { endMandateOf, tellEnded } from './means/end-mandate.ts'
import { listMethods } from './means/list-methods.ts'
import { follow } from './notices/follow.ts'
import { hearNotice } from './notices/hear-notice.ts'
import { reconcile } from './notices/reconcile.ts'
import { compareTotals, openPayments, vault } from './payments.test-data.ts'

const database = withDatabase()
let shop: Shop
let receiver: Server
let address = ''
/** What the provider's notices brought here, as it came. */
let heard: URLSearchParams[] = []

beforeAll(async () => {
  shop = await openShop()
  receiver = createServer((request, response) => {
    heard.push(new URL(request.url ?? '/', 'http://receiver').searchParams)
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/payments/hooks/`
})
afterAll(async () => {
  receiver.close()
  await shop.mangopay.stop()
})
beforeEach(async () => {
  heard = []
  await emptyBooks(database)
})
afterEach(async () => {
  await shop.mangopay.control('DELETE faults')
  expect(await findBroken(database.db)).toEqual([])
})

type Payments = Awaited<ReturnType<typeof openPayments>>

/** A mandate on the bank account of a profile, confirmed. */
async function agreed(payments: Payments, userId: string): Promise<string> {
  await giveAccount(payments, userId, 'FR7630004000031234567890143')
  const { mandate } = await createMandate(payments.deps(), actorOf(userId), '/en/account/subscription/')
  const again = await createMandate(payments.deps(), actorOf(userId), '/en/account/subscription/')
  expect(again.mandate).toEqual(mandate)
  await shop.mangopay.answer(mandate.redirect_url ?? '', 'agree')
  expect(await readMandate(payments.deps(), actorOf(userId))).toMatchObject({ status: 'submitted', redirect_url: null })
  return mandate.id
}

async function giveAccount(payments: Payments, userId: string, iban: string): Promise<void> {
  const deps = { ...payments.deps(), secret: 's'.repeat(32), vault, onBankAccountEnded: endMandateOf }
  const body = { type: 'IBAN', iban, owner_name: 'Ada Byron', owner_address: '1 rue du Port, Marseille' } as const
  await changeBankAccount(deps, actorOf(userId), userId, body)
}

test('C-52 S-46 D-09 a mandate is debited, renews, and ends with the bank account that it is on', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  await expect(payments.pay(userId, invoiceId, { by: 'mandate' })).rejects.toThrow('billing.mandate_unusable')
  await expect(createMandate(payments.deps(), actorOf(userId), '/en/')).rejects.toThrow('billing.bank_account_missing')
  await agreed(payments, userId)
  const debited = await payments.pay(userId, invoiceId, { by: 'mandate' })
  expect(debited).toMatchObject({ status: 'processing', by: 'mandate', expected_on: expect.any(String) })
  expect(await payments.pay(userId, invoiceId, { by: 'mandate' })).toEqual(debited)
  await payments.later(7)
  await payments.run()
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
  expect(await listMethods(payments.deps(), actorOf(userId))).toMatchObject({ renewals: { by: 'mandate', card: null } })
  await payments.later(25)
  await payments.run()
  expect(await payments.attempts(customerId)).toMatchObject([{ status: 'succeeded' }, { status: 'started' }])

  await giveAccount(payments, userId, 'DE89370400440532013000')
  expect(await listMethods(payments.deps(), actorOf(userId))).toMatchObject({ mandate: null, renewals: null })
  expect(await tellEnded(payments.deps())).toBe(1)
  expect(await tellEnded(payments.deps())).toBe(0)
  // What was being debited fails with it, and is owed: the customer is told.
  await payments.later(8)
  await payments.run()
  expect(await payments.attempts(customerId)).toMatchObject([
    { status: 'succeeded' },
    { status: 'failed', failure: 'mandate_unusable' },
  ])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'past_due' })
})

test('a debit that is taken back after it succeeded, and a card that is disputed, are owed again; won, they are paid', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  const card = await payments.card(userId, testCards.accepted)
  await payments.pay(userId, invoiceId, { card })
  const [{ reference } = { reference: null }] = await payments.attempts(customerId)
  const dispute = await shop.mangopay.control<{ Id: string }>(`POST pay-ins/${reference ?? ''}/dispute`, {
    reason: 'FRAUD',
    contestable: true,
  })
  for (let time = 0; time < 3; time += 1) await follow(payments.deps(), { kind: 'dispute', id: dispute.Id })
  expect(await payments.instalments(customerId)).toEqual(['due'])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'past_due' })
  // Nobody is charged again for what he disputes.
  await payments.later(3)
  await payments.run()
  expect(await payments.attempts(customerId)).toHaveLength(1)
  await shop.mangopay.control(`POST disputes/${dispute.Id}`, { won: true })
  for (let time = 0; time < 3; time += 1) await follow(payments.deps(), { kind: 'dispute', id: dispute.Id })
  expect(await payments.instalments(customerId)).toEqual(['paid'])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
})

test('7 notices that are forged, doubled, turned round or lost lead to the same books as those that come in order', async () => {
  const payments = await openPayments(database, shop)
  process.stdout.write(`notices of payments: seed ${String(seed)}\n`)
  const draw = below()
  expect(await payments.provider.notices?.subscribe(address)).toBe(true)
  expect(await payments.provider.notices?.subscribe(address)).toBe(true)
  const people: { userId: string; customerId: string; invoiceId: string }[] = []
  for (let index = 0; index < 6; index += 1) {
    const who = await payments.buyer()
    const card = await payments.card(who.userId, testCards.asks)
    const { redirect_url } = await payments.pay(who.userId, who.invoiceId, { card })
    people.push(who)
    if (index < 5) await shop.mangopay.answer(redirect_url ?? '', index < 3 ? 'agree' : 'refuse')
  }
  for (let tries = 0; heard.length < 5 && tries < 100; tries += 1) await shop.mangopay.control('POST hooks/release', {})
  const forged = new URLSearchParams({ EventType: 'PAYIN_NORMAL_SUCCEEDED', RessourceId: 'payin_m_of_nobody', Date: '1' })
  const told = [...heard, ...heard, forged].map((query) => ({ query, at: draw(1000) })).toSorted((a, b) => a.at - b.at)
  const lost = told.filter(({ query }) => query.get('EventType') === 'PAYIN_NORMAL_FAILED')
  for (const { query } of told.filter((each) => !lost.includes(each))) {
    await hearNotice(payments.deps(), query)
    const named = payments.provider.notices?.parse(query) ?? null
    if (named !== null) await follow(payments.deps(), named)
  }
  const states = async () => await Promise.all(people.map(async (each) => (await payments.instalments(each.customerId)).join()))
  expect(await states()).toEqual(['paid', 'paid', 'paid', 'action_required', 'action_required', 'action_required'])
  // One that succeeded and is said to have failed did succeed: a notice only names what is read.
  const [first] = await payments.attempts(people[0]?.customerId ?? '')
  await follow(payments.deps(), { kind: 'payment', id: first?.reference ?? '' })
  // What was lost is found in the provider's own record.
  expect(await reconcile(payments.deps())).toBeGreaterThanOrEqual(5)
  expect(await states()).toEqual(['paid', 'paid', 'paid', 'failed', 'failed', 'action_required'])
  await reconcile(payments.deps())
  expect(await states()).toEqual(['paid', 'paid', 'paid', 'failed', 'failed', 'action_required'])
})

test('the provider is down for a day: whoever is there is told, renewals are charged the day after, and nobody falls behind', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  const card = await payments.card(userId, testCards.accepted)
  await payments.pay(userId, invoiceId, { card })
  const other = await payments.buyer()
  const held = await payments.card(other.userId, testCards.accepted)
  await payments.later(31)
  await shop.mangopay.control('POST faults', { kind: 'down' })
  await expect(payments.pay(other.userId, other.invoiceId, { card: held })).rejects.toThrow('billing.provider_unavailable')
  for (let time = 0; time < 4; time += 1) {
    await payments.run()
    await payments.later(0.25)
  }
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
  await shop.mangopay.control('DELETE faults')
  await payments.run()
  await payments.run()
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
  expect((await payments.instalments(customerId)).filter((status) => status === 'paid')).toHaveLength(2)
  const { twice, unknown } = await compareTotals(database.db, shop)
  expect([twice, unknown]).toEqual([[], []])
})

test('500 in the midst, an answer that is cut: asked after by its key, then by its tag, it is paid once', async () => {
  const payments = await openPayments(database, shop)
  for (const kind of ['error-before', 'error-after', 'cut-before', 'cut-after'] as const) {
    const { userId, customerId, invoiceId } = await payments.buyer()
    const card = await payments.card(userId, testCards.accepted)
    await shop.mangopay.control('POST faults', { kind, method: 'POST', path: 'payins', times: 1 })
    await payments
      .pay(userId, invoiceId, { card })
      .catch((error: unknown) => expect(String(error)).toContain('provider_unavailable'))
    await shop.mangopay.control('DELETE faults')
    await payments.later(2 / 1440)
    await payments.run()
    await payments.later(1 / 24)
    await payments.run()
    const states = await payments.instalments(customerId)
    if (states.join() !== 'paid') expect(await payments.pay(userId, invoiceId, { card })).toMatchObject({ status: 'success' })
    const calls = (await payments.attempts(customerId)).filter(({ status }) => status === 'succeeded')
    expect([kind, calls.length]).toEqual([kind, 1])
  }
  const { twice, unknown } = await compareTotals(database.db, shop)
  expect([twice, unknown]).toEqual([[], []])
})
