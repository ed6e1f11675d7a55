import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { haveGroup } from '../../../../testing/accounts.ts'
import { below, seed } from '../../../../testing/sweep.ts'
import { withDatabase } from '../../../../testing/database.ts'
import {
  attemptTransitions,
  documentTransitions,
  instalmentTransitions,
  purchaseTransitions,
  refundTransitions,
  settlementTransitions,
} from '../../domain/invoice/status.ts'
import { subscriptionTransitions } from '../../domain/subscription/machine.ts'
import { comfort, comfortInFour, emptyBooks, essential, openBooks } from '../billing.test-data.ts'
import { takeQuota } from '../quota/take-quota.ts'
import { finishAttempt, startAttempt } from '../settlement/attempt-payment.ts'
import { settleInstalment } from '../settlement/settle-instalment.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { undoChange } from '../subscription/ask-for-change.ts'
import { findCurrent } from '../subscription/subscription-store.ts'
import { findBroken } from './invariant-store.ts'

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

const key = () => randomUUID().replaceAll('-', '')
const many = async <T>(count: number, run: (index: number) => Promise<T>) =>
  await Promise.allSettled(Array.from({ length: count }, async (_, index) => await run(index)))
const won = (results: readonly PromiseSettledResult<unknown>[]) => results.filter(({ status }) => status === 'fulfilled').length

class Crash extends Error {}

test('H-36 numbers are 1 to n, whoever issues at once and whatever is rolled back', async () => {
  const books = openBooks(database)
  process.stdout.write(`billing, numbers under concurrency: seed ${String(seed)}\n`)
  const draw = below()
  const due: string[] = []
  for (let index = 0; index < 24; index += 1) {
    const { customerId } = await books.customer()
    await books.ask(customerId, draw(2) === 0 ? essential : comfortInFour)
    due.push(...(await books.due(customerId)))
  }
  const crashing = new Set(due.filter(() => draw(3) === 0))
  expect(crashing.size).toBeGreaterThan(0)
  await many(due.length, async (index) => {
    await books.within(async (tx) => {
      await settleInstalment(tx, books.deps(), due[index] ?? '', { channel: 'bank', attemptId: null })
      if (crashing.has(due[index] ?? '')) throw new Crash()
    })
  })
  const { rows } = await sql<{ number: number }>`select number from invoice where number is not null order by number`.execute(
    database.db,
  )
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: due.length - crashing.size }, (_, index) => index + 1))
  // What crashed is done again, and takes up where the numbers are.
  for (const id of crashing) await books.pay(id)
  const { rows: all } = await sql<{ number: number }>`select number from invoice where number is not null`.execute(database.db)
  expect(all).toHaveLength(due.length)
})

test('at most one payment of an instalment is under way, and what became of it is told once', async () => {
  const books = openBooks(database)
  for (let round = 0; round < 4; round += 1) {
    const { customerId } = await books.customer()
    await books.ask(customerId, essential)
    const [due = ''] = await books.due(customerId)
    const started = await many(
      8,
      async () =>
        await books.within(
          async (tx) => await startAttempt(tx, books.deps(), due, { channel: 'provider', idempotencyKey: key() }),
        ),
    )
    expect(won(started)).toBe(1)
    const attempt = await database.db
      .selectFrom('payment_attempt')
      .select('id')
      .where('instalment_id', '=', due)
      .executeTakeFirstOrThrow()
    // In whatever order and number: the network was cut, then the hook came, twice, with the page that came back.
    const outcomes = ['unknown', 'succeeded', 'succeeded', 'succeeded', 'unknown', 'succeeded'] as const
    await many(
      outcomes.length,
      async (index) =>
        await books.within(async (tx) => await finishAttempt(tx, books.deps(), attempt.id, outcomes[index] ?? 'unknown')),
    )
    expect(await books.state(customerId)).toMatchObject({ status: 'active' })
    const paid = await database.db.selectFrom('journal_entry').select('id').where('attempt_id', '=', attempt.id).execute()
    expect(paid).toHaveLength(1)
  }
  const second = async (id: string) => {
    await sql`insert into payment_attempt (id, instalment_id, status, amount_cents, channel, idempotency_key, created_at)
      values (gen_random_uuid(), ${id}::uuid, 'started', 1, 'provider', ${key()}, now())`.execute(database.db)
  }
  const { customerId } = await books.customer()
  await books.ask(customerId, essential)
  const [due = ''] = await books.due(customerId)
  await second(due)
  await expect(second(due)).rejects.toThrow('payment_attempt_live')
  await sql`delete from payment_attempt where instalment_id = ${due}::uuid`.execute(database.db)
})

