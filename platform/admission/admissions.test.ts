import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DomainError } from '../../kernel/errors.ts'
import { withDatabase } from '../../testing/database.ts'
import { silentLog } from '../log/log.ts'
import { createAdmissions, openAdmissions, type Admission } from './admissions.ts'

const database = withDatabase()
let now = Date.parse('2026-11-21T10:00:00Z')
const clock = { now: () => new Date(now) }
const over = new DomainError('forbidden', 'http.delegation_ended')

async function ended({ signal }: Admission): Promise<unknown> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return signal.reason
}

/** A right that holds until it is told otherwise. */
function right(until: Date | null = null) {
  let asked = 0
  let answer: () => Date | null = () => until
  return {
    get asked() {
      return asked
    },
    takeAway: (why: Error = over) => {
      answer = () => {
        throw why
      }
    },
    giveBack: () => {
      answer = () => until
    },
    ask: async () => {
      asked += 1
      return await Promise.resolve(answer())
    },
  }
}

test('what ended between the question and the holding is found at once', async () => {
  const admissions = createAdmissions({ clock, log: silentLog })
  const [one, other] = [right(), right()]
  one.takeAway()
  expect(await ended(admissions.hold({ ids: ['a'], ask: one.ask }))).toBe(over)
  const held = admissions.hold({ ids: ['b'], ask: right().ask })
  other.takeAway()
  held.hangOn({ ids: ['c'], ask: other.ask })
  expect(await ended(held)).toBe(over)
  expect(admissions.count()).toBe(0)
})

test('a notice has only those asked again whom it concerns, once more if one comes while they are asked', async () => {
  const admissions = createAdmissions({ clock, log: silentLog })
  const [one, other] = [right(), right()]
  const [held, left] = [admissions.hold({ ids: ['a', 'b'], ask: one.ask }), admissions.hold({ ids: ['c'], ask: other.ask })]
  onTestFinished(() => left.release())
  await vi.waitUntil(() => one.asked === 1 && other.asked === 1)
  for (const id of ['a', 'b', 'a', 'nobody']) admissions.announce(id)
  await vi.waitUntil(() => one.asked > 1)
  one.takeAway()
  admissions.announce('b')
  expect(await ended(held)).toBe(over)
  expect(other.asked).toBe(1)
  expect(left.signal.aborted).toBe(false)
})

test('no more questions are put at once than are allowed, and all are put', async () => {
  const admissions = createAdmissions({ clock, log: silentLog, most: 3 })
  let [waiting, most, asked] = [0, 0, 0]
  const ask = async () => {
    waiting += 1
    most = Math.max(most, waiting)
    await new Promise((resolve) => setImmediate(resolve))
    waiting -= 1
    asked += 1
    return null
  }
  const held = Array.from({ length: 50 }, () => admissions.hold({ ids: ['a'], ask }))
  onTestFinished(() => {
    for (const each of held) each.release()
  })
  await vi.waitUntil(() => asked === 50)
  expect(most).toBe(3)
})

test('an end that was known in advance comes by the clock; one that was put off is waited for', async () => {
  const admissions = createAdmissions({ clock, log: silentLog })
  let until = new Date(now + 3_600_000)
  const ask = async () => {
    if (clock.now() >= until) throw over
    return await Promise.resolve(until)
  }
  const held = admissions.hold({ ids: [], ask })
  const witness = right(new Date(now + 3_600_001))
  const other = admissions.hold({ ids: [], ask: witness.ask })
  onTestFinished(() => other.release())
  await vi.waitUntil(() => witness.asked === 1)
  until = new Date(now + 7_200_000)
  now += 3_600_001
  await vi.waitUntil(() => witness.asked > 1)
  expect(held.signal.aborted).toBe(false)
  now += 3_600_000
  expect(await ended(held)).toBe(over)
})

test('who cannot be asked ends nothing, and is asked again', async () => {
  const admissions = createAdmissions({ clock, log: silentLog })
  const one = right()
  for (const failure of [new Error('the connection was lost'), new DomainError('unavailable', 'http.unavailable')]) {
    one.takeAway(failure)
    const held = admissions.hold({ ids: ['a'], ask: one.ask })
    const before = one.asked
    await vi.waitUntil(() => one.asked > before + 1)
    expect(held.signal.aborted).toBe(false)
    one.takeAway()
    expect(await ended(held)).toBe(over)
    one.giveBack()
  }
})

test('what is released is asked no more, and never ended', async () => {
  const admissions = createAdmissions({ clock, log: silentLog })
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<never>()
  const held = admissions.hold({
    ids: ['a'],
    ask: async () => {
      asked.resolve()
      return await answer.promise
    },
  })
  await asked.promise
  held.release()
  answer.reject(over)
  await vi.waitUntil(() => admissions.count() === 0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(held.signal.aborted).toBe(false)
})

test('while notices are not heard everything is asked again and again, and once more when they are', async () => {
  const admissions = await openAdmissions({ databaseUrl: database.url, clock, log: silentLog })
  onTestFinished(async () => await admissions.close())
  const one = right()
  const held = admissions.hold({ ids: ['a'], ask: one.ask })
  await vi.waitUntil(() => one.asked === 1)
  const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'probant-listen' and datname = current_database()`
  // Said to nobody: what is taken away meanwhile is found all the same.
  await database.db.transaction().execute(async (tx) => {
    await cut.execute(tx)
    one.takeAway()
  })
  expect(await ended(held)).toBe(over)
})
