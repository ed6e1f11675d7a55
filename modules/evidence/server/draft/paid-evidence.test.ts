import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actorOf, haveGroup } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import type { Actor } from '../../../../kernel/actor.ts'
import { comfort, emptyBooks, essential, openBooks } from '../../../billing/server/billing.test-data.ts'
import { findBroken } from '../../../billing/server/invariants/invariant-store.ts'
import { finishAttempt, startAttempt } from '../../../billing/server/settlement/attempt-payment.ts'
import { setLimit } from '../../../billing/server/spending/limit-spending.ts'
import { draftLifetimeMs } from '../../domain/status.ts'
import { changeStatus, findEvidence, insertEvidence } from '../record/store.ts'
import { eraseOwnedEvidence, StillFinalizing } from '../trash/erase-owned.ts'
import { agreeEvidence, purchasedEvidence, withdrawEvidence } from './agree-evidence.ts'
import { expireDrafts } from './expire-drafts.ts'

const database = withDatabase()
beforeEach(async () => {
  await sql`truncate evidence, graphile_worker._private_jobs cascade`.execute(database.db)
  await emptyBooks(database)
})
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

function openShop() {
  const books = openBooks(database)
  const billing = () => ({ ...books.deps(), purchases: { evidence: purchasedEvidence(books.deps()) } })
  const deps = () => ({ ...books.deps(), blobs: createFolderBlobStore('/nowhere'), log: silentLog, billing: billing() })
  const shop = {
    ...books,
    billing,
    deps,
    async draft(ownerId: string | null): Promise<string> {
      const [id, now] = [randomUUID(), books.now()]
      await insertEvidence(database.db, {
        id,
        tokenHash: Buffer.from(id.padEnd(32).slice(0, 32)),
        action: 'static',
        requestedUrl: 'https://example.org/',
        locale: 'en',
        now,
        ownership: ownerId === null ? null : { ownerId, createdBy: ownerId, groupId: null },
      })
      await books.within(async (tx) => {
        for (const status of ['preparing', 'completing', 'to_validate'] as const)
          await changeStatus(tx, id, status, now, { expiresAt: new Date(now.getTime() + draftLifetimeMs) })
      })
      return id
    },
    agree: async (actor: Actor, id: string) => (await agreeEvidence(deps(), { actor }, id)).status,
    withdraw: async (actor: Actor, id: string) => (await withdrawEvidence(deps(), { actor }, id)).status,
    status: async (id: string) => (await findEvidence(database.db, id))?.status,
    async jobs(id: string): Promise<string[]> {
      const { rows } = await sql<{ task: string }>`
        select task_identifier as task from graphile_worker.jobs where key like ${`%${id}`} order by 1`.execute(database.db)
      return rows.map(({ task }) => task)
    },
    async start(instalmentId: string): Promise<string> {
      const by = { channel: 'provider', idempotencyKey: randomUUID() } as const
      return await books.within(async (tx) => (await startAttempt(tx, billing(), instalmentId, by)).id)
    },
    async end(attemptId: string, outcome: 'succeeded' | 'failed'): Promise<void> {
      await books.within(async (tx) => await finishAttempt(tx, billing(), attemptId, outcome))
    },
    /** Pays what is due, by a card that is good. */
    async buy(customerId: string): Promise<void> {
      for (const due of await books.due(customerId)) await shop.end(await shop.start(due), 'succeeded')
    },
  }
  return shop
}

const issued = async (shop: ReturnType<typeof openShop>, customerId: string) =>
  (await shop.invoices(customerId)).filter(({ status }) => status === 'issued')

test('S-38 a report that no plan includes waits for 118.80, in two tabs alike, and is made once it is paid', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const id = await shop.draft(userId)
  expect(await Promise.all([shop.agree(actorOf(userId), id), shop.agree(actorOf(userId), id)])).toEqual([
    'awaiting_payment',
    'awaiting_payment',
  ])
  expect(await shop.invoices(customerId)).toMatchObject([{ status: 'draft', number: null, net_cents: 9900, gross_cents: 11_880 }])
  expect(await shop.jobs(id)).toEqual([])
  // A card is refused: what was sealed stays, and what is asked for is the same.
  const [due = ''] = await shop.due(customerId)
  await shop.end(await shop.start(due), 'failed')
  expect([await shop.status(id), await shop.due(customerId)]).toEqual(['awaiting_payment', [due]])
  expect((await findEvidence(database.db, id))?.expiresAt?.getTime()).toBe(shop.now().getTime() + draftLifetimeMs)
  const starts = await Promise.allSettled([shop.start(due), shop.start(due)])
  const attempts = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  expect(attempts).toHaveLength(1)
  await Promise.all([shop.end(attempts[0] ?? '', 'succeeded'), shop.end(attempts[0] ?? '', 'succeeded')])
  expect([await shop.status(id), await shop.jobs(id)]).toEqual(['finalizing', ['evidence.finalize_evidence']])
  expect(await issued(shop, customerId)).toMatchObject([{ number: 1, settlement: 'success', gross_cents: 11_880 }])
  expect(await shop.agree(actorOf(userId), id)).toBe('finalizing')
})

