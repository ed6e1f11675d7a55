import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import { silentLog } from '../../platform/log/log.ts'
import { selling } from '../../testing/selling.ts'
import { simulatePayments } from './simulated-payments.ts'

const data = mkdtempSync(join(tmpdir(), 'probant-payments-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))
const start = async (env: Readonly<Record<string, string>>) =>
  await simulatePayments(loadConfig({ PROBANT_DATA: data, ...env }), silentLog)

test('H-42 the simulator stands in for a provider that nobody named, and for nobody where customers pay by transfer alone or not at all', async () => {
  expect(await start({})).toBeNull()
  expect(await start({ ...selling, PROBANT_PAYMENTS: 'transfer' })).toBeNull()
  expect(readdirSync(data)).toEqual([])
  const simulated = await start(selling)
  try {
    expect(loadConfig({ ...selling, ...simulated?.env }).mangopay?.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  } finally {
    await simulated?.stop()
  }
})
