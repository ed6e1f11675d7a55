import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createFolderBlobStore } from '../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../platform/log/log.ts'
import { withDatabase } from '../database.ts'
import { openWebApi } from './open-web-api.test-data.ts'
import { credentials, haveWorld, type Role, type World } from './people.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-kept-'))
let api: Awaited<ReturnType<typeof openWebApi>>
let world: World

beforeAll(async () => {
  const blobs = createFolderBlobStore(folder)
  api = await openWebApi({ db: database.db, blobs, clock: systemClock, log: silentLog })
  world = await haveWorld(database.db, blobs)
})
afterAll(async () => {
  await api.server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a role finds in a list of its own: ids; null: it is not let in. */
async function listed(role: Role, url: string): Promise<readonly string[] | null> {
  const answer = await api.server.inject({ method: 'GET', url, headers: credentials(world, role) })
  if (answer.statusCode === 401) return null
  expect([url, answer.statusCode]).toEqual([url, 200])
  return answer.json<{ results: { id: string }[] }>().results.map(({ id }) => id)
}

test('P-06 whoever is signed in keeps evidences, documents, licences, subscriptions, invoices, payouts, referees, scenarios and servers, and nobody else finds them', async () => {
  const { owned, deposits, licensing, billing, payouts } = world
  const kept: readonly (readonly [url: string, ids: readonly string[]])[] = [
    ['/evidences/', [owned.id]],
    ['/documents/', [deposits.draft, deposits.final]],
    ['/licenses/?side=sold', [licensing.licenseId]],
    ['/subscriptions/', [billing.subscriptionId]],
    ['/invoices/', [billing.invoiceId]],
    ['/payouts/', [payouts.payoutId]],
    ['/referees/', [payouts.refereeId]],
  ]
  for (const [url, ids] of kept) {
    const own = await listed('owner', url)
    for (const id of ids) expect(own, url).toContain(id)
    const others = await listed('other', url)
    expect(new Set(others).isDisjointFrom(new Set(own)), url).toBe(true)
    // Without account there is what a key of one's own opens, and nothing else.
    expect((await listed('anonymous', url)) ?? [], url).toEqual([])
  }
  // What was bought is the buyer's.
  expect(await listed('other', '/licenses/')).toContain(licensing.licenseId)

  // The server that is kept for his group is offered to him alone; scenarios are what he may choose besides.
  const servers = await listed('owner', '/servers/')
  expect(servers).toHaveLength(1)
  expect(new Set(await listed('other', '/servers/')).isDisjointFrom(new Set(servers))).toBe(true)
  expect(await listed('owner', '/scenarios/')).not.toEqual([])
})
