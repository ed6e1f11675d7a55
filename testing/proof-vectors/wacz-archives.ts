import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { zipOf } from '../write-zip.ts'
import type { ZipPart } from '../write-zip.ts'

/** Web archives made here, and what a test wants changed in them. */
export const sha = (bytes: Uint8Array | string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const key = generateKeyPairSync('ec', { namedCurve: 'P-384' })
export const created = `${new Date().toISOString().slice(0, 19)}Z`

export const pieces: readonly ZipPart[] = [
  { path: 'archive/data.warc.gz', bytes: Buffer.from('WARC/1.1') },
  { path: 'pages/pages.jsonl', bytes: Buffer.from('{"format":"json-pages-1.0"}\n'), deflate: true },
]

/** datapackage.json of the two pieces. */
export function datapackage(list: object = {}): Uint8Array {
  const resources = pieces.map(({ path, bytes }) => ({ name: path, path, hash: sha(bytes), bytes: bytes.length }))
  const found = { profile: 'data-package', wacz_version: '1.1.1', software: 'probant', created, resources, ...list }
  return Buffer.from(JSON.stringify(found))
}

export type MadeArchive = {
  readonly files?: readonly ZipPart[]
  readonly list?: object
  readonly digest?: object | null
  /** Members of `signedData` that are others; null: not signed. */
  readonly signed?: object | null
  /** `signedData` of the form of a domain. */
  readonly ofDomain?: object
}

/** An archive of the anonymous form (WACZ Signing and Verification 0.1.0 §2.2.1) unless told otherwise. */
export function archive({ files, list, digest, signed, ofDomain }: MadeArchive = {}): Uint8Array {
  const bytes = datapackage(list)
  const hash = sha(bytes)
  const anonymous = {
    hash,
    created,
    software: 'probant',
    version: '0.1.0',
    signature: sign('sha256', Buffer.from(hash), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64'),
    publicKey: key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  }
  const own = { ...(ofDomain ?? anonymous), ...signed }
  const kept = { path: 'datapackage.json', hash, ...(signed === null ? {} : { signedData: own }), ...digest }
  return zipOf([
    ...(files ?? pieces),
    { path: 'datapackage.json', bytes },
    ...(digest === null ? [] : [{ path: 'datapackage-digest.json', bytes: Buffer.from(JSON.stringify(kept)) }]),
  ])
}