test('a process that dies as it books a payment loses neither the payment nor the report', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const id = await shop.draft(userId)
  await shop.agree(actorOf(userId), id)
  const [due = ''] = await shop.due(customerId)
  const attempt = await shop.start(due)
  await expect(
    shop.within(async (tx) => {
      await finishAttempt(tx, shop.billing(), attempt, 'succeeded')
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect([await shop.status(id), await shop.jobs(id), await issued(shop, customerId)]).toEqual(['awaiting_payment', [], []])
  await shop.end(attempt, 'succeeded')
  expect([await shop.status(id), (await issued(shop, customerId)).length]).toEqual(['finalizing', 1])
})

test('S-40 what nobody pays for in its day expires, and no number is gone; H-50 what is being paid for waits', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const [left, failing, paid] = [await shop.draft(userId), await shop.draft(userId), await shop.draft(userId)]
  for (const id of [left, failing, paid]) await shop.agree(actorOf(userId), id)
  const attemptOf = async (id: string) => {
    const row = await database.db
      .selectFrom('purchase')
      .innerJoin('instalment', 'instalment.invoice_id', 'purchase.invoice_id')
      .select('instalment.id')
      .where('subject_id', '=', id)
      .executeTakeFirstOrThrow()
    return await shop.start(row.id)
  }
  const [late, good] = [await attemptOf(failing), await attemptOf(paid)]
  shop.later(1)
  expect(await expireDrafts(shop.deps())).toBe(1)
  expect([await shop.status(left), await shop.jobs(left)]).toEqual(['expired', ['evidence.erase_evidence']])
  expect([await shop.status(failing), await shop.status(paid)]).toEqual(['awaiting_payment', 'awaiting_payment'])
  await expect(eraseOwnedEvidence(shop.deps(), userId)).rejects.toThrow(StillFinalizing)
  await Promise.all([shop.end(late, 'failed'), shop.end(good, 'succeeded'), expireDrafts(shop.deps())])
  await expireDrafts(shop.deps())
  expect([await shop.status(failing), await shop.status(paid)]).toEqual(['expired', 'finalizing'])
  expect((await shop.invoices(customerId)).map(({ number }) => number)).toEqual([1])
})

test('paying, taking back and expiring at the same instant: one thing comes of it', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  let made = 0
  for (let round = 0; round < 4; round += 1) {
    const id = await shop.draft(userId)
    await shop.agree(actorOf(userId), id)
    if (round % 2 === 0) shop.later(1)
    await Promise.allSettled([
      shop.buy(customerId),
      shop.withdraw(actorOf(userId), id),
      expireDrafts(shop.deps()),
      shop.agree(actorOf(userId), id),
    ])
    await shop.buy(customerId)
    const status = await shop.status(id)
    if (status === 'finalizing') made += 1
    else expect(['to_validate', 'expired']).toContain(status)
    expect(await issued(shop, customerId)).toHaveLength(made)
  }
})

test('S-11 P-11 of seven at once, Essential includes five; the sixth is paid for, or a greater plan includes it', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.subscribed(essential)
  const drafts = []
  for (let index = 0; index < 7; index += 1) drafts.push(await shop.draft(userId))
  const statuses = await Promise.all(drafts.map(async (id) => await shop.agree(actorOf(userId), id)))
  expect(statuses.toSorted()).toEqual([...Array<string>(2).fill('awaiting_payment'), ...Array<string>(5).fill('finalizing')])
  const [sixth = '', seventh = ''] = drafts.filter((_, index) => statuses[index] === 'awaiting_payment')
  expect(await shop.agree(actorOf(userId), sixth)).toBe('awaiting_payment')
  await shop.withdraw(actorOf(userId), seventh)
  await shop.buy(customerId)
  expect([await shop.status(sixth), await shop.status(seventh)]).toEqual(['finalizing', 'to_validate'])
  expect(await shop.agree(actorOf(userId), seventh)).toBe('awaiting_payment')
  await shop.ask(customerId, comfort)
  const { rows } = await sql<{ id: string }>`select id from instalment where of_change and status = 'due'`.execute(database.db)
  await shop.pay(rows[0]?.id ?? '')
  expect(await shop.agree(actorOf(userId), seventh)).toBe('finalizing')
  expect((await shop.invoices(customerId)).filter(({ status }) => status === 'draft')).toEqual([])
})

