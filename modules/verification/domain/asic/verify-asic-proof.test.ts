import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog, temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import { zipOf } from '../../../../testing/write-zip.ts'
import type { ZipPart } from '../../../../testing/write-zip.ts'
import { createTimestampers } from '../../../sealing/server/index.ts'
import type { Timestamper } from '../../../sealing/server/index.ts'
import { buildSignedData } from '../../../sealing/server/build-signed-data.ts'
import { oids } from '../../../sealing/server/object-identifiers.ts'
import { pemOf } from '../../../sealing/server/read-certificate.ts'
import type { Signer } from '../../../sealing/server/signer.ts'
import en from '../../messages/asic.en.json' with { type: 'json' }
import fr from '../../messages/asic.fr.json' with { type: 'json' }
import type { ProofReport } from '../proof.ts'
import { zipFlaws } from '../zip/read-any-zip.ts'
import { asicCheckIds, asicFactIds, asicReasons, verifyAsicProof } from './verify-asic-proof.ts'

let signer: Signer
let time: Timestamper
let trust: Uint8Array
let ownPackage: Uint8Array
const mimetype: ZipPart = { path: 'mimetype', bytes: Buffer.from('application/vnd.etsi.asic-e+zip') }
const letter: ZipPart = { path: 'letter é.txt', bytes: Buffer.from('You owe 100 euros'), deflate: true }
let parts: { manifest: ZipPart; signature: ZipPart; stampManifest: ZipPart; stamp: ZipPart }

const sha = (bytes: Uint8Array, name = 'sha256'): Buffer => createHash(name).update(bytes).digest()

