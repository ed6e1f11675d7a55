import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { IntlMessageFormat } from 'intl-messageformat'
import { beforeEach, expect, test } from 'vitest'
import { haveGroup } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import english from '../../messages/pages.en.json' with { type: 'json' }
import french from '../../messages/pages.fr.json' with { type: 'json' }
import { comfort, emptyBooks, essential, openBooks } from '../billing.test-data.ts'
import { takeQuota } from '../quota/take-quota.ts'
import { callBilling, type CalledWith } from '../calls/call-billing.test-data.ts'

/** Of a register nothing is wanted here. */
const vatRegister = { ask: () => Promise.reject(new Error('nobody is asked')) }

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))

function openDesk() {
  const books = openBooks(database)
  const call = async (asked: CalledWith) =>
    await callBilling({ ...books.deps(), blobs: createFolderBlobStore('/nowhere'), vatRegister }, asked)
  return { books, call }
}

test('H-23 a member is told whose plan covers him, what is left of his ceiling, and of whom to ask more; the owner sets it', async () => {
  const { books, call } = openDesk()
  const [owner, member] = [await books.subscribed(comfort), await books.customer()]
  await haveGroup(database.db, { [owner.userId]: 'owner', [member.userId]: 'member' })
  await sql`update account_user set first_name = 'Zoë', last_name = 'd’Artagnan' where id = ${owner.userId}::uuid`.execute(
    database.db,
  )
  const outlook = async (userId: string) => (await call({ userId, url: '/purchases/outlook/?category=evidence' })).body
  expect(await outlook(member.userId)).toMatchObject({
    plan: 'comfort',
    covered: 1,
    quantity: 0,
    paid_by: 'group',
    owner: 'Zoë d’Artagnan',
    may_pay: false,
    ceiling: { ceiling_cents: 0, spent_cents: 0 },
  })
  expect(await outlook(owner.userId)).toMatchObject({ paid_by: 'account', owner: null, may_pay: true, ceiling: null })
  const path = `/purchases/limits/member/${member.userId}/`
  const set = async (userId: string, cents: number) =>
    await call({ userId, method: 'PATCH', url: path, payload: { ceiling_cents: cents } })
  expect((await set(owner.userId, 20_000)).body).toMatchObject({ kind: 'member', ceiling_cents: 20_000, spent_cents: 0 })
  expect((await outlook(member.userId))['ceiling']).toEqual({ ceiling_cents: 20_000, spent_cents: 0 })
  expect((await set(member.userId, 1)).body['code']).toBe('billing.spender_unknown')
  expect((await set(owner.userId, -1)).status).toBe(400)
  await set(owner.userId, 0)
  expect((await call({ userId: owner.userId, url: '/purchases/limits/' })).body['limits']).toMatchObject([
    { id: member.userId, ceiling_cents: 0 },
  ])
})

test('H-35 K-09 Custom is shown at its price to whom it was quoted, and to his group; to anybody else it is by quote', async () => {
  const { books, call } = openDesk()
  const [quoted, member, other] = [await books.customer(), await books.customer(), await books.customer()]
  await haveGroup(database.db, { [quoted.userId]: 'owner', [member.userId]: 'member' })
  await sql`insert into custom_plan (customer_id, effective_from, month_cents, year_cents, report_cents, timestamp_cents,
      reports_per_month, timestamps_per_month, drafts, seats, added_at)
    values (${quoted.customerId}::uuid, '2026-01-01', 88000, null, 5000, 200, 40, null, 60, 12, now())`.execute(database.db)
  const custom = async (userId: string | null) => {
    const { plans } = (await call({ userId, url: '/subscriptions/plans/' })).body as { plans: { plan: string }[] }
    return plans.find(({ plan }) => plan === 'custom')
  }
  for (const { userId } of [quoted, member])
    expect(await custom(userId)).toMatchObject({ month_cents: 88_000, year_cents: null, reports_per_month: 40, seats: 12 })
  for (const userId of [other.userId, null]) expect(await custom(userId)).toMatchObject({ month_cents: null, year_cents: null })
})

test('X-17 whose time stamps of the month are used up is told so, with the price of the next and the day on which they begin anew', async () => {
  const { books, call } = openDesk()
  const { userId } = await books.subscribed(essential)
  const subjectIds = Array.from({ length: 50 }, () => randomUUID())
  await books.within(async (tx) => await takeQuota(tx, books.deps(), userId, { kind: 'document', subjectIds }))
  const { body } = await call({ userId, url: '/purchases/outlook/?category=document' })
  expect(body).toMatchObject({ quota: { used: 50, included: 50 }, covered: 0, quantity: 1, net_cents: 500, gross_cents: 600 })
  const { renewed_on: day } = body['quota'] as { renewed_on: string }
  expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  const values = { included: 50, what: 'document', day }
  expect(new IntlMessageFormat(english['billing.cost.used_up'], 'en').format(values)).toBe(
    `The 50 time stamps that your plan includes this month are used. The next month begins on ${day}.`,
  )
  expect(new IntlMessageFormat(french['billing.cost.used_up'], 'fr').format(values)).toBe(
    `Les 50 horodatages que votre formule comprend ce mois-ci sont utilisés. Le mois suivant commence le ${day}.`,
  )
})
