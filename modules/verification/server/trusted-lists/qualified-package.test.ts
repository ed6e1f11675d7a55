import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import { startOutsideTsa } from '../../../../testing/tsa.ts'
import type { OutsideTsa } from '../../../../testing/tsa.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { describeCheck, describeQualified } from '../../domain/describe/describe-check.ts'
import { keyDigest } from '../../domain/trusted-list/certificate-identity.ts'
import type { TrustedLists } from '../../domain/known/trusted-lists.ts'
import type { VerificationReport } from '../../domain/report/package-report.ts'
import { readPem } from '../index.ts'
import { verifyCompared } from '../../../../testing/verify-compared.ts'

let dir: string
let tsa: OutsideTsa
let zips: { readonly outside: Uint8Array; readonly embedded: Uint8Array }
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'qualified-'))
  tsa = await startOutsideTsa({ name: 'Listed' })
  const pieces = [{ path: 'capture/page.html', role: 'dom' as const, bytes: Buffer.from('<p>') }]
  const keys = join(dir, 'keys')
  zips = {
    outside: (await sealedPackage({ keys, pieces, tsaUrls: [tsa.url] })).zip,
    embedded: (await sealedPackage({ keys, pieces })).zip,
  }
})
afterAll(async () => {
  await tsa.close()
  await rm(dir, { recursive: true })
})

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

async function listsOf(issued: string): Promise<TrustedLists> {
  const sha256 = 'ab'.repeat(32)
  const facts = (territory: string) => ({
    territory,
    operator: `Operator of ${territory}`,
    sequence_number: 1234,
    issued_at: issued,
    next_update: inDays(90),
    sha256,
    signer_sha256: sha256,
    url: '',
  })
  const keys = readPem(await readFile(tsa.caFile)).map(keyDigest)
  const history = [{ since: '2020-01-01T00:00:00Z', type: 'QTST' as const, status: 'granted' as const }]
  return {
    format: 'probant-trusted-lists/1',
    made_at: issued,
    lotl: { ...facts('EU'), journal: 'C/2026/1944' },
    pointers: [{ territory: 'FR', url: '', signers: [sha256] }],
    lists: [{ ...facts('FR'), services: [{ provider: 'Horodatage \u202eSA', name: 'Time', keys, history }] }],
  }
}

async function verified(zip: Uint8Array, trustedLists?: TrustedLists): Promise<VerificationReport> {
  const file = { size: zip.length, read: async (at: number, length: number) => zip.subarray(at, at + length) }
  const deps = { now: () => new Date(), ...(trustedLists === undefined ? {} : { trustedLists }) }
  return await verifyCompared({ kind: 'zip', file }, deps)
}

const wordsOf = (locale: 'en' | 'fr') => {
  const messages = createMessages(locale)
  return {
    format: (id: string, values: Readonly<Record<string, string | number>>) =>
      messages.has(id) ? messages.format(id, values) : id,
    has: (id: string) => messages.has(id),
    instant: (iso: string) => iso,
  }
}

test('a time stamp of a listed authority is said to be qualified, by which list, and the package as sound as before', async () => {
  const report = await verified(zips.outside, await listsOf(inDays(1)))
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(report.seal).toMatchObject({ qualified: true, trusted_lists: { number: 1234 } })
  const check = report.checks.find(({ id }) => id === 'qualified')
  expect(check).toMatchObject({ status: 'passed', data: { territory: 'FR', number: 1234, service: 'Time' } })
  if (check === undefined) throw new Error('no check')
  const { sentence } = describeCheck(check, wordsOf('en'))
  expect(sentence).toMatch(
    /seal\/timestamp-1\.tsr was qualified .* of Horodatage \\u202eSA .* trusted list of FR, number 1,234 of 20/,
  )
  expect(describeCheck(check, wordsOf('fr')).sentence).toContain('était qualifié lorsqu’il a été fait')
  expect(describeQualified(report, wordsOf('en'))).toContain('list of lists number')
})

test('a list that is older than the time stamp leaves that open, and nothing else', async () => {
  const report = await verified(zips.outside, await listsOf(inDays(-1)))
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(report.seal?.qualified).toBe(false)
  const check = report.checks.find(({ id }) => id === 'qualified')
  expect(check).toMatchObject({ status: 'indeterminate', supplementary: true, data: { reason: 'qualified_list_older' } })
  if (check === undefined) throw new Error('no check')
  expect(describeCheck(check, wordsOf('en')).sentence).toMatch(/is not said to be qualified: .* only a later one .*number 1,234/)
})

test('the platform’s own authority is never qualified, and without a list nothing is said', async () => {
  const own = await verified(zips.embedded, await listsOf(inDays(1)))
  const check = own.checks.find(({ id }) => id === 'qualified')
  expect(check).toMatchObject({
    status: 'indeterminate',
    supplementary: true,
    data: { reason: 'qualified_own_authority', number: 0 },
  })
  if (check === undefined) throw new Error('no check')
  expect(describeCheck(check, wordsOf('fr')).sentence).toMatch(/indépendante\. Il n’en date pas moins/)
  expect([own.verdict, own.seal?.qualified]).toEqual(['TOTAL-PASSED', false])

  const without = await verified(zips.outside)
  expect(without.checks.some(({ id }) => id === 'qualified')).toBe(false)
  expect(without.seal).toMatchObject({ qualified: false })
  expect(without.seal).not.toHaveProperty('trusted_lists')
  expect(describeQualified(without, wordsOf('en'))).toContain('no trusted list was consulted')
})
