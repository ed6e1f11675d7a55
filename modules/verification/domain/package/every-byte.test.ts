import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import { draw } from '../../../../testing/sweep.ts'
import { covers } from '../manifest/package-layout.ts'
import { readAsicManifest } from '../manifest/read-asic-manifest.ts'
import { manifestRoot, readManifest } from '../manifest/read-manifest.ts'
import type { SealFacts } from '../report/package-report.ts'
import { readZip } from '../zip/read-zip.ts'
import { verifyCover } from './seal/verify-cover.ts'
import { pemOrNone, verifyRootSignature, verifyRootTimestamp, verifySealRecord } from './seal/verify-seal.ts'

const small = new Map<string, Uint8Array>()
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'every-byte-'))
  const { zip } = await sealedPackage({
    keys: join(dir, 'keys'),
    pieces: [{ path: 'capture/page.html', role: 'dom', bytes: Buffer.from('<p>hello') }],
  })
  const { entries } = await readZip({ size: zip.length, read: async (at, length) => zip.subarray(at, at + length) })
  for (const { path, dataAt, size } of entries) small.set(path, zip.subarray(dataAt, dataAt + size))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const of = (path: string): Uint8Array => {
  const bytes = small.get(path)
  if (bytes === undefined) throw new Error(`${path} is not in the package`)
  return bytes
}
const now = new Date()
const tsr = 'seal/timestamp-1.tsr'
const signatureHolds = (signature: Uint8Array, platform: Uint8Array) =>
  verifyRootSignature(signature, of('seal/root.bin'), pemOrNone(platform), now)
const tokenHolds = (token: Uint8Array, root: Uint8Array, chain: Uint8Array) =>
  verifyRootTimestamp(tsr, token, root, pemOrNone(chain))

function sealFacts(): SealFacts {
  const { facts } = signatureHolds(of('seal/signature.p7s'), of('seal/platform-ca.pem'))
  const token = tokenHolds(of(tsr), of('seal/root.bin'), of('seal/timestamp-1-ca.pem')).facts
  if (facts === undefined || token === undefined) throw new Error('the package does not hold')
  const { signer, authority, signedAt } = facts
  return {
    root: Buffer.from(of('seal/root.bin')).toString('hex'),
    signed_at: signedAt?.toISOString() ?? null,
    signer: { name: signer.name, serial: signer.serial, sha256: signer.sha256 },
    platform_authority_sha256: authority.sha256,
    timestamps: [token],
    qualified: false,
  }
}

function manifestHolds(bytes: Uint8Array): boolean {
  try {
    const { subject, pieces, root } = readManifest(bytes)
    const found = manifestRoot(subject, pieces)
    return found === root && found === Buffer.from(of('seal/root.bin')).toString('hex')
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const coverHolds = (path: string, bytes: Uint8Array): boolean => {
  const changed = new Map(small).set(path, bytes)
  return covers.every((paths) => {
    // Only the list that the entry belongs to can notice.
    if (!Object.values(paths).includes(path as (typeof paths)['xml'])) return true
    return verifyCover(paths, changed, [], []).checks.every(({ status }) => status === 'passed')
  })
}

/** By entry: does the check that reads it, and nothing else, still pass? */
const holds: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  'manifest.json': manifestHolds,
  'README.txt': () => true,
  'seal/root.bin': (bytes) => tokenHolds(of(tsr), bytes, of('seal/timestamp-1-ca.pem')).check.status === 'passed',
  'seal/signature.p7s': (bytes) => signatureHolds(bytes, of('seal/platform-ca.pem')).check.status === 'passed',
  'seal/platform-ca.pem': (bytes) => signatureHolds(of('seal/signature.p7s'), bytes).check.status === 'passed',
  [tsr]: (bytes) => tokenHolds(bytes, of('seal/root.bin'), of('seal/timestamp-1-ca.pem')).check.status === 'passed',
  'seal/timestamp-1-ca.pem': (bytes) => tokenHolds(of(tsr), of('seal/root.bin'), bytes).check.status === 'passed',
  'seal/seal.json': (bytes) => verifySealRecord(bytes, sealFactsOnce()).status === 'passed',
}
let facts: SealFacts | undefined
const sealFactsOnce = (): SealFacts => (facts ??= sealFacts())

/** Offsets whose flipped octet the check does not notice, of those that were drawn and of `also`; the bit turns with the offset. */
function unseen(path: string, still: (bytes: Uint8Array) => boolean, also: readonly number[] = []): number[] {
  const whole = of(path)
  expect(still(whole), `${path} holds before it is altered`).toBe(true)
  const tried = new Set([...also, ...draw(Array.from(whole.keys()))])
  return [...tried].filter((at) => still(whole.with(at, (whole[at] ?? 0) ^ (1 << (at % 8)))))
}

describe('every byte flipped, a tenth of them for each commit', { timeout: 300_000 }, () => {
  test.each(Object.keys(holds))('%s: seen by its own check, or else by the digest of the first list', (path) => {
    const references = readAsicManifest(of('META-INF/ASiCManifest001.xml')).references
    const listed = references.find((each) => each.path === path)?.sha256
    const whole = of(path)
    const still = holds[path]
    const granted = 8
    const left = still === undefined ? [] : unseen(path, still, path === tsr ? [granted] : [])
    // What the signature, the token and the Merkle root speak of is never left to the list.
    if (['manifest.json', 'seal/root.bin', 'seal/signature.p7s', 'seal/seal.json'].includes(path)) expect(left).toEqual([])
    // Of a response, only the last octet of PKIStatus: granted, or granted with modifications (RFC 3161 §2.4.2).
    if (path === tsr) expect(left).toEqual([granted])
    expect(createHash('sha256').update(whole).digest('hex')).toBe(listed)
    for (const at of left)
      expect(
        createHash('sha256')
          .update(whole.with(at, (whole[at] ?? 0) ^ (1 << (at % 8))))
          .digest('hex'),
      ).not.toBe(listed)
  })

  test.each(Object.values(covers[0]))('%s, which no list names, is seen by its own check', (path) => {
    expect(unseen(path, (bytes) => coverHolds(path, bytes))).toEqual([])
  })
})
