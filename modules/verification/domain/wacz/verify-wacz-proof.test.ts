import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readGallery } from '../../../../testing/proof-vectors/gallery.ts'
import { fileOf } from '../../../../testing/proof-vectors/verify-row.ts'
import { archive } from '../../../../testing/proof-vectors/wacz-archives.ts'
import { countingFewer, zipOf } from '../../../../testing/write-zip.ts'
import type { ZipPart } from '../../../../testing/write-zip.ts'
import en from '../../messages/wacz.en.json' with { type: 'json' }
import fr from '../../messages/wacz.fr.json' with { type: 'json' }
import type { ProofReport } from '../report/proof-report.ts'
import { readAnyZip, readEntry, zipFlaws } from '../zip/read-any-zip.ts'
import { verifyWaczProof, waczCheckIds, waczFactIds, waczReasons } from './verify-wacz-proof.ts'
import { below, share } from '../../../../testing/sweep.ts'

async function verify(bytes: Uint8Array, trust?: Uint8Array): Promise<ProofReport> {
  const file = {
    size: bytes.length,
    read: async (at: number, length: number) => {
      if (at < 0 || length < 0 || at + length > bytes.length) throw new RangeError('past the end')
      return bytes.subarray(at, at + length)
    },
  }
  return await verifyWaczProof({ file }, { now: () => new Date(), ...(trust === undefined ? {} : { trust }) })
}
const findings = (report: ProofReport): string[] =>
  report.checks
    .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
    .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)

test('a whole archive: all but whose key it is, which nobody vouches for', async () => {
  const report = await verify(archive())
  expect(findings(report)).toEqual(['trust~anonymous'])
  expect(report.verdict).toBe('INDETERMINATE')
  expect(report.bound.filter(({ of }) => of === 'entry')).toHaveLength(2)
})

test('a known root that is only listed behind whoever dated vouches for nothing', async () => {
  const folder = new URL('../../../../testing/proof-vectors/', import.meta.url)
  const read = async (name: string) => await readFile(new URL(name, folder))
  const file = fileOf(new Uint8Array(await read('wacz/good.wacz')))
  const parts: ZipPart[] = []
  for (const entry of (await readAnyZip(file)).entries)
    parts.push({ path: entry.path, bytes: await readEntry(file, entry, 1 << 20), deflate: entry.method === 8 })
  const known = (await read('cms/root.pem')).toString()
  const relisted = (more: string) =>
    zipOf(
      parts.map(({ bytes, ...part }) => {
        if (part.path !== 'datapackage-digest.json') return { ...part, bytes }
        const kept = JSON.parse(Buffer.from(bytes).toString()) as { signedData: { timestampCert: string } }
        const signedData = { ...kept.signedData, timestampCert: `${kept.signedData.timestampCert.trimEnd()}\n${more}` }
        return { ...part, bytes: Buffer.from(JSON.stringify({ ...kept, signedData })) }
      }),
    )
  const { now = '' } = (await readGallery('wacz')).known
  const judged = async (bytes: Uint8Array, ...roots: string[]) =>
    findings(
      await verifyWaczProof(
        { file: fileOf(bytes) },
        { now: () => new Date(now), trust: Buffer.from([(await read('wacz/domain.pem')).toString(), ...roots].join('\n')) },
      ),
    )
  expect(await judged(relisted(''), (await read('wacz/time.pem')).toString())).toEqual([])
  expect(await judged(relisted(''), known)).toEqual(['time_trust~not_among_roots'])
  expect(await judged(relisted(known), known)).toEqual(['time_trust~not_among_roots'])
})

test('an archive of nothing proves nothing, whether it is empty or its directory says so', async () => {
  const missing = ['datapackage=missing']
  expect(findings(await verify(zipOf([])))).toEqual(missing)
  const whole = archive()
  const said = await verify(countingFewer(whole, (await readAnyZip(fileOf(whole))).entries.length))
  expect([findings(said), said.verdict]).toEqual([['container=truncated'], 'TOTAL-FAILED'])
})

test(`${share(10_000)} altered archives: never an exception, never green`, async () => {
  const base = archive()
  const next = below(11)
  for (let i = 0; i < share(10_000); i += 1) {
    const bytes = Uint8Array.from(i % 20 === 0 ? base : base.subarray(0, base.length - next(40)))
    const at = next(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << next(8))
    expect((await verify(bytes)).verdict).not.toBe('TOTAL-PASSED')
  }
})

test('every check, reason and fact has words in both languages', () => {
  for (const words of [en, fr] as Readonly<Record<string, string>>[])
    for (const id of [
      ...waczCheckIds.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => `${id}.${end}`)),
      ...[...waczReasons, ...zipFlaws].map((reason) => `reason.${reason}`),
      ...waczFactIds.map((fact) => `fact.${fact}`),
    ])
      expect(words[`verification.proof.wacz.${id}`], id).toMatch(/\S/)
})