test('the agreement can be taken back while nothing is paid, and not while a payment is under way', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const id = await shop.draft(userId)
  await shop.agree(actorOf(userId), id)
  expect(await shop.withdraw(actorOf(userId), id)).toBe('to_validate')
  expect(await shop.withdraw(actorOf(userId), id)).toBe('to_validate')
  expect(await shop.invoices(customerId)).toEqual([])
  expect(await shop.agree(actorOf(userId), id)).toBe('awaiting_payment')
  const [due = ''] = await shop.due(customerId)
  const attempt = await shop.start(due)
  await expect(shop.withdraw(actorOf(userId), id)).rejects.toMatchObject({ code: 'billing.payment_processing' })
  await shop.end(attempt, 'succeeded')
  await expect(shop.withdraw(actorOf(userId), id)).rejects.toMatchObject({ code: 'evidence.illegal_transition' })
})

test('V-45 whom nobody can address an invoice to agrees to nothing yet, nor does who has no account', async () => {
  const shop = openShop()
  const { userId } = await shop.customer()
  await sql`update profile set city = null where user_id = ${userId}::uuid`.execute(database.db)
  const id = await shop.draft(userId)
  await expect(shop.agree(actorOf(userId), id)).rejects.toMatchObject({
    code: 'billing.profile_incomplete',
    data: { missing: 'city' },
  })
  expect(await shop.status(id)).toBe('to_validate')
  const nobodys = await shop.draft(null)
  await sql`update evidence set token_hash = sha256('a token') where id = ${nobodys}::uuid`.execute(database.db)
  await expect(agreeEvidence(shop.deps(), { evidenceToken: 'a token' }, nobodys)).rejects.toMatchObject({
    code: 'evidence.account_needed',
  })
})

test('H-22 H-23 a delegate and a member spend the owner’s money up to his ceiling, however many ask at once', async () => {
  const shop = openShop()
  const owner = await shop.customer()
  const [member, helper] = [await shop.customer(), await shop.customer()]
  await haveGroup(database.db, { [owner.userId]: 'owner', [member.userId]: 'member' })
  const delegation = { id: randomUUID(), scope: 'create' as const, grantorId: owner.userId }
  await sql`insert into access_delegation (id, grantor_id, address, address_key, delegate_id, scope, created_at, expires_at)
    values (${delegation.id}::uuid, ${owner.userId}::uuid, 'h@example.org', 'h@example.org', ${helper.userId}::uuid, 'create', now(),
      ${new Date(shop.now().getTime() + 9e9)}::timestamptz)`.execute(database.db)
  const spenders = [
    { actor: actorOf(helper.userId, delegation), ownerId: owner.userId, holder: { kind: 'delegate', id: delegation.id } },
    { actor: actorOf(member.userId), ownerId: member.userId, holder: { kind: 'member', id: member.userId } },
  ] as const
  for (const { actor, ownerId, holder } of spenders) {
    const drafts = []
    for (let index = 0; index < 4; index += 1) drafts.push(await shop.draft(ownerId))
    const [first = ''] = drafts
    await expect(shop.agree(actor, first)).rejects.toMatchObject({ code: 'billing.ceiling_reached' })
    expect(await shop.status(first)).toBe('to_validate')
    // Two reports, and not quite a third.
    await setLimit(shop.billing(), actorOf(owner.userId), holder, 3 * 11_880 - 1)
    const results = await Promise.allSettled(drafts.map(async (id) => await shop.agree(actor, id)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    // What came to nothing was not spent.
    const agreed = drafts.filter((_, index) => results[index]?.status === 'fulfilled')
    const refused = drafts.filter((_, index) => results[index]?.status === 'rejected')
    await shop.withdraw(actor, agreed[0] ?? '')
    expect(await shop.agree(actor, refused[0] ?? '')).toBe('awaiting_payment')
  }
  expect(await shop.invoices(owner.customerId)).toHaveLength(4)
  expect(await shop.invoices(member.customerId)).toEqual([])
  await expect(setLimit(shop.billing(), actorOf(member.userId), spenders[0].holder, 1)).rejects.toMatchObject({
    code: 'billing.spender_unknown',
  })
  // Another month begins anew.
  shop.at('2026-12-01T09:00:00Z')
  expect(await shop.agree(spenders[1].actor, await shop.draft(member.userId))).toBe('awaiting_payment')
})
