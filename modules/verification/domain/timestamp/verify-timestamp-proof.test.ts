import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { VerificationStopped } from '../file/readable.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { keyDigest } from '../trusted-list/certificate-identity.ts'
import type { TrustedLists } from '../known/trusted-lists.ts'
import { readCertificate, readPem } from '../certificate/x509.ts'
import { timestampCheckIds, verifyTimestampProof } from './verify-timestamp-proof.ts'

const run = promisify(execFile)
const folder = new URL('../../../../testing/proof-vectors/timestamp/', import.meta.url)
const read = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(new URL(name, folder)))

type Row = {
  file: string
  finds: Record<string, string>
  roots?: string
  given?: string
  nonce?: string
  list?: 'granted' | 'withdrawn'
  unusable?: true
}
const table = JSON.parse(await readFile(new URL('vectors.json', folder), 'utf8')) as Row[]
const now = (): Date => new Date('2026-11-21T12:00:00Z')

/** What every vector says without weight: nothing enclosed tells of revocation, and no list was consulted. */
const usual: Readonly<Record<string, string>> = {
  qualified: 'noted qualified_no_list',
  revocation: 'noted revocation_absent',
}

async function listWith(status: 'granted' | 'withdrawn'): Promise<TrustedLists> {
  const [certificate] = readPem(await read('root.pem'))
  if (certificate === undefined) throw new Error('no root')
  const facts = {
    territory: 'FR',
    operator: 'State',
    sequence_number: 7,
    issued_at: '2026-10-01T00:00:00Z',
    next_update: '2027-04-01T00:00:00Z',
    sha256: '0'.repeat(64),
    signer_sha256: '0'.repeat(64),
    url: 'https://example.invalid/tl.xml',
  }
  const service = {
    provider: 'Vectors',
    name: 'Time stamps',
    keys: [keyDigest(certificate)],
    history: [{ since: '2025-01-01T00:00:00Z', type: 'QTST' as const, status }],
  }
  return {
    format: 'probant-trusted-lists/1',
    made_at: '2026-11-01T00:00:00Z',
    lotl: { ...facts, territory: 'EU', journal: 'C' },
    lists: [{ ...facts, services: [service] }],
    missing: [],
  } as unknown as TrustedLists
}

async function verifyRow(row: Row): Promise<ProofReport> {
  const { roots = 'root', given = 'document', list, nonce } = row
  const document = await read('document.txt')
  const data =
    given === 'nothing'
      ? undefined
      : given === 'document'
        ? { bytes: document }
        : given === 'sha1'
          ? { digests: { sha1: createHash('sha1').update(document).digest('hex') } }
          : { bytes: new Uint8Array(Buffer.from('other document')) }
  const deps: VerifyDeps = {
    now,
    ...(roots === '' ? {} : { trust: await read(`${roots}.pem`) }),
    ...(list === undefined ? {} : { trustedLists: await listWith(list) }),
  }
  const proof = {
    token: await read(row.file),
    ...(data === undefined ? {} : { data }),
    ...(nonce === undefined ? {} : { nonce }),
  }
  return verifyTimestampProof(proof, deps)
}

/** What does not pass, by check. */
function found(report: ProofReport): Record<string, string> {
  return Object.fromEntries(
    report.checks
      .filter(({ status }) => status !== 'passed')
      .map(({ id, status, supplementary, data }) => [id, `${supplementary === true ? 'noted' : status} ${data['reason']}`]),
  )
}

test.each(table)('$file $given $nonce $roots $list: finds exactly what is wrong with it', async (row) => {
  const report = await verifyRow(row)
  const notes = Object.fromEntries(Object.entries(usual).filter(([id]) => report.checks.some((check) => check.id === id)))
  if (row.list !== undefined) delete notes['qualified']
  // A list of revoked certificates is enclosed: it says that this one is not.
  if (report.checks.some(({ id, status }) => id === 'revocation' && status === 'passed')) delete notes['revocation']
  expect(found(report)).toEqual({ ...notes, ...row.finds })
  const grave = Object.values(row.finds)
  const verdict = grave.some((each) => each.startsWith('failed'))
    ? 'TOTAL-FAILED'
    : grave.some((each) => each.startsWith('indeterminate'))
      ? 'INDETERMINATE'
      : 'TOTAL-PASSED'
  // Of what is no proof at all there is none.
  expect(report.verdict).toBe(row.unusable === true ? null : verdict)
  expect(report.unusable).toBe(row.unusable === true)
  // A date is only said when all that it stands on holds.
  expect(report.dates.length > 0).toBe(verdict === 'TOTAL-PASSED' || (verdict === 'INDETERMINATE' && report.dates.length > 0))
  if (verdict === 'TOTAL-PASSED') expect(report.dates[0]?.at).toBe('2026-06-01T10:00:00.000Z')
  expect(report.checks.every(({ id }) => (timestampCheckIds as readonly string[]).includes(id))).toBe(true)
})