test('S-13 undone and paid at the same moment: it is one of them, whole', async () => {
  const books = openBooks(database)
  const ends = new Set<string>()
  for (let round = 0; round < 12; round += 1) {
    const { customerId } = await books.subscribed(essential)
    await books.ask(customerId, comfort)
    const [due = ''] = await books.due(customerId)
    await many(2, async (index) =>
      index === round % 2
        ? await books.pay(due)
        : await books.within(async (tx) => {
            await lockCustomer(tx, customerId)
            const held = await findCurrent(tx, customerId)
            if (held !== null) await undoChange(tx, books.deps(), held)
          }),
    )
    const state = await books.state(customerId)
    expect(state).toMatchObject({ status: 'active', pending: null })
    const invoices = await books.invoices(customerId)
    expect(invoices.filter(({ status }) => status === 'draft')).toEqual([])
    ends.add(`${state?.formula.plan ?? ''} ${String(invoices.length)}`)
  }
  for (const end of ends) expect(['essential 1', 'comfort 3']).toContain(end)
})

test('H-34 of those who want the last of a quota one gets it, and asking again takes nothing', async () => {
  const books = openBooks(database)
  const { userId } = await books.subscribed(essential)
  const take = async (subjectId: string) =>
    await books.within(async (tx) => await takeQuota(tx, books.deps(), userId, { kind: 'evidence', subjectIds: [subjectId] }))
  const subjects = Array.from({ length: 12 }, () => randomUUID())
  const results = await many(subjects.length, async (index) => await take(subjects[index] ?? ''))
  const covered = subjects.filter((_, index) => {
    const result = results[index]
    return result?.status === 'fulfilled' && result.value.covered.length === 1
  })
  expect(covered).toHaveLength(5)
  expect(won(results)).toBe(12)
  for (const subject of covered) expect(await take(subject)).toMatchObject({ covered: [subject] })
  expect(await take(randomUUID())).toEqual({ covered: [], netCents: 9900 })
  books.later(31)
  await books.run()
  expect(await take(randomUUID())).toMatchObject({ covered: [expect.any(String)] })
  await expect(sql`update quota_use set used = -1`.execute(database.db)).rejects.toThrow('check')
  await expect(sql`update quota_use set used = quota + 1`.execute(database.db)).rejects.toThrow('check')
})

test('H-23 P-11 members of a group work on the plan of its owner, unless they have one of their own', async () => {
  const books = openBooks(database)
  const [owner, member, own] = [await books.subscribed(essential), await books.customer(), await books.subscribed(comfort)]
  const take = async (userId: string) =>
    await books.within(async (tx) => await takeQuota(tx, books.deps(), userId, { kind: 'evidence', subjectIds: [randomUUID()] }))
  expect(await take(member.userId)).toEqual({ covered: [], netCents: 9900 })
  const group = await haveGroup(database.db, { [owner.userId]: 'owner', [member.userId]: 'member', [own.userId]: 'member' })
  for (let taken = 0; taken < 5; taken += 1)
    expect(await take([owner, member][taken % 2]?.userId ?? '')).toMatchObject({ covered: [expect.any(String)] })
  expect(await take(member.userId)).toEqual({ covered: [], netCents: 9900 })
  expect(await take(own.userId)).toMatchObject({ covered: [expect.any(String)] })
  await sql`delete from account_group where id = ${group}::uuid`.execute(database.db)
  expect(await take(member.userId)).toEqual({ covered: [], netCents: 9900 })
})

