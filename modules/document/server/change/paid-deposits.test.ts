import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { Actor } from '../../../../kernel/actor.ts'
import { emptyBooks, essential, openBooks } from '../../../billing/server/billing.test-data.ts'
import { findBroken } from '../../../billing/server/invariants/invariant-store.ts'
import { finishAttempt, startAttempt } from '../../../billing/server/settlement/attempt-payment.ts'
import { setLimit } from '../../../billing/server/spending/limit-spending.ts'
import { findDocument } from '../deposit/store.ts'
import { expireDrafts } from '../ending/expire-drafts.ts'
import { purchasedDocuments } from './agree-documents.ts'
import { changeDocument, changeDocuments } from './change-document.ts'
import { createDocuments } from './create-documents.ts'

const database = withDatabase()
beforeEach(async () => {
  await sql`truncate document cascade`.execute(database.db)
  await emptyBooks(database)
})
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

function openShop() {
  const books = openBooks(database)
  const billing = () => ({ ...books.deps(), purchases: { document: purchasedDocuments(books.deps()) } })
  const deps = () => ({ db: database.db, clock: { now: books.now }, billing: billing() })
  const shop = {
    ...books,
    billing,
    deps,
    async deposit(actor: Actor, count: number, agree = true): Promise<string[]> {
      const documents = Array.from({ length: count }, () => ({
        sha256: createHash('sha256').update(randomUUID()).digest('hex'),
        store: false,
      }))
      return (await createDocuments(deps(), actor, { documents, agree, many: true })).map(({ id }) => id)
    },
    async statuses(ids: readonly string[]): Promise<Record<string, number>> {
      const count: Record<string, number> = {}
      for (const id of ids) {
        const status = (await findDocument(database.db, id))?.status ?? 'gone'
        count[status] = (count[status] ?? 0) + 1
      }
      return count
    },
    async start(customerId: string): Promise<string> {
      const [due = ''] = await books.due(customerId)
      const by = { channel: 'provider', idempotencyKey: randomUUID() } as const
      return await books.within(async (tx) => (await startAttempt(tx, billing(), due, by)).id)
    },
    async end(attemptId: string, outcome: 'succeeded' | 'failed'): Promise<void> {
      await books.within(async (tx) => await finishAttempt(tx, billing(), attemptId, outcome))
    },
  }
  return shop
}

