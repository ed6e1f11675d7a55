import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { ProofReport } from '../proof.ts'
import { cmsCheckIds, verifyCms } from './verify-cms.ts'

const run = promisify(execFile)
const folder = new URL('../../../../testing/proof-vectors/cms/', import.meta.url)
const read = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(new URL(name, folder)))

type Row = {
  file: string
  finds: Record<string, string>
  given?: string
  roots?: string
  level?: string
  unusable?: true
}
const table = JSON.parse(await readFile(new URL('vectors.json', folder), 'utf8')) as Row[]
const now = (): Date => new Date('2026-11-21T12:00:00Z')

async function verifyRow({ file, given = 'content', roots = 'root' }: Row): Promise<ProofReport> {
  const content = given === 'content' ? await read('content.txt') : new Uint8Array(Buffer.from('other'))
  return verifyCms(
    { signature: await read(file), ...(given === 'nothing' ? {} : { content: { bytes: content } }) },
    { now, ...(roots === '' ? {} : { trust: await read(`${roots}.pem`) }) },
  )
}

const usual: Readonly<Record<string, string>> = {
  signature_timestamp: 'noted timestamp_absent',
  revocation: 'noted revocation_absent',
}

test.each(table)('$file $given $roots: finds exactly what is wrong with it', async (row) => {
  const report = await verifyRow(row)
  const found = Object.fromEntries(
    report.checks
      .filter(({ status }) => status !== 'passed')
      .map(({ id, status, supplementary, data }) => [id, `${supplementary === true ? 'noted' : status} ${data['reason']}`]),
  )
  const notes = Object.fromEntries(
    Object.entries(usual).filter(([id]) => report.checks.some((check) => check.id === id && check.status !== 'passed')),
  )
  expect(found).toEqual({ ...notes, ...row.finds })
  const grave = Object.values(row.finds)
  const verdict = grave.some((each) => each.startsWith('failed'))
    ? 'TOTAL-FAILED'
    : grave.some((each) => each.startsWith('indeterminate'))
      ? 'INDETERMINATE'
      : 'TOTAL-PASSED'
  expect(report.verdict).toBe(verdict)
  expect(report.unusable).toBe(row.unusable === true)
  if (row.level !== undefined) expect(report.facts.find(({ id }) => id === 'level')?.value).toBe(row.level)
  if (row.level === 'CAdES B-T') expect(report.dates[0]?.at).toBe('2026-06-01T10:00:00.000Z')
  expect(report.checks.every(({ id }) => (cmsCheckIds as readonly string[]).includes(id))).toBe(true)
})

test('every check has a vector that it alone notices', () => {
  const alone = new Set<string>()
  for (const { finds } of table) {
    const all = Object.keys(finds)
    const grave = Object.entries(finds).filter(([, what]) => !what.startsWith('noted'))
    if (all.length === 1 && all[0] !== undefined) alone.add(all[0])
    if (grave.length === 1 && grave[0] !== undefined) alone.add(grave[0][0])
  }
  // An archive time stamp is itself something added; a content that is not at hand leaves its digest unknown, an expiry its validity.
  const never = cmsCheckIds.filter((id) => !alone.has(id))
  expect(never).toEqual(['current', 'archive'])
  for (const id of never) expect(table.some(({ finds }) => Object.hasOwn(finds, id))).toBe(true)
})

test('openssl accepts every signature of the table that passes, over this content and no other', async () => {
  const path = (name: string): string => fileURLToPath(new URL(name, folder))
  const at = String(Math.floor(now().getTime() / 1000))
  const openssl = ({ file, roots }: Row, content: string): Promise<unknown> =>
    run('openssl', [
      'cms', '-verify', '-binary', '-inform', file.endsWith('.pem') ? 'PEM' : 'DER', '-in', path(file),
      ...(file.endsWith('.p7m') ? [] : ['-content', content]), '-CAfile', path(`${roots ?? 'root'}.pem`), '-purpose', 'any', '-attime', at,
      '-out', '/dev/null',
    ]) // prettier-ignore
  const passing = table.filter(
    ({ finds, file, given }) =>
      given !== 'nothing' &&
      file !== 'stamped-then-expired.p7s' &&
      Object.values(finds).every((what) => what.startsWith('noted')),
  )
  expect(passing.length).toBeGreaterThan(5)
  for (const row of passing) await openssl(row, path('content.txt'))
  for (const row of passing.filter(({ file }) => !file.endsWith('.p7m')))
    await expect(openssl(row, path('vectors.json'))).rejects.toThrow('verification failure')
})

test('digests calculated elsewhere are enough, and a file is read in slices', async () => {
  const content = await read('content.txt')
  const signature = await read('good.p7s')
  const trust = await read('root.pem')
  const sha256 = createHash('sha256').update(content).digest('hex')
  const byDigest = await verifyCms({ signature, content: { digests: { sha256 } } }, { now, trust })
  expect(byDigest.verdict).toBe('TOTAL-PASSED')
  const asked: number[] = []
  const file = {
    size: content.length,
    read: async (offset: number, length: number) => (asked.push(length), content.subarray(offset, offset + length)),
  }
  expect((await verifyCms({ signature, content: { file } }, { now, trust })).verdict).toBe('TOTAL-PASSED')
  expect(asked).toEqual([content.length])
})