test('S-14 the run of the day by several at once is the run by one, and again it does nothing', async () => {
  const books = openBooks(database, '2026-12-01T09:00:00Z')
  const customers: string[] = []
  for (let index = 0; index < 10; index += 1) customers.push((await books.subscribed(essential)).customerId)
  books.at('2027-01-01T09:00:00Z')
  const results = await many(4, async () => await books.run())
  expect(won(results)).toBe(4)
  for (const customerId of customers) expect(await books.invoices(customerId)).toHaveLength(2)
  expect(await books.run()).toBe(0)
})

test('H-36 what is issued stays, to the byte; a draft may go', async () => {
  const books = openBooks(database)
  const { customerId } = await books.subscribed(essential)
  for (const change of [
    sql`net_cents = net_cents + 1, gross_cents = gross_cents + 1`,
    sql`content = content || '\\x20'::bytea`,
    sql`number = number + 1`,
    sql`issued_on = issued_on + 1`,
    sql`status = 'draft', number = null`,
    sql`customer_id = customer_id, credit_used_cents = 1`,
  ])
    await expect(sql`update invoice set ${change} where customer_id = ${customerId}::uuid`.execute(database.db)).rejects.toThrow(
      /stays as it is|may not become/,
    )
  await expect(sql`delete from invoice`.execute(database.db)).rejects.toThrow()
  await expect(sql`update invoice_line set net_cents = 0`.execute(database.db)).rejects.toThrow('stays as it is')
  await expect(sql`delete from invoice_line`.execute(database.db)).rejects.toThrow('stays as it is')
  await expect(sql`update invoice_buyer set buyer = '{}'`.execute(database.db)).rejects.toThrow('stays as it is')
  await expect(sql`update journal_posting set debit_cents = debit_cents + 1`.execute(database.db)).rejects.toThrow('only grows')
  await expect(sql`delete from journal_entry`.execute(database.db)).rejects.toThrow()
})

test('an entry that does not balance takes all that was done beside it with it', async () => {
  const books = openBooks(database)
  const { customerId } = await books.subscribed(essential)
  const post = async (...cents: readonly (readonly [number, number])[]) =>
    await books.within(async (tx) => {
      await sql`insert into journal_entry (id, journal, year, number, on_day, customer_id, kind, created_at)
        select gen_random_uuid(), 'BQ', 2026, max(number) + 1, '2026-12-01', ${customerId}::uuid, 'payment', now() from journal_entry`.execute(
        tx,
      )
      for (const [position, [debit, credit]] of cents.entries())
        await sql`insert into journal_posting (entry_id, position, account, debit_cents, credit_cents)
          select id, ${position + 1}, '512000', ${debit}, ${credit} from journal_entry order by number desc limit 1`.execute(tx)
    })
  await expect(post([100, 0], [0, 99])).rejects.toThrow('does not balance')
  await expect(post([100, 0])).rejects.toThrow('does not balance')
  await expect(post()).rejects.toThrow('does not balance')
  await post([100, 0], [0, 60], [0, 40])
})

test('no credit notes together take more than their invoice was of, whoever writes them', async () => {
  const books = openBooks(database)
  const { customerId } = await books.subscribed(essential)
  const [invoice] = await books.invoices(customerId)
  await expect(
    sql`insert into invoice (id, customer_id, kind, category, status, credits, vat_treatment, vat_rate, net_cents, vat_cents, gross_cents, created_at)
      values ('00000000-0000-4000-8000-000000000001', ${customerId}::uuid, 'credit_note', 'subscription', 'draft', ${invoice?.id ?? ''}::uuid,
        'standard', 2000, 39901, 0, 39901, now())`.execute(database.db),
  ).resolves.toBeDefined()
  await sql`insert into number_series (series, last_number, last_on) values ('A2026', 1, '2026-11-23')`.execute(database.db)
  await expect(
    sql`update invoice set status = 'issued', series = 'A2026', number = 1, issued_on = '2026-11-23', issued_at = now(), content = '{}',
      sha256 = sha256('{}') where kind = 'credit_note'`.execute(database.db),
  ).rejects.toThrow('takes more than')
  await sql`delete from invoice where kind = 'credit_note'`.execute(database.db)
})

