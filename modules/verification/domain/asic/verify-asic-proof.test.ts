import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { asicMaterial, letter, mimetype } from '../../../../testing/proof-vectors/asic-containers.ts'
import type { AsicMaterial } from '../../../../testing/proof-vectors/asic-containers.ts'
import { content as signedContent, grown, laterRoots, stamp } from '../../../../testing/proof-vectors/later-proofs.ts'
import { fileOf } from '../../../../testing/proof-vectors/verify-row.ts'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import { countingFewer, zipOf } from '../../../../testing/write-zip.ts'
import type { ZipPart } from '../../../../testing/write-zip.ts'
import en from '../../messages/asic.en.json' with { type: 'json' }
import fr from '../../messages/asic.fr.json' with { type: 'json' }
import type { ProofReport } from '../report/proof-report.ts'
import { zipFlaws } from '../zip/read-any-zip.ts'
import { asicCheckIds, asicFactIds, asicReasons, verifyAsicProof } from './verify-asic-proof.ts'
import { below, share } from '../../../../testing/sweep.ts'

let material: AsicMaterial
let all: AsicMaterial['all']
let parts: AsicMaterial['parts']
let sign: AsicMaterial['sign']
let stampOf: AsicMaterial['stampOf']
let trust: Uint8Array
let ownPackage: Uint8Array

beforeAll(async () => {
  const folder = await temporaryFolder()
  material = await asicMaterial(folder.dir)
  ;({ all, parts, sign, stampOf, trust } = material)
  const pieces = [{ path: 'capture/page.html', role: 'dom' as const, bytes: Buffer.from('<p>hello') }]
  ownPackage = (await sealedPackage({ keys: `${folder.dir}/keys`, pieces })).zip
  return async () => await folder.remove()
})

async function verify(bytes: Uint8Array): Promise<ProofReport> {
  const file = {
    size: bytes.length,
    read: async (at: number, length: number) => {
      if (at < 0 || length < 0 || at + length > bytes.length) throw new RangeError('past the end')
      return bytes.subarray(at, at + length)
    },
  }
  return await verifyAsicProof({ file }, { now: () => new Date(), trust })
}

const findings = (report: ProofReport): string[] =>
  report.checks
    .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
    .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)

test('ASiC-E by another product: a signature and a time stamp over a deflated file with a name in UTF-8', async () => {
  const report = await verify(zipOf(all()))
  expect(findings(report)).toEqual([])
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(report.dates).toHaveLength(1)
})

test('ASiC-S: a signature, or a time stamp, over the one file', async () => {
  const small = { path: 'mimetype', bytes: Buffer.from('application/vnd.etsi.asic-s+zip') }
  for (const proof of [
    { path: 'META-INF/signature.p7s', bytes: await sign(letter.bytes) },
    { path: 'META-INF/timestamp.tst', bytes: await stampOf(letter.bytes) },
  ])
    expect((await verify(zipOf([small, letter, proof]))).verdict).toBe('TOTAL-PASSED')
})

test('a signature whose certificate has ended holds by the archive list that covers it, and that by the next one', async () => {
  const at = { now: () => new Date('2026-11-21T12:00:00Z'), trust: laterRoots }
  const file = { path: 'content.txt', bytes: signedContent }
  const signature = { path: 'META-INF/signature.p7s', bytes: grown([]) }
  const archive = (number: number, when: string, files: readonly ZipPart[]): ZipPart[] => {
    const list = material.archiveList(number, files)
    return [list, { path: `META-INF/timestamp00${number}.tst`, bytes: stamp(list.bytes, when) }]
  }
  const found = async (...given: readonly ZipPart[]): Promise<string[]> =>
    findings(await verifyAsicProof({ file: fileOf(zipOf([file, signature, ...given])) }, at))
  expect(await found()).toEqual(['signature~expired_undated'])
  const first = archive(1, '2026-07-01T10:00:00Z', [file, signature])
  expect(await found(...first)).toEqual([])
  expect(await found(...first, ...archive(2, '2026-09-01T10:00:00Z', [file, signature, ...first]))).toEqual([])
  // One that was made too late shows nothing of before.
  expect(await found(...archive(1, '2026-09-01T10:00:00Z', [file, signature]))).toEqual(['signature=expired'])
  // Two that cover one another prove nothing of one another.
  const [list, token] = first
  const other = archive(2, '2026-06-01T10:00:00Z', [file, { path: 'META-INF/timestamp001.tst', bytes: Buffer.from('other') }])
  expect(await found(list as ZipPart, token as ZipPart, ...other)).toEqual(['data_object=differs'])
})

test('a record whose list names another digest than it was made with is not fully established', async () => {
  const path = 'META-INF/evidencerecord001.ers'
  const record = { path, bytes: await material.recordOf(letter.bytes) }
  const given = (list: ZipPart): Uint8Array => zipOf([mimetype, letter, list, record])
  expect(findings(await verify(given(material.recordList(path, [letter]))))).toEqual([])
  expect(findings(await verify(given(material.recordList(path, [letter], 'sha512'))))).toEqual(['evidence_record~other_digest'])
})

test('our own package is one that any reader of the standard verifies', async () => {
  const report = await verify(ownPackage)
  expect(findings(report)).toEqual([])
  expect(report.verdict).toBe('TOTAL-PASSED')
})

test('entries that share their bytes are refused whole', async () => {
  const bytes = zipOf([...all(), { path: 'again', bytes: letter.bytes, deflate: true, sameAs: letter.path }])
  const [check] = (await verify(bytes)).checks
  expect(check).toMatchObject({ id: 'container', status: 'failed' })
})

test('a directory that holds more than its count says is damaged: other readers would see what this one does not', async () => {
  const hidden = zipOf([...all(), { path: 'hidden.pdf', bytes: letter.bytes }])
  expect((await verify(hidden)).verdict).not.toBe('TOTAL-PASSED')
  expect(findings(await verify(countingFewer(hidden, 1)))).toEqual(['container=truncated'])
})

test(`${share(10_000)} altered containers: never an exception, never green`, async () => {
  const next = below(7)
  // Without its signature each is soon read, and none may pass; with it, some hundreds.
  const unsignedOne = zipOf([mimetype, letter, parts.manifest])
  const whole = zipOf(all())
  for (let i = 0; i < share(10_000); i += 1) {
    const base = i % 40 === 0 ? whole : unsignedOne
    const bytes = Uint8Array.from(base)
    const at = next(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << next(8))
    const report = await verify(next(4) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes)
    if (report.verdict !== 'TOTAL-PASSED') continue
    // The standard lets the date of an entry, and the like, be anything: what is signed is whole.
    expect(base, `alteration ${i}`).toBe(whole)
    expect(report.checks.filter(({ id }) => id === 'data_object').every(({ status }) => status === 'passed')).toBe(true)
  }
})

test('every check, reason and fact has words in both languages', () => {
  for (const words of [en, fr] as Readonly<Record<string, string>>[])
    for (const id of [
      ...asicCheckIds.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => `${id}.${end}`)),
      ...[...asicReasons, ...zipFlaws].map((reason) => `reason.${reason}`),
      ...asicFactIds.map((fact) => `fact.${fact}`),
    ])
      expect(words[`verification.proof.asic.${id}`], id).toMatch(/\S/)
})
