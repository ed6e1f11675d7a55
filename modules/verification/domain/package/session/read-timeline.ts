/**
 * `capture/timeline.jsonl` (docs/package-format.md, decision 0209) computed again: a line each, every line with the SHA-256 of the line
 * before it. Read in slices: memory depends on the longest line and on how many groups of pictures it names.
 */
import { utf8 } from '../../../../../kernel/bytes.ts'
import { parseCanonicalJson, type Json } from '../../encoding/canonical-json.ts'
import { slicesOf, VerificationStopped, type Readable } from '../../file/readable.ts'
import { type VerifyDeps } from '../../known/verify-deps.ts'
import { sha256Hex } from './recompute-rolling-hash.ts'
import type { PictureGroup } from './picture-group.ts'

const largestTimeline = 128 << 20
const longestLine = 8 << 20
const mostLines = 200_000
const mostGroups = 20_000
const mostNamed = 20_000

export type ReadTimeline = {
  readonly entries: number
  /** Digest of each line that was asked for, by its number. */
  readonly heads: ReadonlyMap<number, string>
  readonly groups: readonly PictureGroup[]
  /** Pieces that lines name with their digest. */
  readonly named: readonly { readonly path: string; readonly sha256: string }[]
  /** `video` of the last line, when it says what was recorded. */
  readonly last: Readonly<Record<string, Json>>
}

/** @throws RangeError with the reason as its message: `timeline_chain`, `timeline_end` or another, which is malformed; VerificationStopped */
export async function readTimeline(
  file: Readable,
  wanted: ReadonlySet<number>,
  deps: Pick<VerifyDeps, 'signal' | 'pause'>,
): Promise<ReadTimeline> {
  if (file.size > largestTimeline) throw new RangeError('too long')
  const heads = new Map<number, string>()
  const groups: PictureGroup[] = []
  const named: { path: string; sha256: string }[] = []
  let entries = 0
  let previous: string | null = null
  let last: Readonly<Record<string, Json>> = {}
  const line = (bytes: Uint8Array): void => {
    const entry = object(parseCanonicalJson(bytes))
    const keys = Object.keys(entry).join()
    if (keys !== 'at,data,ms,n,previous,type' || entries === mostLines) throw new RangeError('members')
    if (entry['n'] !== entries + 1 || entry['previous'] !== previous) throw new RangeError('timeline_chain')
    entries += 1
    previous = sha256Hex(bytes)
    if (wanted.has(entries)) heads.set(entries, previous)
    last = entry
    const data = object(entry['data'])
    if (entry['type'] === 'video' && data['group'] !== undefined) {
      if (groups.push(readGroup(data['group'])) > mostGroups) throw new RangeError('groups')
    }
    const pieces = data['pieces']
    for (const piece of Array.isArray(pieces) ? (pieces as readonly Json[]) : []) {
      const { path, sha256 } = object(piece)
      if (typeof path !== 'string' || typeof sha256 !== 'string' || named.push({ path, sha256 }) > mostNamed)
        throw new RangeError('pieces')
    }
  }
  let held = utf8('')
  for await (const slice of slicesOf(file, { offset: 0, length: file.size }, 1 << 20)) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    const bytes = new Uint8Array(held.length + slice.length)
    bytes.set(held)
    bytes.set(slice, held.length)
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      line(bytes.subarray(from, end))
      from = end + 1
    }
    held = bytes.slice(from)
    if (held.length > longestLine) throw new RangeError('too long')
    await deps.pause?.()
  }
  // Every line ends: one that does not was cut. The last says that nothing follows.
  if (held.length > 0 || last['type'] !== 'end') throw new RangeError('timeline_end')
  return { entries, heads, groups, named, last }
}

const counts = ['group', 'first_frame', 'frames', 'first_packet', 'packets', 'from_us', 'last_us'] as const
const digests = ['config', 'video', 'audio', 'chain'] as const

function readGroup(value: Json | undefined): PictureGroup {
  const group = object(value)
  const holds =
    counts.every((name) => Number.isSafeInteger(group[name]) && Number(group[name]) >= 0) &&
    digests.every((name) => typeof group[name] === 'string' && /^[0-9a-f]{64}$/.test(group[name]))
  if (!holds) throw new RangeError('group')
  return group as unknown as PictureGroup
}

function object(value: Json | undefined): Readonly<Record<string, Json>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new RangeError('not an object')
  return value as Readonly<Record<string, Json>>
}
