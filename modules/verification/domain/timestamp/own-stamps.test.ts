import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { startOutsideTsa } from '../../../../testing/tsa.ts'
import type { TsaBehaviour } from '../../../../testing/tsa.ts'
import { createTimestampers } from '../../../sealing/server/index.ts'
import { verifyTimestampProof } from './verify-timestamp-proof.ts'

const run = promisify(execFile)
const now = (): Date => new Date()
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
  await writeFile(join(folder.dir, 'data'), 'what is stamped')
})
afterAll(() => folder.remove())

async function query(...options: string[]): Promise<{ request: Uint8Array; nonce: string | undefined }> {
  await run('openssl', ['ts', '-query', '-data', 'data', '-out', 'q.tsq', ...options], { cwd: folder.dir })
  const { stdout } = await run('openssl', ['ts', '-query', '-in', 'q.tsq', '-text'], { cwd: folder.dir })
  return { request: await readFile(join(folder.dir, 'q.tsq')), nonce: /Nonce: (0x[0-9A-F]+)/.exec(stdout)?.[1] }
}
const data = { bytes: new TextEncoder().encode('what is stamped') }

test('a stamp of the embedded authority passes, and is never said to be qualified', async () => {
  const keyring = await temporaryKeyring(folder.dir)
  const [embedded] = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog, accuracy: () => 2500 })
  const stamp = await embedded?.timestamp(createHash('sha256').update(data.bytes).digest())
  if (stamp === undefined) throw new Error('no authority')
  const trust = stamp.chain.at(-1)
  for (const token of [stamp.response, stamp.token]) {
    const report = await verifyTimestampProof({ token, data }, { now, ...(trust === undefined ? {} : { trust }) })
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(report.facts).toContainEqual({ id: 'embedded', value: 'yes', form: 'word' })
    expect(report.dates[0]?.rests_on[0]).toBe('platform')
    expect(report.facts).toContainEqual({ id: 'accuracy', value: '0.0025 s', form: 'text' })
    expect(report.checks.find(({ id }) => id === 'qualified')?.data).toMatchObject({ reason: 'qualified_own_authority' })
    expect(report.checks.find(({ id }) => id === 'octets')?.status).toBe('passed')
    expect(report.dates.map(({ qualified }) => qualified ?? false)).toEqual([false])
  }
})

/** Each is an answer of `openssl ts -reply` that is altered in one way; the check that must notice. */
const behaviours: readonly (readonly [TsaBehaviour, readonly string[], string | null])[] = [
  ['honest', [], 'TOTAL-PASSED'],
  ['granted_with_mods', [], 'TOTAL-PASSED'],
  ['root_absent', [], 'TOTAL-PASSED'],
  ['wrong_nonce', ['nonce'], 'TOTAL-FAILED'],
  ['wrong_imprint', ['imprint'], 'TOTAL-FAILED'],
  ['altered_signature', ['signature'], 'TOTAL-FAILED'],
  ['expired_certificate', ['validity'], 'TOTAL-FAILED'],
  // The statement was made for another certificate of the authority, whose name it gives.
  ['purpose_absent', ['purpose', 'authority_name'], 'TOTAL-FAILED'],
  ['purpose_not_critical', ['purpose', 'authority_name'], 'TOTAL-FAILED'],
  ['certificate_absent', ['signer'], 'INDETERMINATE'],
  ['rejection', ['status'], 'TOTAL-FAILED'],
  ['truncated', ['form'], null],
  ['trailing_byte', [], 'TOTAL-PASSED'],
]

test.each([['rsa'], ['ec']] as const)('an outside authority by openssl, %s: each fault is found by its check', async (key) => {
  const tsa = await startOutsideTsa({ key })
  try {
    const { request, nonce = '' } = await query('-sha256', '-cert')
    const trust = await readFile(tsa.caFile)
    for (const [behaviour, checks, verdict] of behaviours) {
      tsa.behave(behaviour)
      const answer = await fetch(tsa.url, { method: 'POST', body: Buffer.from(request) })
      const token = new Uint8Array(await answer.arrayBuffer())
      const report = await verifyTimestampProof({ token, data, nonce }, { now, trust })
      const found = report.checks.filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
      expect([behaviour, report.verdict, ...found.map(({ id }) => id)]).toEqual([behaviour, verdict, ...checks])
    }
  } finally {
    await tsa.close()
  }
})
