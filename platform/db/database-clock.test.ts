import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { withDatabase } from '../../testing/database.ts'
import { takeAttempts } from '../guard/throttle.ts'
import { silentLog } from '../log/log.ts'
import { openDatabaseClock } from './database-clock.ts'

const database = withDatabase()
const minutes = 60_000

async function processWhoseClockIsOff(ms: number) {
  const warned: unknown[] = []
  const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) }
  const own = { now: () => new Date(Date.now() + ms) }
  const opened = await openDatabaseClock({ db: database.db, log }, own)
  onTestFinished(async () => await opened.stop())
  return { db: database.db, clock: opened.clock, warned }
}

test('processes whose clocks are twenty minutes apart take the clock of the database, and their operators are told', async () => {
  const [slow, right, fast] = [
    await processWhoseClockIsOff(-10 * minutes),
    await processWhoseClockIsOff(0),
    await processWhoseClockIsOff(10 * minutes),
  ]
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(database.db)
  const at = rows[0]?.at.getTime() ?? 0
  for (const { clock } of [slow, right, fast]) expect(Math.abs(clock.now().getTime() - at)).toBeLessThan(minutes)
  expect([slow, right, fast].map(({ warned }) => warned.length)).toEqual([1, 0, 1])
})

test('a delay that one process set holds for another, and for no longer, whatever their machines’ clocks say', async () => {
  const [slow, fast] = [await processWhoseClockIsOff(-10 * minutes), await processWhoseClockIsOff(10 * minutes)]
  const attempt = { key: randomBytes(32), policy: { free: 0, firstSeconds: 300, mostSeconds: 300 } }
  // The first of all costs nothing.
  for (let n = 0; n < 2; n += 1) await takeAttempts(fast, 'identity.throttled', [attempt])
  // Its machine’s clock is twenty minutes behind: the delay would seem to last twenty-five. Two readings may be some milliseconds apart.
  const refused = await takeAttempts(slow, 'identity.throttled', [attempt]).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'identity.throttled' })
  const { seconds } = (refused as { data: { seconds: number } }).data
  expect(seconds).toBeLessThan(360)
  await sql`update throttle set blocked_until = blocked_until - interval '6 minutes'`.execute(database.db)
  await takeAttempts(slow, 'identity.throttled', [attempt])
  await expect(takeAttempts(fast, 'identity.throttled', [attempt])).rejects.toMatchObject({ code: 'identity.throttled' })
})
