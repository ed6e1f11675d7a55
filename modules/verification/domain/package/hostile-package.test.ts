import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { concatBytes } from '../../../../kernel/bytes.ts'
import { zipOfEntries } from '../../../../testing/package-of-every-proof.ts'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import { fingerprintsOf } from '../../../../testing/verify-compared.ts'
import { openPackage } from './contents/open-package.ts'
import type { OpenedPackage } from './contents/open-package.ts'
import type { PackageSource } from '../file/package-source.ts'
import { manifestRoot, readManifest } from '../manifest/read-manifest.ts'
import { readZip } from '../zip/read-zip.ts'
import type { ZipEntry } from '../zip/read-zip.ts'
import { hostSha256, verifyPackage } from '../../server/index.ts'
import { below, share } from '../../../../testing/sweep.ts'

const deps = { now: () => new Date(), sha256: hostSha256 }
let dir: string
let zip: Uint8Array
let root: string
let entries: readonly ZipEntry[]

const source = (bytes: Uint8Array): PackageSource => ({
  kind: 'zip',
  file: {
    size: bytes.length,
    read: async (at, length) => {
      if (at < 0 || length < 0 || !Number.isSafeInteger(at + length) || at + length > bytes.length)
        throw new RangeError(`read of ${length} at ${at}`)
      return bytes.subarray(at, at + length)
    },
  },
})

const entriesOf = async (bytes: Uint8Array) =>
  (await readZip({ size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) })).entries

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostile-package-'))
  const pieces = [{ path: 'capture/page.html', role: 'dom' as const, bytes: Buffer.from('<p>hello') }]
  ;({ zip, root } = await sealedPackage({ keys: join(dir, 'keys'), pieces }))
  entries = await entriesOf(zip)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Octets that readers of lengths and places trip over. */
const edges = [0x00, 0x01, 0x7f, 0x80, 0xff]

function altered(whole: Uint8Array, next: (limit: number) => number, from = 0, to = whole.length): Uint8Array {
  const bytes = whole.slice()
  for (let edits = 1 + next(4); edits > 0; edits -= 1) {
    const at = from + next(to - from)
    bytes[at] = next(2) === 0 ? (bytes[at] ?? 0) ^ (1 << next(8)) : (edges[next(edges.length)] ?? 0)
  }
  return bytes
}

/** Where the container speaks of itself: its directory, and the header of each entry. */
function structure(
  within: readonly ZipEntry[],
  size: number,
  next: (limit: number) => number,
): readonly [from: number, to: number] {
  const last = within.at(-1)
  const entry = within[next(within.length * 2)]
  return entry === undefined ? [last === undefined ? 0 : last.dataAt + last.size, size] : [entry.headerAt, entry.dataAt]
}

test(`${share(10_000)} altered containers: each that is not the original has a flaw or is remarked, and none is thrown at`, async () => {
  const next = below(7)
  // Without its reports, so that it is read thousands of times in seconds.
  const short = entries.filter(({ size }) => size < 2000)
  const small = await zipOfEntries(short.map(({ path, dataAt, size }) => [path, zip.subarray(dataAt, dataAt + size)]))
  const places = await entriesOf(small)
  expect(places.length).toBeGreaterThan(10)
  const digestsOf = (read: OpenedPackage['entries']): string => [...read].map(([path, { sha256 }]) => `${path} ${sha256}`).join()
  const digests = digestsOf((await openPackage(source(small), deps)).entries)
  const unseen: number[] = []
  const escaped: string[] = []
  for (let i = 0; i < share(10_000); i += 1) {
    const kind = i % 10
    const [from, to] = kind < 7 ? structure(places, small.length, next) : [0, small.length]
    let bytes = altered(small, next, from, to)
    // Cut, or with a part of itself in front.
    if (kind === 8) bytes = bytes.subarray(0, next(bytes.length))
    if (kind === 9) bytes = concatBytes(small.subarray(0, next(64)), bytes)
    const same = Buffer.compare(bytes, small) === 0
    try {
      const { flaws, remade, entries: read } = await openPackage(source(bytes), deps)
      if ((flaws.length === 0 && !remade) !== same) unseen.push(i)
      // What is remarked and no flaw has each octet of what was sealed, by its name.
      if (flaws.length === 0 && remade && digestsOf(read) !== digests) unseen.push(i)
    } catch (error) {
      escaped.push(`${i}: ${String(error)}`)
    }
  }
  expect([unseen, escaped]).toEqual([[], []])
  const compared = { ...deps, fingerprints: await fingerprintsOf(source(zip), deps) }
  expect((await verifyPackage(source(zip), compared)).verdict).toBe('TOTAL-PASSED')
  for (let i = 0; i < 10; i += 1) {
    const bytes = altered(zip, next, ...structure(entries, zip.length, next))
    const same = Buffer.compare(bytes, zip) === 0
    const { verdict, remade } = await verifyPackage(source(bytes), compared)
    expect(verdict === 'TOTAL-PASSED' && !remade).toBe(same)
  }
})

