import { expect, test } from 'vitest'
import { noteServerDate, onServerTime, serverNow } from './server-clock.ts'

const at = (ms: number) => new Date(ms).toUTCString()
const day = 86_400_000

test('the time is the server’s as soon as an answer tells it, whichever day the visitor’s clock has', () => {
  const now = Math.floor(Date.now() / 1000) * 1000
  let told = 0
  const end = onServerTime(() => (told += 1))
  for (const off of [day, -day]) {
    noteServerDate(at(now + off), now)
    expect(Math.abs(serverNow() - Date.now() - off)).toBeLessThan(1000)
  }
  expect(told).toBe(2)
  // An answer that was a second on its way is no news; what is no date tells nothing.
  noteServerDate(at(now - day + 1000), now)
  noteServerDate(null, now)
  noteServerDate('yesterday', now)
  expect(told).toBe(2)
  end()
  noteServerDate(at(now), now)
  expect(told).toBe(2)
})