/** What stays is no change. */
const pairsOf = (table: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(table)
    .flatMap(([from, all]) => [from, ...all].map((to) => `${from} ${to}`))
    .toSorted()

/** Which status the database lets follow which, tried from each to each on the one row of a table; its guards are off while it is put there. */
async function allowedBy(
  table: Readonly<Record<string, readonly string[]>>,
  { column, of, make }: { readonly column: string; readonly of: string; readonly make: readonly RawBuilder<unknown>[] },
): Promise<readonly string[]> {
  const allowed: string[] = []
  const become = (status: string) => sql`update ${sql.table(of)} set ${sql.ref(column)} = ${status}`
  const tried = database.db.transaction().execute(async (tx) => {
    for (const statement of make) await statement.execute(tx)
    for (const from of Object.keys(table))
      for (const to of Object.keys(table)) {
        await sql`set local session_replication_role = replica`.execute(tx)
        await become(from).execute(tx)
        await sql`set local session_replication_role = origin; savepoint put`.execute(tx)
        const error = await become(to)
          .execute(tx)
          .then(() => null)
          .catch((reason: unknown) => reason)
        await sql`rollback to savepoint put`.execute(tx)
        if (error === null) allowed.push(`${from} ${to}`)
        else expect(error).toMatchObject({ message: expect.stringContaining('may not become') as string })
      }
    throw new Crash()
  })
  await expect(tried).rejects.toThrow(Crash)
  return allowed.toSorted()
}

test('S-08 S-15 the database holds the tables of the domain, and refuses every other change', async () => {
  const tables = {
    subscription: subscriptionTransitions,
    document: documentTransitions,
    settlement: settlementTransitions,
    instalment: instalmentTransitions,
    attempt: attemptTransitions,
    purchase: purchaseTransitions,
    refund: refundTransitions,
  }
  const { rows } = await sql<{ line: string }>`
    select machine || ' ' || from_status || ' ' || to_status as line from billing_transition`.execute(database.db)
  const domain = Object.entries(tables).flatMap(([machine, table]) =>
    Object.entries<readonly string[]>(table).flatMap(([from, all]) => all.map((to) => `${machine} ${from} ${to}`)),
  )
  expect(rows.map(({ line }) => line).toSorted()).toEqual(domain.toSorted())

  const { rows: guards } = await sql<{ name: string; args: Buffer }>`
    select tgrelid::regclass::text as name, tgargs as args from pg_trigger where tgfoid = 'billing_follows'::regproc`.execute(
    database.db,
  )
  const guarded = guards.map(({ name, args }) => ({ name, args: args.toString().split('\0') }))
  expect(new Set(guarded.map(({ args: [machine] }) => machine))).toEqual(
    new Set(Object.keys(tables).filter((machine) => machine !== 'settlement')),
  )
  for (const { args } of guarded) {
    const [machine = '', begins = ''] = args
    const make = [
      sql`create temporary table probe (id integer, status text) on commit drop`,
      sql`create trigger follows before insert or update on probe
        for each row execute function billing_follows(${sql.lit(machine)}, ${sql.lit(begins)})`,
      sql`insert into probe values (1, ${begins.split(',')[0]})`,
    ]
    const table: Readonly<Record<string, readonly string[]>> = tables[machine as keyof typeof tables]
    const allowed = await allowedBy(table, { column: 'status', of: 'probe', make })
    expect([machine, allowed]).toEqual([machine, pairsOf(table)])
  }
  const books = openBooks(database)
  const { customerId } = await books.subscribed(essential)
  expect(await books.invoices(customerId)).toHaveLength(1)
  const allowed = await allowedBy(settlementTransitions, { column: 'settlement', of: 'invoice', make: [] })
  expect(allowed).toEqual(pairsOf(settlementTransitions))
})