/** The container as it would be, had the entry these bytes: nothing of it is wrong. */
function withEntry({ path, headerAt, dataAt, size }: ZipEntry, content: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip)
  bytes.set(content, dataAt)
  const sum = crc32(content)
  bytes.writeUInt32LE(sum, headerAt + 14)
  const central = bytes.lastIndexOf(Buffer.from(path, 'latin1')) - 46
  if (content.length !== size || bytes.readUInt32LE(central) !== 0x02014b50) throw new Error(`${path} is not in the directory`)
  bytes.writeUInt32LE(sum, central + 16)
  return bytes
}

test(`${share(10_000)} altered manifests in a container that is sound: none has the root that was sealed`, async () => {
  const next = below(11)
  const place = entries.find(({ path }) => path === 'manifest.json')
  if (place === undefined) throw new Error('no manifest')
  const manifest = zip.subarray(place.dataAt, place.dataAt + place.size)
  const passes = (bytes: Uint8Array): boolean => {
    const { subject, pieces, root: stated } = readManifest(bytes)
    return stated === root && manifestRoot(subject, pieces) === root
  }
  expect(passes(manifest)).toBe(true)
  const unseen: number[] = []
  let read = 0
  for (let i = 0; i < share(10_000); i += 1) {
    // Half of them stay in the values of a JSON text, so that more than its parser is tried.
    const bytes = i % 2 === 0 ? altered(manifest, next) : valueOf(manifest, next)
    const same = Buffer.compare(bytes, manifest) === 0
    try {
      if (passes(bytes) !== same) unseen.push(i)
      read += 1
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
    if (i % share(1000) !== 1 || same) continue
    const forged = source(withEntry(place, bytes))
    expect((await openPackage(forged, deps)).flaws).toEqual([])
    if ((await verifyPackage(forged, deps)).verdict !== 'TOTAL-FAILED') unseen.push(i)
  }
  expect(unseen).toEqual([])
  expect(read).toBeGreaterThan(share(1000))
})

/** A letter or a digit becomes another. */
function valueOf(whole: Uint8Array, next: (limit: number) => number): Uint8Array {
  const bytes = whole.slice()
  const isWord = (octet: number): boolean => (octet >= 48 && octet <= 57) || (octet >= 97 && octet <= 122)
  let at = next(bytes.length)
  while (!isWord(bytes[at] ?? 0)) at = (at + 1) % bytes.length
  bytes[at] = (bytes[at] ?? 0) <= 57 ? 48 + next(10) : 97 + next(6)
  return bytes
}

test('every other entry altered in a container that is sound is seen by what covers it', async () => {
  const next = below(13)
  for (const place of entries) {
    const content = zip.subarray(place.dataAt, place.dataAt + place.size)
    const at = next(content.length)
    const forged = source(withEntry(place, content.with(at, (content[at] ?? 0) ^ (1 << next(8)))))
    expect((await openPackage(forged, deps)).flaws).toEqual([])
    const { verdict } = await verifyPackage(forged, deps)
    // A certificate of a token that the token does not need holds nothing up: what nobody vouches for is no conclusion.
    const allowed = place.path.endsWith('.tst') ? ['TOTAL-FAILED', 'INDETERMINATE'] : ['TOTAL-FAILED']
    expect(allowed, place.path).toContain(verdict)
  }
})

test('a damaged chain of a list is said to be that, though its root still has the key that signed', async () => {
  const place = entries.find(({ path }) => path === 'META-INF/timestamp002-ca.pem')
  if (place === undefined) throw new Error('no chain')
  const chain = Buffer.from(zip.subarray(place.dataAt, place.dataAt + place.size)).toString('latin1')
  // Within the root's own signature.
  const at = chain.lastIndexOf('\n-----END') - 12
  const other = chain.slice(0, at) + (chain.charAt(at) === 'A' ? 'B' : 'A') + chain.slice(at + 1)
  const { checks, verdict } = await verifyPackage(source(withEntry(place, Buffer.from(other, 'latin1'))), deps)
  expect(verdict).toBe('TOTAL-FAILED')
  const found = checks.filter(({ id, status }) => id === 'cover_timestamp' && status !== 'passed')
  expect(found.map(({ subject, status, data }) => [subject, status, data['reason']])).toEqual([[place.path, 'failed', 'differs']])
})
