import { digests } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import { digestPart } from '../file/digest-part.ts'
import { VerificationStopped } from '../file/readable.ts'
import type { Readable } from '../file/readable.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { readEntry } from './read-any-zip.ts'
import type { AnyEntry } from './read-any-zip.ts'

/** What is compressed is unpacked whole, so it may not be longer. */
export const largestUnpacked = 64 << 20
const slice = 1 << 20

/**
 * What was computed of an entry, failures too: a list of ten thousand lines may name one entry of 64 MiB in each, and the same octets
 * are unpacked and hashed once.
 */
const computed = new WeakMap<AnyEntry, Map<DigestName, Promise<Uint8Array>>>()

/** Digest of an entry's bytes; those that are stored are read in slices. @throws MalformedError for one that cannot be unpacked. */
export async function digestEntry(file: Readable, entry: AnyEntry, name: DigestName, deps: VerifyDeps): Promise<Uint8Array> {
  const known = computed.get(entry) ?? new Map<DigestName, Promise<Uint8Array>>()
  computed.set(entry, known)
  const found = known.get(name) ?? digestOf(file, entry, name, deps)
  known.set(name, found)
  return await found
}

async function digestOf(file: Readable, entry: AnyEntry, name: DigestName, deps: VerifyDeps): Promise<Uint8Array> {
  if (entry.method !== 0) return digests[name](await readEntry(file, entry, largestUnpacked))
  if (name === 'sha256') return (await digestPart(file, [{ offset: entry.dataAt, length: entry.size }], deps)).sha256
  const hasher = digests[name].create()
  for (let at = 0; at < entry.size; at += slice) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    hasher.update(await file.read(entry.dataAt + at, Math.min(slice, entry.size - at)))
    await deps.pause?.()
  }
  return hasher.digest()
}