test('H-35 E-36 deposits cost 5.00 each, wait together on one invoice, and are sealed once it is paid', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const ids = await shop.deposit(actorOf(userId), 3)
  expect(await shop.statuses(ids)).toEqual({ awaiting_payment: 3 })
  expect(await shop.invoices(customerId)).toMatchObject([{ status: 'draft', number: null, net_cents: 1500, gross_cents: 1800 }])
  await shop.end(await shop.start(customerId), 'failed')
  expect(await shop.statuses(ids)).toEqual({ awaiting_payment: 3 })
  const attempt = await shop.start(customerId)
  await Promise.all([shop.end(attempt, 'succeeded'), shop.end(attempt, 'succeeded')])
  expect(await shop.statuses(ids)).toEqual({ stamping: 3 })
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from graphile_worker.jobs j join document d on j.key = 'seal:' || d.batch_id
    where d.id = any(${ids}::uuid[])`.execute(database.db)
  expect(rows[0]?.jobs).toBe(3)
  expect(await shop.invoices(customerId)).toMatchObject([{ number: 1, settlement: 'success', gross_cents: 1800 }])
})

test('K-01 of sixty at once, Essential includes fifty, and ten are to be paid; none is counted twice', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.subscribed(essential)
  const ids = await shop.deposit(actorOf(userId), 45)
  expect(await shop.statuses(ids)).toEqual({ stamping: 45 })
  const more = (await Promise.all([1, 2, 3].map(async () => await shop.deposit(actorOf(userId), 5)))).flat()
  expect(await shop.statuses(more)).toEqual({ stamping: 5, awaiting_payment: 10 })
  const drafts = (await shop.invoices(customerId)).filter(({ status }) => status === 'draft')
  expect(drafts.map(({ net_cents: net }) => net)).toEqual([2500, 2500])
})

test('S-41 H-50 unpaid deposits expire together after their day, not while they are being paid for; the agreement can be taken back', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const actor = actorOf(userId)
  const [first = '', second = ''] = await shop.deposit(actor, 2)
  await changeDocument(shop.deps(), actor, first, { agree: false })
  expect(await shop.statuses([first, second])).toEqual({ draft: 2 })
  expect(await shop.invoices(customerId)).toEqual([])
  await changeDocument(shop.deps(), actor, first, { agree: true })
  await expect(changeDocument(shop.deps(), actor, first, { trashed: true })).rejects.toMatchObject({ code: 'document.under_way' })
  const attempt = await shop.start(customerId)
  await expect(changeDocument(shop.deps(), actor, first, { agree: false })).rejects.toMatchObject({
    code: 'billing.payment_processing',
  })
  shop.later(1)
  expect(await expireDrafts(shop.deps())).toBe(1)
  expect(await shop.statuses([first, second])).toEqual({ awaiting_payment: 1, expired: 1 })
  await shop.end(attempt, 'succeeded')
  expect(await shop.statuses([first])).toEqual({ stamping: 1 })
  const [late = ''] = await shop.deposit(actor, 1)
  const failing = await shop.start(customerId)
  shop.later(1)
  await Promise.all([shop.end(failing, 'failed'), expireDrafts(shop.deps())])
  await expireDrafts(shop.deps())
  expect(await shop.statuses([late])).toEqual({ expired: 1 })
  expect((await shop.invoices(customerId)).map(({ number }) => number)).toEqual([1])
})

test('H-36 what was agreed to by and by is put on one invoice when it is asked for together, but for what is being paid for', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const actor = actorOf(userId)
  const agree = async (ids: readonly string[]) => await changeDocuments(shop.deps(), actor, { action: 'agree', ids: [...ids] })
  const first = await shop.deposit(actor, 2)
  const second = await shop.deposit(actor, 1)
  const drafts = await shop.deposit(actor, 1, false)
  // Of what was agreed to together one is asked for: the other comes with it.
  const results = await agree([first[0] ?? '', ...second, ...drafts])
  const gathered = await shop.invoices(customerId)
  expect(gathered).toMatchObject([{ status: 'draft', number: null, net_cents: 2000 }])
  expect(results.map(({ code, invoice_id: id }) => ({ code, id }))).toEqual(
    Array.from({ length: 3 }, () => ({ code: null, id: gathered[0]?.id })),
  )
  expect(await agree([...first, ...second])).toMatchObject([{ code: null }, { code: null }, { code: null }])
  expect((await shop.invoices(customerId)).map(({ id }) => id)).toEqual([gathered[0]?.id])
  const attempt = await shop.start(customerId)
  const third = await shop.deposit(actor, 1)
  expect(await agree([...first, ...third])).toMatchObject([
    { code: 'billing.payment_processing' },
    { code: 'billing.payment_processing' },
    { code: null },
  ])
  await shop.end(attempt, 'succeeded')
  expect(await shop.statuses([...first, ...second, ...drafts, ...third])).toEqual({ stamping: 4, awaiting_payment: 1 })
})

test('S-41 of deposits that are paid for together each has its own day: the younger is a draft again when the older is over', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const actor = actorOf(userId)
  const older = await shop.deposit(actor, 1)
  shop.later(0.5)
  const younger = await shop.deposit(actor, 1)
  await changeDocuments(shop.deps(), actor, { action: 'agree', ids: [...older, ...younger] })
  shop.later(0.6)
  expect(await expireDrafts(shop.deps())).toBe(1)
  expect([await shop.statuses(older), await shop.statuses(younger)]).toEqual([{ expired: 1 }, { draft: 1 }])
  expect(await shop.invoices(customerId)).toEqual([])
  shop.later(0.5)
  expect(await expireDrafts(shop.deps())).toBe(1)
})

test('a key of a program deposits up to the ceiling that its owner sets, and nothing of what is beyond', async () => {
  const shop = openShop()
  const { userId } = await shop.customer()
  const id = randomUUID()
  await sql`insert into api_key (id, user_id, name, token_hash, hint, scopes, per_minute, created_at, expires_at)
    values (${id}::uuid, ${userId}::uuid, 'archive', sha256(${id}::bytea), 'pbt_abcd', array['documents:create'], 60, ${shop.now()}::timestamptz,
      ${new Date(shop.now().getTime() + 9e9)}::timestamptz)`.execute(database.db)
  const program: Actor = {
    ...actorOf(userId),
    apiKey: { id, name: 'archive', scopes: new Set(['documents:create'] as const) },
  }
  await expect(shop.deposit(program, 1)).rejects.toMatchObject({ code: 'billing.ceiling_reached', data: { ceiling_cents: 0 } })
  await setLimit(shop.billing(), actorOf(userId), { kind: 'key', id }, 3000)
  const results = await Promise.allSettled([1, 2, 3, 4].map(async () => await shop.deposit(program, 2)))
  // Two at 6.00 each, twice: 24.00 of 30.00; a third time would be more.
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from document where owner_id = ${userId}::uuid`.execute(database.db)
  expect(rows[0]?.count).toBe(4)
})