/** As another product writes it: other prefixes, white space, SHA-512. */
function manifest(
  signature: string,
  files: readonly ZipPart[],
  name = 'sha512',
  algorithm = 'http://www.w3.org/2001/04/xmlenc#sha512',
): Uint8Array {
  const references = files.map(
    ({ path, bytes }) =>
      `  <m:DataObjectReference MimeType="text/plain" URI="${encodeURI(path)}">\n    <d:DigestMethod Algorithm="${algorithm}"/>\n    <d:DigestValue>\n${sha(bytes, name).toString('base64')}\n</d:DigestValue></m:DataObjectReference>`,
  )
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?><!-- by another -->\n<m:ASiCManifest xmlns:m="http://uri.etsi.org/02918/v1.2.1#" xmlns:d="http://www.w3.org/2000/09/xmldsig#">\n  <m:SigReference MimeType="application/pkcs7-signature" URI="${signature}"/>\n${references.join('\n')}\n</m:ASiCManifest>`,
  )
}

const sign = async (content: Uint8Array): Promise<Uint8Array> =>
  await buildSignedData(signer, {
    contentType: oids.data,
    digest: sha(content),
    certificates: [signer.certificate, ...signer.chain],
  })
const stampOf = async (content: Uint8Array): Promise<Uint8Array> => (await time.timestamp(sha(content))).token

beforeAll(async () => {
  const folder = await temporaryFolder()
  const keyring = await temporaryKeyring(folder.dir)
  signer = await keyring.signer('platform')
  time = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })[0] as Timestamper
  trust = Buffer.from(pemOf([...signer.chain, ...(await keyring.signer('time')).chain]))
  const signed = manifest('META-INF/signature001.p7s', [letter])
  const stamped = manifest('META-INF/timestamp001.tst', [letter])
  parts = {
    manifest: { path: 'META-INF/ASiCManifest001.xml', bytes: signed, deflate: true },
    signature: { path: 'META-INF/signature001.p7s', bytes: await sign(signed), deflate: true },
    stampManifest: { path: 'META-INF/ASiCManifest002.xml', bytes: stamped },
    stamp: { path: 'META-INF/timestamp001.tst', bytes: await stampOf(stamped) },
  }
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
const all = (): ZipPart[] => [mimetype, letter, parts.manifest, parts.signature, parts.stampManifest, parts.stamp]

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

test('our own package is one that any reader of the standard verifies', async () => {
  const report = await verify(ownPackage)
  expect(findings(report)).toEqual([])
  expect(report.verdict).toBe('TOTAL-PASSED')
})

const flaws: Readonly<
  Record<
    string,
    {
      readonly parts: () => readonly ZipPart[] | Promise<readonly ZipPart[]>
      readonly finds: readonly string[]
      readonly alter?: (bytes: Uint8Array) => Uint8Array
    }
  >
> = {
  'a word changed': {
    parts: () => all().map((each) => (each === letter ? { ...letter, bytes: Buffer.from('You owe 900 euros') } : each)),
    finds: ['data_object=differs', 'data_object=differs'],
  },
  'a file left out': {
    parts: () => all().filter((each) => each !== letter),
    finds: ['data_object=missing', 'data_object=missing'],
  },
  'a file added': { parts: () => [...all(), { path: 'more.txt', bytes: Buffer.from('more') }], finds: ['covered~uncovered'] },
  'another list': {
    parts: () =>
      all().map((each) =>
        each === parts.manifest ? { ...each, bytes: Buffer.from(`${Buffer.from(each.bytes).toString()} `) } : each,
      ),
    finds: ['signature=other_content'],
  },
  'a list with a document type': {
    parts: () => [
      mimetype,
      letter,
      { ...parts.manifest, bytes: Buffer.from(`<!DOCTYPE a [<!ENTITY b "c">]>${Buffer.from(parts.manifest.bytes).toString()}`) },
      parts.stampManifest,
      parts.stamp,
    ],
    finds: ['manifest=malformed'],
  },
  'the signature left out': {
    parts: () => all().filter((each) => each !== parts.signature),
    finds: ['signature=signature_missing'],
  },
  'a time stamp over something else': {
    parts: async () => [mimetype, letter, parts.stampManifest, { ...parts.stamp, bytes: await stampOf(Buffer.from('other')) }],
    finds: ['timestamp=other_data'],
  },
  'nothing signed': { parts: () => [mimetype, letter], finds: ['signed=unsigned', 'covered~uncovered'] },
  'a digest of the past': {
    parts: async () => {
      const list = manifest('META-INF/signature001.p7s', [letter], 'sha1', 'http://www.w3.org/2000/09/xmldsig#sha1')
      return [mimetype, letter, { ...parts.manifest, bytes: list }, { ...parts.signature, bytes: await sign(list) }]
    },
    finds: ['data_object~weak_digest'],
  },
  'a digest that is not known': {
    parts: async () => {
      const list = manifest('META-INF/signature001.p7s', [letter], 'sha256', 'http://example.org/rot13')
      return [mimetype, letter, { ...parts.manifest, bytes: list }, { ...parts.signature, bytes: await sign(list) }]
    },
    finds: ['data_object~unknown_digest'],
  },
  'another kind of container': {
    parts: () => [{ path: 'mimetype', bytes: Buffer.from('application/epub+zip') }, ...all().slice(1)],
    finds: ['mimetype=unknown_mimetype'],
  },
  'a XAdES signature': {
    parts: () => [...all(), { path: 'META-INF/signatures.xml', bytes: Buffer.from('<XAdESSignatures/>') }],
    finds: ['xades~not_checked_here'],
  },
  'ASiC-S over two files': {
    parts: async () => [
      mimetype,
      letter,
      { path: 'b.txt', bytes: Buffer.from('b') },
      { path: 'META-INF/signature.p7s', bytes: await sign(letter.bytes) },
    ],
    finds: ['signed=unsigned', 'signature=several_objects', 'covered~uncovered'],
  },
  'a name twice': { parts: () => [...all(), letter], finds: ['container=duplicate'] },
  'a name that climbs out': {
    parts: () => [...all(), { path: '../evil', bytes: Buffer.from('x') }],
    finds: ['container=escape', 'covered~uncovered'],
  },
  encrypted: { parts: () => [...all(), { path: 'secret', bytes: Buffer.from('x'), flags: 1 }], finds: ['container=encrypted'] },
  'a header that disagrees': {
    parts: () => [...all(), { path: 'two', bytes: Buffer.from('x'), localName: 'one' }],
    finds: ['container=headers_differ'],
  },
  'a method of its own': {
    parts: () => [...all(), { path: 'packed', bytes: Buffer.from('x'), method: 99 }],
    finds: ['container=method'],
  },
  'a bomb that says to be small': {
    parts: () => [
      mimetype,
      { ...letter, raw: deflateRawSync(Buffer.alloc(1 << 26)), method: 8 },
      parts.manifest,
      parts.signature,
    ],
    finds: ['data_object=unpackable'],
  },
  'not a container': { parts: all, alter: () => Buffer.from('Hello, world, this is no ZIP file'), finds: ['container=not_zip'] },
  'cut short': { parts: all, alter: (bytes) => bytes.subarray(0, -30), finds: ['container=truncated'] },
  'bytes before': { parts: all, alter: (bytes) => Buffer.concat([Buffer.from('MZ'), bytes]), finds: ['container=truncated'] },
}

test.each(Object.entries(flaws))('%s: finds exactly what is wrong', async (_, { parts: given, finds, alter }) => {
  const bytes = zipOf(await given())
  const report = await verify(alter === undefined ? bytes : alter(bytes))
  expect(findings(report)).toEqual(finds)
  expect(report.verdict).toBe(finds.some((each) => each.includes('=')) ? 'TOTAL-FAILED' : 'INDETERMINATE')
})

test('entries that share their bytes are refused whole', async () => {
  const bytes = zipOf([...all(), { path: 'again', bytes: letter.bytes, deflate: true, sameAs: letter.path }])
  const [check] = (await verify(bytes)).checks
  expect(check).toMatchObject({ id: 'container', status: 'failed' })
})

test('10,000 altered containers: never an exception, never green', async () => {
  let state = 7
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  // Without its signature each is soon read, and none may pass; with it, some hundreds.
  const unsignedOne = zipOf([mimetype, letter, parts.manifest])
  const whole = zipOf(all())
  for (let i = 0; i < 10_000; i += 1) {
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
