import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { ProofReport } from '../report/proof-report.ts'
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
  // Of what is no proof at all there is none.
  expect(report.verdict).toBe(row.unusable === true ? null : verdict)
  expect(report.unusable).toBe(row.unusable === true)
  if (row.level !== undefined) expect(report.facts.find(({ id }) => id === 'level')?.value).toBe(row.level)
  if (row.level === 'CAdES B-T' && report.verdict !== 'TOTAL-FAILED') expect(report.dates[0]?.at).toBe('2026-06-01T10:00:00.000Z')
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
  expect(cmsCheckIds.filter((id) => !alone.has(id))).toEqual([])
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
    ({ finds, given }) =>
      given !== 'nothing' &&
      // openssl judges as of now what a time stamp dates.
      !Object.hasOwn(finds, 'current') &&
      Object.values(finds).every((what) => what.startsWith('noted')),
  )
  expect(passing.length).toBeGreaterThan(5)
  // openssl 3.0 verifies no CMS signature by Ed25519, and attributes only in the order in which they were sent.
  const known = passing.filter(({ file }) => !['good-ed25519.p7s', 'unsorted-signed-sorted.p7s'].includes(file))
  for (const row of known) await openssl(row, path('content.txt'))
  for (const row of known.filter(({ file }) => !file.endsWith('.p7m')))
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

const key = (...options: string[]): string[] => options.flatMap((option) => ['-pkeyopt', option])
test.each([
  { name: 'RSA-PSS with SHA-384', algorithm: ['rsa', ...key('rsa_keygen_bits:3072')], md: 'sha384', pss: true },
  { name: 'RSA with SHA-224', algorithm: ['rsa', ...key('rsa_keygen_bits:2048')], md: 'sha224' },
  { name: 'P-521 with SHA-512', algorithm: ['EC', ...key('ec_paramgen_curve:P-521')], md: 'sha512' },
  { name: 'RSA with SHA3-256', algorithm: ['rsa', ...key('rsa_keygen_bits:2048')], md: 'sha3-256' },
  { name: 'brainpoolP256r1', algorithm: ['EC', ...key('ec_paramgen_curve:brainpoolP256r1')], md: 'sha256' },
  { name: 'brainpoolP384r1', algorithm: ['EC', ...key('ec_paramgen_curve:brainpoolP384r1')], md: 'sha384' },
  { name: 'brainpoolP512r1', algorithm: ['EC', ...key('ec_paramgen_curve:brainpoolP512r1')], md: 'sha512' },
] as { name: string; algorithm: string[]; md: string; pss?: boolean }[])(
  'a signature by openssl passes, and fails once altered: $name',
  async ({ algorithm, md, pss }) => {
    const dir = await mkdtemp(join(tmpdir(), 'verify-cms-'))
    try {
      const openssl = (...args: string[]): Promise<unknown> => run('openssl', args, { cwd: dir })
      await writeFile(join(dir, 'content'), 'content')
      await openssl('genpkey', '-algorithm', ...algorithm, '-out', 'key')
      const sigopt = pss === true ? ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:digest'] : []
      const keyopt = pss === true ? ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:digest'] : []
      await openssl(
        'req',
        '-x509',
        '-new',
        '-key',
        'key',
        '-out',
        'pem',
        `-${md}`,
        ...sigopt,
        '-subj',
        '/CN=Signer',
        '-days',
        '9',
      )
      await openssl(
        'cms', '-sign', '-cades', '-binary', '-nosmimecap', '-md', md, '-in', 'content', '-signer', 'pem', '-inkey', 'key', ...keyopt,
        '-outform', 'DER', '-out', 'p7s',
      ) // prettier-ignore
      const signature = new Uint8Array(await readFile(join(dir, 'p7s')))
      const trust = new Uint8Array(await readFile(join(dir, 'pem')))
      const content = { bytes: new Uint8Array(Buffer.from('content')) }
      const at = { now: () => new Date(), trust }
      expect((await verifyCms({ signature, content }, at)).verdict).toBe('TOTAL-PASSED')
      const last = signature.length - 2
      const altered = signature.with(last, (signature[last] ?? 0) ^ 1)
      const report = await verifyCms({ signature: altered, content }, at)
      expect(report.checks.find(({ id }) => id === 'signature')).toMatchObject({
        status: 'failed',
        data: { reason: 'false_signature' },
      })
      const other = await verifyCms({ signature, content: { bytes: new Uint8Array(1) } }, at)
      expect(other.checks.find(({ id }) => id === 'message_digest')?.status).toBe('failed')
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  },
)

test('a signature of more than 32 MiB is said to be too large, not to be damaged', async () => {
  const signature = new Uint8Array(32 * 1024 * 1024 + 1)
  signature[0] = 0x30
  const { verdict, checks } = await verifyCms({ signature }, { now: () => new Date() })
  expect([verdict, checks.map(({ id, status, data }) => [id, status, data['reason']])]).toEqual([
    null,
    [['form', 'failed', 'too_large']],
  ])
})
