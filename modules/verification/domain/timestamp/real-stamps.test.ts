import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readTrustedLists } from '../trusted-list/trusted-lists.ts'
import { verifyTimestampProof } from './verify-timestamp-proof.ts'

/**
 * Stamps of real authorities, as public test suites keep them, with the lists that are shipped. What each must be found to be is
 * written down here; the stamps themselves are others' and stay where they are: the test runs where clones of those repositories
 * are, `<folder>/<owner>+<name>/repo`, the folder in PROBANT_PUBLIC_CLONES.
 */
const clones = process.env['PROBANT_PUBLIC_CLONES'] ?? ''
const run = promisify(execFile)

type Row = {
  repository: string
  commit: string
  path: string
  /** Which of the stamps in an XML signature. */
  index?: number
  /** Certificates to trust, in the same repository. */
  roots?: string
  sha256: string
  authority: string
  gen_time: string
  qualified: boolean
  finds: Record<string, string>
}
const table = JSON.parse(
  await readFile(new URL('../../../../testing/proof-vectors/real-stamps.json', import.meta.url), 'utf8'),
) as Row[]
const lists = readTrustedLists(
  JSON.parse(await readFile(new URL('../../trusted-lists/snapshot.json', import.meta.url), 'utf8')) as unknown,
)

async function fileOf({ repository, commit }: Row, path: string): Promise<Uint8Array> {
  const git = join(clones, repository.replace('/', '+'), 'repo')
  const { stdout } = await run('git', ['--git-dir', git, 'show', `${commit}:${path}`], { encoding: 'buffer', maxBuffer: 1 << 28 })
  return new Uint8Array(stdout)
}

async function stampOf(row: Row): Promise<Uint8Array> {
  const bytes = await fileOf(row, row.path)
  if (row.index === undefined) return bytes
  const found = [
    ...Buffer.from(bytes)
      .toString('utf8')
      .matchAll(/EncapsulatedTimeStamp[^>]*>([\s\S]*?)<\//g),
  ][row.index]
  return new Uint8Array(Buffer.from((found?.[1] ?? '').replaceAll('&#13;', ''), 'base64'))
}

test('the table holds stamps of many authorities, qualified ones among them, and damaged ones', () => {
  expect(table.length).toBeGreaterThan(20)
  expect(new Set(table.map(({ authority }) => authority)).size).toBeGreaterThan(15)
  expect(table.filter(({ qualified }) => qualified).length).toBeGreaterThan(5)
  expect(table.some(({ finds }) => finds['signature'] === 'failed false_signature')).toBe(true)
  expect(table.some(({ finds }) => finds['signing_certificate'] === 'indeterminate names_absent')).toBe(true)
})

test.skipIf(clones === '').each(table)('$authority, $gen_time ($path $index): as it was found to be', async (row) => {
  const token = await stampOf(row)
  expect(createHash('sha256').update(token).digest('hex')).toBe(row.sha256)
  const report = await verifyTimestampProof(
    { token },
    {
      now: () => new Date('2026-11-21T12:00:00Z'),
      ...(lists === undefined ? {} : { trustedLists: lists }),
      ...(row.roots === undefined ? {} : { trust: await fileOf(row, row.roots) }),
    },
  )
  const finds = Object.fromEntries(
    report.checks
      .filter(({ status }) => status !== 'passed')
      .map(({ id, status, supplementary, data }) => [id, `${supplementary === true ? 'noted' : status} ${data['reason']}`]),
  )
  expect(finds).toEqual(row.finds)
  const fact = (name: string): unknown => report.facts.find(({ id }) => id === name)?.value ?? null
  expect([fact('authority'), fact('gen_time')]).toEqual([row.authority, row.gen_time])
  expect(report.checks.some(({ id, status }) => id === 'qualified' && status === 'passed')).toBe(row.qualified)
})
