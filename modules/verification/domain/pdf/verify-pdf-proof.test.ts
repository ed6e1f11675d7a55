import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { catalog, signedForms, stream } from '../../../../testing/proof-vectors/pdf-attacks.ts'
import type { SignedForms } from '../../../../testing/proof-vectors/pdf-attacks.ts'
import { appendUpdate, stampText } from '../../../../testing/signed-pdf.ts'
import type { Timestamper } from '../../../sealing/server/index.ts'
import { readFolder } from '../../../sealing/server/keyring/keyring-file.ts'
import { issueRevocationList } from '../../../sealing/server/certificates/issue-revocation-list.ts'
import { MalformedError } from '../encoding/der.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { compareRevisions } from './changes/compare-revisions.ts'
import { openDocument, readSections, startOfCrossReference } from './document/document.ts'
import { createCache, viewOf } from './document/view.ts'
import { findSignatures } from './document/find-signatures.ts'
import { verifyPdfProof } from './verify-pdf-proof.ts'
import { below, share } from '../../../../testing/sweep.ts'

let forms: SignedForms
let time: Timestamper
let signed: string

beforeAll(async () => {
  const folder = await temporaryFolder()
  forms = await signedForms(folder.dir)
  ;({ time, signed } = forms)
  return async () => await folder.remove()
})

async function verify(pdf: string | Uint8Array, given: Uint8Array | undefined = forms.trust): Promise<ProofReport> {
  const bytes = typeof pdf === 'string' ? new Uint8Array(Buffer.from(pdf, 'latin1')) : pdf
  const file = {
    size: bytes.length,
    read: async (at: number, length: number) => {
      if (at < 0 || at + length > bytes.length) throw new RangeError('past the end')
      return bytes.subarray(at, at + length)
    },
  }
  return await verifyPdfProof({ file }, { now: () => new Date(), ...(given === undefined ? {} : { trust: given }) })
}

/** `id=reason` of what did not pass and weighs, `id~reason` of what is open. */
const findings = (report: ProofReport): string[] =>
  report.checks
    .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
    .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)

test('a sound signature passes, and says when, by whom and at what level', async () => {
  const report = await verify(signed)
  expect(findings(report)).toEqual([])
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(report.dates).toMatchObject([{ kind: 'timestamp', rests_on: ['platform'] }])
  expect(report.facts).toContainEqual({ id: 'level', value: 'PAdES B-T', form: 'text' })
  expect(report.facts).toContainEqual({ id: 'signer', value: 'Probant platform seal', form: 'text' })
})

test('what may follow a signature: another timestamp, validation data, properties', async () => {
  const stamped = await verify(await stampText(signed, time))
  expect(findings(stamped)).toEqual([])
  expect(stamped.verdict).toBe('TOTAL-PASSED')
  const dss = {
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /DSS 13 0 R >>',
    13: '<< /Certs [14 0 R] >>',
    14: stream('certificate'),
  }
  expect(findings(await verify(appendUpdate(signed, dss)))).toEqual([])
  expect(
    findings(await verify(await stampText(appendUpdate(signed, { 13: '<< /Title (New) >>' }, '/Root 1 0 R /Info 13 0 R'), time))),
  ).toEqual([])
})

test('whose word it is: nobody’s roots given, or only one of the two', async () => {
  expect(findings(await verify(signed, Buffer.from('')))).toEqual(['time_trust~no_roots', 'trust~no_roots'])
  expect(findings(await verify(signed, forms.platformOnly))).toEqual(['time_trust~not_among_roots'])
})

function mutated(original: string, next: (limit: number) => number): string {
  const at = next(original.length)
  const kind = next(6)
  const byte = String.fromCharCode(next(256))
  if (kind === 0) return original.slice(0, at) + byte + original.slice(at + 1)
  if (kind === 1) return original.slice(0, at) + original.slice(at + 1 + next(40))
  if (kind === 2) return original.slice(0, at) + original.slice(next(original.length)).slice(0, next(200)) + original.slice(at)
  if (kind === 3) return original.slice(0, at)
  if (kind === 4) return original.slice(0, at) + '[<</A '.repeat(next(200)) + original.slice(at)
  return original.replaceAll(/\d+ 0 R/g, (found) => (next(8) === 0 ? `${next(16)} 0 R` : found))
}

test(`${share(10_000)} altered files: the reader ends, and throws nothing but what it names`, async () => {
  const next = below(4)
  const base = (await stampText(signed, time)).replaceAll(/0{500,}(?=>)/g, '')
  for (let i = 0; i < share(10_000); i += 1) {
    const bytes = new Uint8Array(Buffer.from(mutated(base, next), 'latin1'))
    const document = openDocument({ size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) }, undefined)
    try {
      const sections = await readSections(document, await startOfCrossReference(document, bytes.length))
      const view = viewOf(document, sections, createCache())
      await findSignatures(view)
      if (sections.length > 1) await compareRevisions(document, viewOf(document, sections.slice(1), createCache()), view)
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error
    }
  }
})

test('an altered file never passes', async () => {
  const next = below(9)
  const base = await stampText(signed, time)
  for (let i = 0; i < 600; i += 1) {
    const altered = mutated(base, next)
    if (altered === base) continue
    const report = await verify(altered)
    expect(report.verdict, `alteration ${i}`).not.toBe('TOTAL-PASSED')
  }
})

test('validation data that came after the last timestamp is not under it: B-LT, not B-LTA', async () => {
  const { entries } = await readFolder(`${forms.dir}/keys`)
  const lists = (['platform-ca', 'time-ca'] as const).map((slot) => {
    const authority = entries.get(slot)?.at(-1)
    if (authority === undefined) throw new Error('no authority')
    return stream(Buffer.from(issueRevocationList(authority, new Date())).toString('latin1'))
  })
  const store = { 13: '<< /CRLs [14 0 R 15 0 R] >>', 14: lists[0] ?? '', 15: lists[1] ?? '', 1: catalog('/DSS 13 0 R ') }
  const levelOf = async (pdf: string) => (await verify(pdf)).facts.find(({ id }) => id === 'level')?.value
  expect(await levelOf(appendUpdate(signed, store))).toBe('PAdES B-LT')
  expect(await levelOf(await stampText(appendUpdate(signed, store), time))).toBe('PAdES B-LTA')
  expect(await levelOf(appendUpdate(await stampText(signed, time), store))).toBe('PAdES B-LT')
  // A store without the answers of every issuer makes nothing last.
  for (const kept of ['', '14 0 R', '15 0 R'])
    expect(await levelOf(appendUpdate(signed, { ...store, 13: `<< /CRLs [${kept}] >>` }))).toBe('PAdES B-T')
})
