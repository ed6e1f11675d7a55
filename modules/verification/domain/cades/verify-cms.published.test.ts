import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { readPublished } from '../../../../testing/published/read-published.ts'
import { verifyCms } from './verify-cms.ts'

/**
 * Signatures of many States and writers, of every level and edition, which the European validation library is tested with. What its tests
 * say of them stands beside what is found: `broken` where an imprint, an index or a digest is not the right one.
 */
type Row = {
  path: string
  sha256: string
  document?: { path: string; sha256: string } | { text: string }
  theirs?: 'intact' | 'broken'
  verdict: string
  levels: string[]
  finds: string[]
}
const { repository, commit, files } = JSON.parse(await readFile(new URL('published.json', import.meta.url), 'utf8')) as {
  repository: string
  commit: string
  files: Row[]
}

test('the table holds every form, right ones and broken ones, and agrees with what the library says', () => {
  expect(files.length).toBeGreaterThan(100)
  for (const { path, theirs, finds } of files) {
    if (theirs === undefined) continue
    const isBroken = finds.some((each) => /=|index_unmatched|content_absent|unreadable|certificate_absent/.test(each))
    expect([path, isBroken]).toEqual([path, theirs === 'broken'])
  }
  expect(files.filter(({ theirs }) => theirs === 'broken').length).toBeGreaterThan(15)
  expect(files.filter(({ theirs }) => theirs === 'intact').length).toBeGreaterThan(20)
})

test.each(files)('$path: as it was found to be', async ({ path, sha256, document, verdict, levels, finds }) => {
  const bytes = async (): Promise<Uint8Array> =>
    document === undefined || 'text' in document
      ? utf8(document?.text ?? '')
      : await readPublished({ repository, commit, ...document })
  const signature = await readPublished({ repository, commit, path, sha256 })
  const report = await verifyCms(
    { signature, ...(document === undefined ? {} : { content: { bytes: await bytes() } }) },
    { now: () => new Date('2026-11-21T12:00:00Z') },
  )
  const found = report.checks
    .filter(({ id, status, supplementary }) => status !== 'passed' && supplementary !== true && id !== 'trust')
    .map(
      ({ id, status, data: { reason, check } }) =>
        `${id}${status === 'failed' ? '=' : '~'}${reason}${check === undefined ? '' : ` ${check}`}`,
    )
  expect([...new Set(found)]).toEqual(finds)
  expect(report.verdict).toBe(verdict)
  expect(report.facts.filter(({ id }) => id === 'level').map(({ value }) => value)).toEqual(levels)
})
