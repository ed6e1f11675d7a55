import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readPublished } from '../../../../testing/published/read-published.ts'
import { verifyPdfProof } from './verify-pdf-proof.ts'

type Row = { path: string; sha256: string; verdict: string; levels: string[]; finds: string[] }
/** What is found in the files that the European library is tested with; they are under the LGPL and are not kept here. */
const published = JSON.parse(await readFile(new URL('published.json', import.meta.url), 'utf8')) as {
  repository: string
  commit: string
  files: Row[]
}
const { repository, commit } = published

test('every published file has a verdict and what was found in it', () => {
  for (const { path, sha256, verdict, finds } of published.files) {
    expect(sha256, path).toMatch(/^[0-9a-f]{64}$/)
    expect(verdict === 'TOTAL-FAILED', path).toBe(finds.some((each) => each.includes('=')))
  }
})

test.each(published.files)('$path', async ({ path, sha256, verdict, levels, finds }) => {
  const bytes = await readPublished({ repository, commit, path, sha256 })
  const file = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) }
  const report = await verifyPdfProof({ file }, { now: () => new Date('2026-11-21T12:00:00Z') })
  const found = report.checks
    .filter(({ id, status, supplementary }) => status !== 'passed' && supplementary !== true && !id.endsWith('trust'))
    .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)
  expect([...new Set(found)]).toEqual(finds)
  expect(report.verdict).toBe(verdict)
  expect(report.facts.filter(({ id }) => id === 'level').map(({ value }) => value)).toEqual(levels)
})
