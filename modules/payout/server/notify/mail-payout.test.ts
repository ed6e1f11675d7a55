import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { keepMails } from '../../../../testing/signed-in.ts'
import { emptyBooks } from '../../../billing/server/billing.test-data.ts'
import { findBroken } from '../../../billing/server/invariants/invariant-store.ts'
import { endPayee } from '../ending/end-payee.ts'
import { exportPayouts } from '../ending/ending-store.ts'
import { earner, settled } from '../pay/paying.test-data.ts'
import { openPayouts } from '../payouts.test-data.ts'
import { isTest } from '../keep/deps.ts'
import { mailPayout, writePayoutMail } from './mail-payout.ts'

const database = withDatabase()
let payouts: ReturnType<typeof openPayouts>
beforeEach(async () => {
  await emptyBooks(database)
  payouts = openPayouts(database)
})
afterEach(async () => {
  payouts.remove()
  expect(await findBroken(database.db)).toEqual([])
})

/** Somebody whose first payout is on its way. */
async function begun() {
  const { userId, friend } = await earner(payouts)
  payouts.books.at('2027-02-01T09:00:00Z')
  await payouts.run()
  const [payout] = await payouts.payouts(userId)
  return { userId, friend, id: payout?.id ?? '' }
}
const settle = async (id: string, outcome: 'success' | 'failed' | 'returned') =>
  await settled(payouts.deps(), actorOf(id), id, outcome)
const jobsOf = async (id: string) =>
  (
    await sql<{ occasion: string }>`select payload ->> 'occasion' as occasion from graphile_worker._private_jobs
      where payload ->> 'payout_id' = ${id} order by id`.execute(database.db)
  ).rows.map(({ occasion }) => occasion)

test('S-20 S-21 a payout that reached the bank, failed or came back is told by mail, with the amount, its reference and a way to its page', async () => {
  const { userId, id } = await begun()
  await settle(id, 'success')
  await settle(id, 'returned')
  payouts.books.at('2027-03-01T09:00:00Z')
  await payouts.run()
  const second = (await payouts.payouts(userId))[1]?.id ?? ''
  await settle(second, 'failed')
  expect([await jobsOf(id), await jobsOf(second)]).toEqual([['success', 'returned'], ['failed']])
  for (const [locale, amount, subjects] of [
    ['en', '€39.90', ['€39.90 were paid out to you', 'Your bank sent €39.90 back', 'A payout of €39.90 failed']],
    ['fr', '39,90 €', ['39,90 € vous ont été versés', 'Votre banque a renvoyé 39,90 €', 'Le versement de 39,90 € a échoué']],
  ] as const) {
    await database.db.updateTable('account_user').set({ locale }).where('id', '=', userId).execute()
    const { mails, mailer } = keepMails()
    const deps = { ...payouts.deps(), mailer }
    for (const [each, occasion] of [
      [id, 'success'],
      [id, 'returned'],
      [second, 'failed'],
    ] as const)
      await mailPayout(deps, each, occasion)
    expect(mails.map(({ subject }) => subject.replaceAll(/[\u00a0\u202f]/g, ' '))).toEqual(subjects)
    for (const [at, mail] of mails.entries()) {
      const text = mail.text.replaceAll(/[\u00a0\u202f]/g, ' ')
      expect(text).toContain(amount)
      expect(text).toContain(`https://probant.example/${locale}/account/payout/${at === 2 ? second : id}/`)
    }
    expect(mails[0]?.text).toMatch(/PBT-[0-9A-Z]{10}/)
    // H-42: where no money moves each says so, by what it was made, whoever pays out since.
    const says = () =>
      mails.map(({ text }) => /Test payments: no money moved|Paiements de test.: aucun argent n’a circulé/u.test(text))
    expect(says()).toEqual([false, false, false])
    await mailPayout({ ...deps, provider: { isTest: true } as never }, id, 'success')
    const made = { id, grossCents: 3990, referenceText: 'PBT-7K3M9Q2X4B', failure: null }
    expect(isTest({ provider: null }, { realm: '127.0.0.1 shop' })).toBe(true)
    expect(isTest({ provider: null }, { realm: 'api.mangopay.com shop' })).toBe(false)
    const addressee = { address: 'zoe@example.org', name: 'Zoë', locale, brand: 'probant' }
    mails.push(writePayoutMail(deps, addressee, { ...made, test: true }, 'failed'))
    expect(says()).toEqual([false, false, false, true, true])
  }
})

test('an account that ends with something pending: what is on its way arrives, what is owed stays owed, and nobody is written to', async () => {
  const { userId, id } = await begun()
  // Earned since, and never to be paid.
  await payouts.referee(userId)
  await payouts.accrue()
  await database.db
    .updateTable('account_user')
    .set({ status: 'erased', erased_at: payouts.books.now(), password_hash: null })
    .where('id', '=', userId)
    .execute()
  await endPayee(payouts.deps(), userId)
  await endPayee(payouts.deps(), userId)
  await settle(id, 'success')
  payouts.books.at('2027-07-01T09:00:00Z')
  expect(await payouts.run()).toBe(0)
  expect(await payouts.sums(userId)).toMatchObject({ paid: 3990, owed: 3990, reserved: 0 })
  const { mails, mailer } = keepMails()
  await mailPayout({ ...payouts.deps(), mailer }, id, 'success')
  expect(mails).toEqual([])
})

test('C-54 whoever asks for all that is held on him is given what he earned and was paid, and of whoever paid no more than the number of his invoice', async () => {
  const { userId, friend, id } = await begun()
  await settle(id, 'success')
  const given = await Array.fromAsync(exportPayouts(database.db, userId))
  expect(given).toMatchObject([
    { kind: 'earning', source: 'referral', invoice: 'F2026-000001', amount_cents: 3990, standing_cents: 3990 },
    { kind: 'payout', status: 'success', net_cents: 3990, gross_cents: 3990, lines: [{ cents: 3990 }] },
  ])
  const said = JSON.stringify(given)
  for (const secret of [friend.userId, friend.customerId, friend.invoiceId]) expect(said).not.toContain(secret)
  expect(await Array.fromAsync(exportPayouts(database.db, friend.userId))).toEqual([])
})
