import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withDatabase } from '../../testing/database.ts'
import { listen } from './listen.ts'

const database = withDatabase()
const notify = async (channel: string, payload: string) =>
  await sql`select pg_notify(${channel}, ${payload})`.execute(database.db)
const cutAll = async () =>
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'probant-listen' and datname = current_database()`.execute(
    database.db,
  )

/** Collects payloads and lets a test wait for a number of them. */
function collector() {
  const received: string[] = []
  let wake = Promise.withResolvers<void>()
  return {
    received,
    take: (payload: string) => {
      received.push(payload)
      wake.resolve()
      wake = Promise.withResolvers()
    },
    waitFor: async (count: number) => {
      while (received.length < count) await wake.promise
      return received
    },
  }
}

test('hears its channel, from the moment it resolves', async () => {
  const { take, waitFor } = collector()
  const listener = await listen(database.url, 'odd "name"', take)
  await notify('other', 'x')
  await notify('odd "name"', 'a')
  await notify('odd "name"', '')
  expect(await waitFor(2)).toEqual(['a', ''])
  await listener.close()
})

test('comes back after its connection was cut, again and again, and says so', async () => {
  const { take, waitFor } = collector()
  let back = Promise.withResolvers<void>()
  const listener = await listen(database.url, 'events', take, { onReconnect: () => back.resolve() })
  for (let round = 1; round <= 3; round += 1) {
    await cutAll()
    await back.promise
    back = Promise.withResolvers()
    await notify('events', String(round))
    expect((await waitFor(round)).at(-1)).toBe(String(round))
  }
  await listener.close()
})

test('once closed, keeps no connection, not even one it was about to make', async () => {
  const listener = await listen(database.url, 'events', () => undefined)
  await cutAll()
  await listener.close()
  // A backend that was told to end does so in its own time: it may still be listed.
  await expect
    .poll(
      async () =>
        (
          await sql`select 1 from pg_stat_activity where application_name = 'probant-listen' and datname = current_database()`.execute(
            database.db,
          )
        ).rows,
      { timeout: 60_000 },
    )
    .toEqual([])
})

test('rejects when there is nothing to listen to', async () => {
  await expect(listen('postgresql://probant@/probant?host=%2Fnonexistent', 'events', () => undefined)).rejects.toThrow()
})
