import { expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { silentLog } from '../../platform/log/log.ts'
import { withDatabase } from '../database.ts'
import { billingCases } from './billing-cases.ts'
import { openWebApi } from './open-web-api.test-data.ts'

const database = withDatabase()

test('C-64 where nothing is paid for there is the list of plans, and no other call of subscriptions and invoices', async () => {
  const api = await openWebApi({
    db: database.db,
    blobs: {} as BlobStore,
    clock: systemClock,
    log: silentLog,
    withoutBilling: true,
  })
  try {
    const names = api.operations.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => name in billingCases)).toEqual(['GET /subscriptions/plans/'])
    expect((await api.server.inject({ method: 'GET', url: '/subscriptions/plans/' })).statusCode).toBe(200)
    for (const name of Object.keys(billingCases).filter((each) => each !== 'GET /subscriptions/plans/')) {
      const [method = 'GET', path = ''] = name.split(' ')
      const answer = await api.server.inject({ method: method as 'GET', url: path.replace(':id', crypto.randomUUID()) })
      expect([name, answer.statusCode, answer.json<{ code: string }>().code]).toEqual([name, 404, 'http.not_found'])
    }
  } finally {
    await api.server.close()
  }
})
