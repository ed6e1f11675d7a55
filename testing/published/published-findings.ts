import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Readable } from '../../modules/verification/domain/file/readable.ts'
import type { VerifyDeps } from '../../modules/verification/domain/known/verify-deps.ts'
import type { ProofReport } from '../../modules/verification/domain/report/proof-report.ts'
import { readPublished } from './read-published.ts'

type Row = { path: string; sha256: string; verdict: string | null; levels: string[]; finds: string[] }
type Published = { repository: string; commit: string; files: Row[] }

/**
 * Tests what is found in the files that a published library is tested with. They are under its licence and are not kept here: the
 * manifest says where each is, its digest, and what must be found (`id=reason` fails, `id~reason` is open).
 */
export async function testPublishedFindings(
  manifest: URL,
  verify: (input: { readonly file: Readable }, deps: VerifyDeps) => Promise<ProofReport>,
): Promise<void> {
  const { repository, commit, files } = JSON.parse(await readFile(manifest, 'utf8')) as Published

  test('every published file has a verdict and what was found in it', () => {
    expect(files.length).toBeGreaterThan(0)
    for (const { path, sha256, verdict, finds } of files) {
      expect(sha256, path).toMatch(/^[0-9a-f]{64}$/)
      // What is no proof at all has no verdict, and a reason for that.
      expect(verdict === 'TOTAL-FAILED' || verdict === null, path).toBe(finds.some((each) => each.includes('=')))
    }
  })

  test.each(files)('$path', async ({ path, sha256, verdict, levels, finds }) => {
    const bytes = await readPublished({ repository, commit, path, sha256 })
    const file = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) }
    const report = await verify({ file }, { now: () => new Date('2026-11-21T12:00:00Z') })
    const found = report.checks
      .filter(({ id, status, supplementary }) => status !== 'passed' && supplementary !== true && !id.endsWith('trust'))
      .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)
    expect([...new Set(found)]).toEqual(finds)
    expect(report.verdict).toBe(verdict)
    expect(report.facts.filter(({ id }) => id === 'level').map(({ value }) => value)).toEqual(levels)
  })
}
