import { isComplete, isWaiting, type JournalState, type Kept, type Wanted } from './journal-state.ts'

/** What a look at a watched folder found. */
export type Seen = {
  readonly paths: { has(path: string): boolean }
  /** Of proofs that are in the folder. */
  readonly stems: { has(stem: string): boolean }
}

const dayMs = 24 * 60 * 60 * 1000
/** A folder of a network may be empty for a while: what was in it would be deposited anew. */
const goneForMs = 30 * dayMs
/** The proofs of the anchor are no longer waited for. */
const anchorsForMs = 90 * dayMs

/** Of a version 7 UUID (RFC 9562 §5.7), milliseconds. */
const instantOf = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)

/** Whether nothing more is to be done for that content of that file. */
function isSettled(kept: Kept, wanted: Wanted | undefined, now: Date): boolean {
  if (wanted === undefined || wanted.lost !== null) return true
  return isComplete(kept) && (kept.proofs.size === 4 || instantOf(wanted.mark) < now.getTime() - anchorsForMs)
}

/**
 * Forgets contents that no file of the folder holds any more, because it changed or has been gone for thirty days, once all was done for them. Their
 * deposits and proofs stay where they are; a file that holds such a content again is deposited again.
 * @returns how many contents
 */
export function forgetContents(state: JournalState, seen: Seen, now: Date): number {
  const { looks, gone, kept, wanted, stems } = state
  for (const path of looks.keys()) {
    const since = gone.get(path)
    if (seen.paths.has(path)) gone.delete(path)
    else if (since === undefined) gone.set(path, now.toISOString())
    else if (Date.parse(since) <= now.getTime() - goneForMs) {
      looks.delete(path)
      gone.delete(path)
    }
  }
  for (const [key, each] of kept) {
    const isHeld = looks.get(each.path)?.sha256 === each.sha256
    if (!isHeld && isSettled(each, wanted.get(each.sha256), now)) kept.delete(key)
  }
  const held = new Set([...kept.values()].map(({ sha256 }) => sha256))
  for (const each of wanted.values()) if (isWaiting(each) && each.after !== null) held.add(each.after)
  let forgotten = 0
  for (const sha256 of wanted.keys()) {
    if (held.has(sha256)) continue
    wanted.delete(sha256)
    forgotten += 1
  }
  const places = new Set([...kept.values()].map(({ stem }) => stem))
  for (const stem of stems) if (!places.has(stem) && !seen.stems.has(stem)) stems.delete(stem)
  return forgotten
}
