import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readPublished, sha256Of } from '../../../../testing/published/read-published.ts'
import { readTrustedLists } from '../known/trusted-lists.ts'
import { verifyTimestampProof } from './verify-timestamp-proof.ts'

/**
 * Stamps of real authorities, as public test suites keep them, with the lists that are shipped. What each must be found to be is
 * written down here; the stamps themselves are others' and stay where they are.
 */
type Row = {
  repository: string
  commit: string
  path: string
  /** Which of the stamps in an XML signature. */
  index?: number
  /** Certificates to trust, in the same repository. */
  roots?: string
  /** Of the file at `path` and of that at `roots`, when it is not the stamp itself. */
  file_sha256?: string
  roots_sha256?: string
  sha256: string
  authority: string
  gen_time: string
  qualified: boolean
  finds: Record<string, string>
}
const table = JSON.parse(await readFile(new URL('published.json', import.meta.url), 'utf8')) as Row[]
const lists = readTrustedLists(
  JSON.parse(await readFile(new URL('../../trusted-lists/snapshot.json', import.meta.url), 'utf8')) as unknown,
)

const fileOf = async ({ repository, commit }: Row, path: string, sha256: string): Promise<Uint8Array> =>
  await readPublished({ repository, commit, path, sha256 })

async function stampOf(row: Row): Promise<Uint8Array> {
  const bytes = await fileOf(row, row.path, row.file_sha256 ?? row.sha256)
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

test.each(table)('$authority, $gen_time ($path $index): as it was found to be', async (row) => {
  const token = await stampOf(row)
  expect(sha256Of(token)).toBe(row.sha256)
  const report = await verifyTimestampProof(
    { token },
    {
      now: () => new Date('2026-11-21T12:00:00Z'),
      ...(lists === undefined ? {} : { trustedLists: lists }),
      ...(row.roots === undefined ? {} : { trust: await fileOf(row, row.roots, row.roots_sha256 ?? '') }),
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
