import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { systemClock } from '../../kernel/clock.ts'
import { buildSignedData } from '../../modules/sealing/server/signed-data/build-signed-data.ts'
import { createTimestampers } from '../../modules/sealing/server/index.ts'
import type { Timestamper } from '../../modules/sealing/server/index.ts'
import { oids } from '../../modules/sealing/server/encoding/object-identifiers.ts'
import { pemOf } from '../../modules/sealing/server/certificates/read-certificate.ts'
import { buildEvidenceRecord } from '../../modules/verification/domain/evidence-record/build-evidence-record.ts'
import { silentLog } from '../../platform/log/log.ts'
import { temporaryKeyring } from '../keyring.ts'
import type { ZipPart } from '../write-zip.ts'

/** Containers as another product writes them, signed and stamped by a keyring in `dir/keys`, and what may be wrong with them. */
export const mimetype: ZipPart = { path: 'mimetype', bytes: Buffer.from('application/vnd.etsi.asic-e+zip') }
export const letter: ZipPart = { path: 'letter é.txt', bytes: Buffer.from('You owe 100 euros'), deflate: true }
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

export type AsicMaterial = {
  readonly sign: (content: Uint8Array) => Promise<Uint8Array>
  readonly stampOf: (content: Uint8Array) => Promise<Uint8Array>
  /** Roots of the signer and of the authority, PEM. */
  readonly trust: Uint8Array
  /** An evidence record over the digest of these octets. */
  readonly recordOf: (content: Uint8Array) => Promise<Uint8Array>
  /** What names the files that a record is over. */
  readonly recordList: (record: string, files: readonly ZipPart[], digest?: 'sha256' | 'sha512') => ZipPart
  readonly archiveList: (number: number, files: readonly ZipPart[]) => ZipPart
  readonly parts: Readonly<Record<'manifest' | 'signature' | 'stampManifest' | 'stamp', ZipPart>>
  readonly all: () => ZipPart[]
}

export async function asicMaterial(dir: string): Promise<AsicMaterial> {
  const keyring = await temporaryKeyring(dir)
  const signer = await keyring.signer('platform')
  const time = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })[0] as Timestamper
  const certificates = [signer.certificate, ...signer.chain]
  const sign = async (content: Uint8Array): Promise<Uint8Array> =>
    await buildSignedData(signer, { contentType: oids.data, digest: sha(content), certificates })
  const stampOf = async (content: Uint8Array): Promise<Uint8Array> => (await time.timestamp(sha(content))).token
  const signed = manifest('META-INF/signature001.p7s', [letter])
  const stamped = manifest('META-INF/timestamp001.tst', [letter])
  const parts = {
    manifest: { path: 'META-INF/ASiCManifest001.xml', bytes: signed, deflate: true },
    signature: { path: 'META-INF/signature001.p7s', bytes: await sign(signed), deflate: true },
    stampManifest: { path: 'META-INF/ASiCManifest002.xml', bytes: stamped },
    stamp: { path: 'META-INF/timestamp001.tst', bytes: await stampOf(stamped) },
  }
  return {
    sign,
    stampOf,
    recordOf: async (content) => buildEvidenceRecord({ leaf: sha(content), path: [], token: await stampOf(content) }),
    recordList: (record, files, digest = 'sha256') => ({
      path: 'META-INF/ASiCEvidenceRecordManifest001.xml',
      bytes: manifest(record, files, digest, `http://www.w3.org/2001/04/xmlenc#${digest}`),
    }),
    archiveList: (number, files) => ({
      path: `META-INF/ASiCArchiveManifest00${number}.xml`,
      bytes: manifest(`META-INF/timestamp00${number}.tst`, files),
    }),
    trust: Buffer.from(pemOf([...signer.chain, ...(await keyring.signer('time')).chain])),
    parts,
    all: () => [mimetype, letter, parts.manifest, parts.signature, parts.stampManifest, parts.stamp],
  }
}

export type AsicFlaw = {
  readonly parts: () => readonly ZipPart[] | Promise<readonly ZipPart[]>
  readonly finds: readonly string[]
  readonly alter?: (bytes: Uint8Array) => Uint8Array
}
export const asicFlaws = ({ parts, all, sign, stampOf }: AsicMaterial): Readonly<Record<string, AsicFlaw>> => ({
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
  'one signature named by two lists': {
    parts: () => [...all(), { ...parts.manifest, path: 'META-INF/ASiCManifest003.xml' }],
    finds: ['signature=signature_shared'],
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
  'a XAdES file that holds no signature': {
    parts: () => [...all(), { path: 'META-INF/signatures.xml', bytes: Buffer.from('<XAdESSignatures/>') }],
    finds: ['signature=no_signature'],
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
})
