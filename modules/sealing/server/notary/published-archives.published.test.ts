import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPublished } from '../../../../testing/published/read-published.ts'
import type { ProofReport } from '../../../verification/domain/report/proof-report.ts'
import { verifyWaczProof } from '../../../verification/domain/wacz/verify-wacz-proof.ts'

/** What py-wacz tests its own `validate` with; MIT. */
const published = {
  valid_signed_example_1: '08d4c4b515992dd0c58698263c4d577416900651c42927e3ecf830626426e57e',
  invalid_signed_example_1: 'ecd111d815820f39cb6db3d2dd660fef934935c6a38ff630ff0d62de3edca63c',
  valid_example_2: 'f8a3fc207be1d0822c3f5a001e589afd362140a54feda1183634239dc599f762',
  invalid_example_1: '7204852a23250eb5438ce6c30d4c7157c8361d05774751cf629dd99378776ef4',
} as const
type Name = keyof typeof published
const commit = '1e8f724a527f28855eedeb0d969ee39b00b2a80a'
const run = promisify(execFile)
const read = async (name: Name) =>
  await readPublished({
    repository: 'webrecorder/py-wacz',
    commit,
    path: `tests/fixtures/${name}.wacz`,
    sha256: published[name],
  })
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'published-archives-'))
  for (const name of Object.keys(published) as Name[]) await writeFile(join(dir, name), await read(name))
})
afterAll(async () => await rm(dir, { recursive: true, force: true }))

test('the oracle judges the archives that py-wacz publishes as py-wacz does: by the roots that authsign trusts', async () => {
  const oracle = join(import.meta.dirname, '../../../../e2e/oracles/check_wacz_signature.py')
  // authsign/trusted/roots.yaml: DST Root CA X3 and freetsa.org.
  const roots = [
    '--domain-root',
    '6d99fb265eb1c5b3744765fcbc648f3cd8e1bffafdc4c2f99b9d47cf7ff1c24f',
    '--time-root',
    'a6379e7cecc05faa3cbf076013d745e327bbbaa38c0b9af22469d4701d18aabc',
  ]
  const judge = async (name: Name): Promise<{ problems: string[] }> => {
    const done = await run('python3', [oracle, join(dir, name), ...roots]).catch((error: unknown) => error as { stdout: string })
    return JSON.parse(done.stdout) as { problems: string[] }
  }
  expect(await judge('valid_signed_example_1')).toEqual({
    form: 'domain',
    observer: 'btrix-sign-test.webrecorder.net',
    time: '2022-01-18T19:00:12Z',
    problems: [],
  })
  expect((await judge('invalid_signed_example_1')).problems).toEqual([
    'root 32d21af6fc87417a55d7e23c6992b8ce0cb9b5fcd85da30d194156d53758e4c5 of the domain is not trusted',
  ])
  expect((await judge('valid_example_2')).problems).toEqual(['not signed'])
})

test('the verifier of archives finds in them what py-wacz does', async () => {
  const verify = async (name: Name): Promise<ProofReport> => {
    const bytes = await read(name)
    const file = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) }
    return await verifyWaczProof({ file }, { now: () => new Date() })
  }
  const findings = ({ checks }: ProofReport): string[] =>
    checks
      .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
      .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)
  const valid = await verify('valid_signed_example_1')
  expect(findings(valid)).toEqual(['trust~no_roots', 'time_trust~no_roots'])
  expect(valid.facts).toContainEqual({ id: 'domain', value: 'btrix-sign-test.webrecorder.net', form: 'text' })
  expect(valid.dates).toMatchObject([{ at: '2022-01-18T19:00:12.000Z', rests_on: ['time_authority'] }])
  expect(findings(await verify('invalid_signed_example_1'))).toEqual(['trust~no_roots', 'time_trust~no_roots'])
  expect(findings(await verify('valid_example_2'))).toEqual(['signature~unsigned'])
  expect((await verify('invalid_example_1')).verdict).toBe('TOTAL-FAILED')
})
