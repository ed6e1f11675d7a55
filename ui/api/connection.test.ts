import { expect, test } from 'vitest'
import { pauseAfter, watchConnection } from './connection.ts'

/** A server that answers as told, and a clock that stands until it is moved. */
function played() {
  let up = true
  let asked = 0
  const pauses: { milliseconds: number; end: () => void }[] = []
  const connection = watchConnection(
    async () => {
      asked += 1
      return up
    },
    (milliseconds) => new Promise((end) => pauses.push({ milliseconds, end })),
  )
  const seen: boolean[] = []
  connection.onChange(() => seen.push(connection.isLost()))
  return { connection, seen, pauses, set: (to: boolean) => (up = to), asked: () => asked }
}

test('one call that failed while the server answers loses nothing', async () => {
  const { connection, seen } = played()
  expect(await connection.check()).toBe(true)
  expect(connection.isLost()).toBe(false)
  await connection.isBack()
  expect(seen).toEqual([])
})

test('a connection that is lost is said once, asked for ever more seldom, and said to be back once', async () => {
  const { connection, seen, pauses, set, asked } = played()
  set(false)
  expect(await Promise.all([connection.check(), connection.check(), connection.check()])).toEqual([false, false, false])
  expect(asked()).toBe(1)
  expect(await connection.check()).toBe(false)
  expect(asked()).toBe(1)
  let back = false
  const waiting = connection.isBack().then(() => (back = true))
  for (let i = 0; i < 7; i += 1) {
    expect(pauses[i]?.milliseconds).toBe(pauseAfter(i))
    if (i === 6) set(true)
    pauses[i]?.end()
    await new Promise((resolve) => setImmediate(resolve))
    expect(back).toBe(i === 6)
  }
  await waiting
  expect(pauses.map(({ milliseconds }) => milliseconds)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  expect(seen).toEqual([true, false])
  expect(await connection.check()).toBe(true)
})