test('every check has a vector that it alone notices', () => {
  const alone = new Set(table.flatMap(({ finds }) => (Object.keys(finds).length === 1 ? Object.keys(finds) : [])))
  for (const row of table) {
    const grave = Object.entries(row.finds).filter(([, what]) => !what.startsWith('noted'))
    if (grave.length === 1 && grave[0] !== undefined) alone.add(grave[0][0])
  }
  expect(timestampCheckIds.filter((id) => !alone.has(id))).toEqual([])
})

test('openssl accepts every stamp of the table that passes, and finds the data of the others wrong', async () => {
  const path = (name: string): string => fileURLToPath(new URL(name, folder))
  const at = String(Math.floor(now().getTime() / 1000))
  const openssl = (row: Row, data: string): Promise<unknown> =>
    run('openssl', [
      'ts', '-verify', '-in', path(row.file), ...(row.file.endsWith('.tst') ? ['-token_in'] : []), '-data', data,
      '-CAfile', path(`${row.roots ?? 'root'}.pem`), '-attime', at,
    ]) // prettier-ignore
  const passing = table.filter(
    ({ finds, file, list }) =>
      list === undefined && !file.endsWith('.pem') && !Object.values(finds).some((what) => !what.startsWith('noted')),
  )
  // openssl judges certificates as of the instant told, not as of the stamp; that one had expired by then.
  const comparable = passing.filter(({ file }) => file !== 'expired-since.tsr' && file !== 'padded.tst')
  expect(comparable.length).toBeGreaterThan(10)
  for (const row of comparable) await openssl(row, path('document.txt'))
  for (const row of comparable) await expect(openssl(row, path('vectors.json'))).rejects.toThrow('imprint')
})

test('a certificate given beside a stamp that encloses none completes it', async () => {
  const token = await read('no-certificate.tsr')
  const data = { bytes: await read('document.txt') }
  const pem = await read('root.pem')
  const unit = (await verifyTimestampProof({ token: await read('good.tsr'), data }, { now, trust: pem })).facts
  expect(unit.find(({ id }) => id === 'authority')?.value).toBe('Vector time-stamping unit')
  const { readCms } = await import('../cms/read-cms.ts')
  const certificates = readCms(await read('good.tst')).certificates.map(({ encoded }) => readCertificate(encoded))
  const report = await verifyTimestampProof({ token, data, certificates }, { now, trust: pem })
  expect(report.verdict).toBe('TOTAL-PASSED')
})

test('openssl accepts a stamp of after the expiry of its certificate, when asked as of before; this verifier does not', async () => {
  const path = (name: string): string => fileURLToPath(new URL(name, folder))
  const before = String(Math.floor(Date.parse('2026-04-01T00:00:00Z') / 1000))
  const args = ['-in', path('expired.tsr'), '-data', path('document.txt'), '-CAfile', path('root.pem'), '-attime', before]
  const { stdout, stderr } = await run('openssl', ['ts', '-verify', ...args])
  expect(stdout + stderr).toContain('Verification: OK')
  const report = await verifyRow({ file: 'expired.tsr', finds: {} })
  expect(report.checks.find(({ id }) => id === 'validity')).toMatchObject({ status: 'failed', data: { reason: 'expired' } })
})

test('a file is hashed in slices under the algorithm of the stamp, with progress, and stops when asked', async () => {
  const bytes = await read('document.txt')
  const file = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) }
  for (const token of ['good.tsr', 'good-sha512.tsr', 'good-sha3.tsr']) {
    const done: number[] = []
    const trust = await read('root.pem')
    const deps = { now, trust, onProgress: (at: number) => void done.push(at) }
    const report = await verifyTimestampProof({ token: await read(token), data: { file } }, deps)
    expect([token, report.verdict]).toEqual([token, 'TOTAL-PASSED'])
    expect(done).toEqual([bytes.length])
    expect(report.bound.map(({ of }) => of)).toEqual(['imprint', 'file'])
  }
  const stopped = verifyTimestampProof({ token: await read('good.tsr'), data: { file } }, { now, signal: { aborted: true } })
  await expect(stopped).rejects.toThrow(VerificationStopped)
})
