import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createFolderBlobStore } from '../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../platform/log/log.ts'
import { withDatabase } from '../database.ts'
import { expectations } from './expectations.ts'
import { openWebApi } from './open-web-api.test-data.ts'
import { accountOf, credentials, haveWorld, type Role, type World } from './people.ts'
import { openUndoneDatabase } from './undone-database.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-proof-'))
let undone: Awaited<ReturnType<typeof openUndoneDatabase>>
let api: Awaited<ReturnType<typeof openWebApi>>
let world: World

beforeAll(async () => {
  undone = await openUndoneDatabase(database.url)
  const blobs = createFolderBlobStore(folder)
  api = await openWebApi({ db: undone.db, blobs, clock: systemClock, log: silentLog })
  world = await haveWorld(undone.db, blobs)
  // All sessions were opened a while ago.
  await undone.db
    .updateTable('user_session')
    .set({ proven_at: new Date(Date.now() - 600_000) })
    .execute()
})
afterAll(async () => {
  await api.server.close()
  await undone.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a session that was left open does not suffice for (decision 0245). */
const protectedCalls = [
  'DELETE /emails/:id/',
  'DELETE /profiles/:id/bank_account/',
  'GET /emails/:id/set_primary/',
  'PATCH /profiles/:id/bank_account/',
  'POST /admin/billing/customers/:id/custom_plan/',
  'POST /admin/billing/invoices/:id/credit/',
  'POST /admin/billing/invoices/:id/refund/',
  'POST /admin/billing/invoices/:id/retry/',
  'POST /admin/billing/invoices/:id/settle/',
  'POST /admin/billing/plans/',
  'POST /admin/billing/refunds/:id/drop/',
  'POST /admin/billing/refunds/:id/settle/',
  'POST /admin/payouts/:id/settle/',
  'POST /admin/users/:id/roles/',
  'POST /api_keys/',
  'POST /emails/',
  'POST /emails/:id/set_primary/',
  'POST /profiles/create_access_delegation/',
  'POST /profiles/current/delete/',
]

test('these calls, and no others, ask who has long been signed in to prove anew who he is, and do nothing before', async () => {
  const asked = new Set<string>()
  for (const operation of api.operations)
    for (const each of expectations[operation.name] ?? [])
      for (const role of ['owner', 'administrator'] as const satisfies Role[]) {
        const sent = each.send?.(world, role, accountOf(world, role)) ?? {}
        const url =
          sent.path ?? operation.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(sent.params?.[name] ?? ''))
        // Streams of events go on for ever, and prove nothing here.
        if (operation.name.includes('events')) continue
        const body = operation.name.includes('delegation') ? { ...(sent.body as object), scope: 'manage' } : sent.body
        await undone.attempt(async () => {
          const answer = await api.server.inject({
            method: operation.method as 'GET',
            url,
            headers: credentials(world, role),
            ...(body === undefined ? {} : { payload: body as object }),
          })
          if (answer.statusCode === 403 && answer.body.includes('identity.proof_required')) asked.add(operation.name)
        })
      }
  expect([...asked].toSorted()).toEqual(protectedCalls)
})
