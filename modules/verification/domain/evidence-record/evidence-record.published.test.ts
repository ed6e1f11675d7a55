import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { readPublished } from '../../../../testing/published/read-published.ts'
import type { Compared } from '../cms/digest-content.ts'
import { glanceOf, recognise } from '../recognise/recognise.ts'
import { verifyEvidenceRecord } from './verify-evidence-record.ts'

/**
 * Records that the German Federal Office for Information Security, the European validation library and Bouncy Castle publish to test
 * software like this: by many writers, under SHA-224 to SHA-512, with up to seven time stamps in six chains. Which of them hold, and
 * for which documents, is what those suites say of them; what is found in them is written down beside.
 */
type Row = {
  repository: string
  commit: string
  path: string
  sha256: string
  /** Another file there, a text, or its digests. */
  document?: { path: string; sha256: string } | { text: string } | { digests: Record<string, string> }
  verdict: string
  chains: number
  dates: string[]
  /** `1 id=reason` fails at the first time stamp, `id~reason` is open; without what is said of trust. */
  finds: string[]
}
const table = JSON.parse(await readFile(new URL('published.json', import.meta.url), 'utf8')) as Row[]
const oracle = fileURLToPath(new URL('../../../../e2e/oracles/check_evidence_record.py', import.meta.url))

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'published-records-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function documentOf({ repository, commit, document }: Row): Promise<Compared[]> {
  if (document === undefined) return []
  if ('digests' in document) return [{ digests: document.digests }]
  return [{ bytes: 'text' in document ? utf8(document.text) : await readPublished({ repository, commit, ...document }) }]
}

test('the table has records that hold and that do not, of one chain and of many', () => {
  expect(table.length).toBeGreaterThan(40)
  expect(table.filter(({ verdict }) => verdict === 'TOTAL-FAILED').length).toBeGreaterThan(8)
  expect(Math.max(...table.map(({ chains }) => chains))).toBe(6)
})

test.each(table)('$path: as it was found to be', async (row) => {
  const record = await readPublished(row)
  const data = await documentOf(row)
  const report = await verifyEvidenceRecord({ record, data }, { now: () => new Date('2026-11-21T12:00:00Z') })
  const finds = report.checks
    .filter(({ id, status, supplementary }) => status !== 'passed' && supplementary !== true && id !== 'trust')
    .map(({ id, status, subject, data: { reason } }) => {
      const number = subject?.split(' ').at(-1)
      return `${number === undefined ? '' : `${number} `}${id}${status === 'failed' ? '=' : '~'}${String(reason)}`
    })
  expect([...new Set(finds)]).toEqual(row.finds)
  expect(report.verdict).toBe(row.verdict)
  expect(report.facts.flatMap(({ id, value }) => (id === 'gen_time' ? [value] : []))).toEqual(row.dates)
  if (!row.finds.some((each) => each.startsWith('form='))) expect(recognise(glanceOf(record))).toBe('evidence_record')

  // The reader that shares nothing with the product agrees on what is no matter of certificates.
  const [given] = data
  if (report.unusable || row.path.endsWith('.xml') || given === undefined || 'digests' in given || !('bytes' in given)) return
  const [recordFile, documentFile] = [join(folder, 'record.ers'), join(folder, 'document')]
  await writeFile(recordFile, record)
  await writeFile(documentFile, given.bytes)
  const { stdout } = await promisify(execFile)('python3', [oracle, recordFile, '--document', documentFile]).catch(
    (error: { stdout: string }) => error,
  )
  const { problems } = JSON.parse(stdout) as { problems: string[] }
  const structural = row.finds.filter((each) => /(?:document|hash_tree|renewal|new_chain|order|algorithm\w*)=/.test(each))
  expect([problems, structural.length > 0]).toEqual([
    structural.length > 0 ? expect.arrayContaining([expect.any(String)]) : [],
    structural.length > 0,
  ])
})
