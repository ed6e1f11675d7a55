import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readPublished } from '../../../../testing/published/read-published.ts'
import { verifyDossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'

/**
 * XML signatures, in containers and alone, that the European library and the Estonian ones are tested with: of twenty countries and as
 * many writers, right and wrong in one way each. Each is given as a user gives it; without roots none of them may pass.
 */
type Row = { repository: string; path: string; sha256: string; kind: string; verdict: string; levels: string[]; finds: string[] }
type Table = { commits: Record<string, string>; rows: Row[] }
const { commits, rows } = JSON.parse(await readFile(new URL('published.json', import.meta.url), 'utf8')) as Table

test('what its publishers hold to be right is never contradicted, and nothing passes on nobody’s word', () => {
  expect(rows.length).toBeGreaterThan(300)
  for (const { path, verdict, finds } of rows) {
    expect(verdict, path).not.toBe('TOTAL-PASSED')
    expect(verdict === 'TOTAL-FAILED', path).toBe(finds.some((each) => each.includes('=')))
    if (/\/valid-containers\//.test(path)) expect(verdict, path).toBe('INDETERMINATE')
  }
})

test.each(rows)('$path', async ({ repository, path, sha256, kind, verdict, levels, finds }) => {
  const bytes = await readPublished({ repository, commit: commits[repository] ?? '', path, sha256 })
  const name = path.split('/').at(-1) ?? ''
  const { items } = await verifyDossier([fileOfBytes(name, bytes)], { now: () => new Date('2026-11-21T12:00:00Z') })
  const [item] = items
  expect(item?.kind).toBe(kind)
  const report = item?.result.form === 'proof' ? item.result.report : undefined
  const found = (report?.checks ?? [])
    .filter(({ id, status, supplementary }) => status !== 'passed' && supplementary !== true && !id.endsWith('trust'))
    .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)
  expect([...new Set(found)]).toEqual(finds)
  expect(report?.verdict).toBe(verdict)
  expect([...new Set((report?.facts ?? []).flatMap(({ id, value }) => (id === 'level' ? [value] : [])))]).toEqual(levels)
})
