import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { emptyBooks } from '../../modules/billing/server/billing.test-data.ts'
import { openPayments } from '../../modules/billing/server/payment/payments.test-data.ts'
import { withShop } from '../../modules/billing/server/payment/with-shop.test-data.ts'
import { testCards } from '../../modules/billing/server/provider/mangopay/shop.test-data.ts'
import { withDatabase } from '../../testing/database.ts'
import { simulatedClient } from '../../testing/mangopay/run-mangopay.ts'
import { selling } from '../../testing/selling.ts'
import { parsePaymentsOptions } from './list-payments.ts'
import { runAdmin } from './run-admin.test-data.ts'

const database = withDatabase()
const { shop } = withShop(database)
const folder = mkdtempSync(join(tmpdir(), 'probant-payments-'))
afterAll(() => rmSync(folder, { recursive: true }))

const keys = () => ({
  ...selling,
  PROBANT_MANGOPAY_CLIENT_ID: simulatedClient.clientId,
  PROBANT_MANGOPAY_API_KEY: simulatedClient.apiKey,
  PROBANT_MANGOPAY_URL: shop.mangopay.origin,
  PROBANT_MANGOPAY_USER: shop.seller.user,
  PROBANT_MANGOPAY_WALLET: shop.seller.wallet,
})

const run = async (argv: readonly string[], env: Readonly<Record<string, string>> = keys()) =>
  await runAdmin(['payments', ...argv], { PROBANT_DATA: folder, DATABASE_URL: database.url, ...env })

test('a moment is a day, or a minute of it, in UTC', () => {
  const of = (line: string) => parsePaymentsOptions(line.split(' '))
  expect(of('--since 2026-11-23')).toEqual({ locale: 'en', since: new Date('2026-11-23T00:00:00Z') })
  expect(of('--since 2026-11-23T02:05 --lang fr')).toEqual({ locale: 'fr', since: new Date('2026-11-23T02:05:00Z') })
  for (const wrong of [
    '--since',
    '--lang fr',
    '--since 2026-02-31',
    '--since 2026-11-23T24:00',
    '--since 2026-11-23 --lang de',
    '--since 2026-11-23 extra',
  ])
    expect(of(wrong)).toBeNull()
})

test('what was paid after the backup that is restored is named, and nothing else', async () => {
  const payments = await openPayments(database, shop)
  const since = payments.books.now().toISOString().slice(0, 16)
  const { userId, invoiceId } = await payments.buyer()
  const card = await payments.card(userId, testCards.accepted)
  await payments.pay(userId, invoiceId, { card })
  const known = await run(['--since', since])
  expect(known).toMatchObject({ code: 0, out: '', said: expect.stringContaining('Every payment') })

  await shop.mangopay.control('POST faults', { kind: 'error-before', path: 'events', times: 9 })
  expect(await run(['--since', since])).toMatchObject({ code: 1, out: '', said: expect.stringContaining('did not answer') })
  await shop.mangopay.control('DELETE faults')

  // As a backup of before would leave it.
  const attempt = await database.db.selectFrom('payment_attempt').select('reference').executeTakeFirstOrThrow()
  await emptyBooks(database)
  const { code, out, said } = await run(['--since', since, '--lang', 'fr'])
  expect([code, said]).toEqual([1, expect.stringContaining('n’est pas dans ces comptes')])
  expect(JSON.parse(out)).toMatchObject({
    payment: attempt.reference,
    state: 'succeeded',
    amount: { cents: expect.any(Number), currency: 'EUR' },
  })
})

test('where nothing is sold, or no provider moves money, that is said', async () => {
  expect(await run(['--since', '2026-11-23'], {})).toMatchObject({ code: 1, said: expect.stringContaining('PROBANT_BILLING') })
  expect(await run(['--since', '2026-11-23'], { ...selling, PROBANT_PAYMENTS: 'transfer' })).toMatchObject({
    code: 1,
    said: expect.stringContaining('probant admin statement'),
  })
  expect(await run(['--since', 'yesterday'])).toMatchObject({ code: 3, said: expect.stringContaining('Usage') })
})
