import type { FoundFile } from '../../../../ui/files/found-files.ts'
import type { FileHashes } from '../../../../ui/hash/hash-blob.ts'
import type { HashFailureReason } from '../../../../ui/hash/hash-failure.ts'
import { isLarge, worthBeginning, type HashJob, type HashPool } from '../../../../ui/hash/hash-pool.ts'
import { makeSpeed } from './speed.ts'

export const fileStates = ['waiting', 'hashing', 'paused', 'hashed', 'failed'] as const
export type FileState = (typeof fileStates)[number]

/** One file on its way to a fingerprint. What changes, changes in place: a list of a hundred thousand is never copied. */
export type IntakeFile = {
  readonly id: number
  readonly path: string
  readonly size: number
  readonly state: FileState
  /** Bytes read. */
  readonly done: number
  readonly hashes: FileHashes | null
  readonly reason: HashFailureReason | null
  /** The first one of the same fingerprint. */
  readonly twin: string | null
}

export type IntakeGlance = {
  /** Another number, another state. */
  readonly version: number
  readonly counts: Readonly<Record<FileState, number>>
  readonly total: number
  readonly bytes: { readonly total: number; readonly done: number }
  /** Bytes in a second, over the last seconds; null while nothing is read. */
  readonly speed: number | null
  /** Of those with a fingerprint: how many another one has too. */
  readonly twins: number
  /** Folders are being read. */
  readonly finding: boolean
  /** Found beyond what one list takes. */
  readonly leftOut: number
}

export type HashedFile = { readonly id: number; readonly path: string; readonly size: number } & FileHashes

export type Intake = {
  readonly glance: () => IntakeGlance
  readonly onChange: (listener: () => void) => () => void
  readonly fileAt: (index: number) => IntakeFile | undefined
  /** Settled when all are taken: of many the page answers in between. @returns how many were found; null: all was cancelled meanwhile */
  readonly add: (found: Iterable<FoundFile>) => Promise<number | null>
  readonly addAll: (
    batches: (onUnreadable: (path: string) => void) => AsyncIterable<Iterable<FoundFile>>,
  ) => Promise<number | null>
  readonly pause: (id: number) => void
  readonly resume: (id: number) => void
  readonly again: (id: number) => void
  readonly remove: (id: number) => void
  readonly pauseAll: () => void
  readonly resumeAll: () => void
  readonly clear: () => void
  /** Those that have a fingerprint. @param once of twins only the first */
  readonly hashed: (once: boolean) => readonly HashedFile[]
  /** null: it cannot be had any more. */
  readonly fileOf: (id: number) => File | null
  /** They leave the list. */
  readonly letGo: (gone: readonly HashedFile[]) => void
  readonly end: () => void
}

export const mostFiles = 100_000

type Entry = { -readonly [Name in keyof IntakeFile]: IntakeFile[Name] } & {
  file: File | null
  readonly look: (() => Promise<File>) | null
  job: HashJob | null
  /** Of the attempt under way: what an earlier one still answers is not heard. */
  attempt: number
}

/** For so long files are taken before the page may answer: to know the size of one that was chosen the browser asks the disk. */
const turnMs = 40

/**
 * Files as they are given, hashed one after the other.
 * @param clock milliseconds that never go back
 * @param tell calls what shows the list, soon: many changes are shown at once
 * @param nextTask settled when the page has answered what waits
 */
export function makeIntake(
  pool: HashPool,
  clock: () => number,
  tell: (show: () => void) => void,
  nextTask: () => Promise<void>,
): Intake {
  let files: Entry[] = []
  let byId = new Map<number, Entry>()
  let cursor = 0
  let last = 0
  let finding = 0
  let leftOut = 0
  /** Of what is being taken: another one when all was cancelled. */
  let turn = 0
  let version = 0
  let twins = 0
  /** Large ones that wait or are being hashed. */
  let large = 0
  const bytes = { total: 0, done: 0 }
  const counts: Record<FileState, number> = { waiting: 0, hashing: 0, paused: 0, hashed: 0, failed: 0 }
  const speed = makeSpeed(clock)
  let firsts = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  let shown: IntakeGlance | null = null

  const show = () => {
    shown = null
    for (const listener of listeners) listener()
  }
  const changed = () => {
    version += 1
    tell(show)
  }
  /** Once more (1) or no longer (-1) among what is told of all. */
  const count = (entry: Entry, by: 1 | -1) => {
    counts[entry.state] += by
    if (isLarge(entry.size) && (entry.state === 'waiting' || entry.state === 'hashing')) large += by
  }
  const put = (entry: Entry, state: FileState) => {
    count(entry, -1)
    entry.state = state
    count(entry, 1)
    changed()
  }
  const advance = (entry: Entry, done: number) => {
    const more = done - entry.done
    bytes.done += more
    entry.done = done
    if (more > 0) speed.add(more)
    changed()
  }

  /** Of one content the first is that which stands first in the list, whichever was hashed first. */
  const compareWithOthers = (entry: Entry, sha256: string): void => {
    const first = firsts.get(sha256)
    if (first === undefined) {
      firsts.set(sha256, entry)
      return
    }
    twins += 1
    if (first.id < entry.id) entry.twin = first.path
    else {
      first.twin = entry.path
      firsts.set(sha256, entry)
    }
  }
  const begin = (entry: Entry): void => {
    const attempt = (entry.attempt += 1)
    put(entry, 'hashing')
    void hashOne(entry, attempt, pool).then((outcome) => {
      // Paused before it was begun, removed, or begun anew.
      if (outcome === null || entry.attempt !== attempt || byId.get(entry.id) !== entry) {
        pump()
        return
      }
      entry.job = null
      if (outcome.ok) {
        advance(entry, entry.size)
        entry.hashes = { sha256: outcome.sha256, sha512: outcome.sha512 }
        compareWithOthers(entry, outcome.sha256)
        put(entry, 'hashed')
      } else {
        advance(entry, 0)
        entry.reason = outcome.reason === 'cancelled' ? null : outcome.reason
        put(entry, 'failed')
      }
      pump()
    })
  }
  const hashOne = async (entry: Entry, attempt: number, from: HashPool) => {
    const { look } = entry
    let file = entry.file
    try {
      // As it is now, not as it was when it was dropped.
      if (look !== null) file = await look()
    } catch {
      return { ok: false as const, reason: 'unreadable' as const }
    }
    if (entry.attempt !== attempt) return null
    if (file === null) return { ok: false as const, reason: 'unreadable' as const }
    if (look !== null && file.size !== entry.size) {
      count(entry, -1)
      bytes.total += file.size - entry.size
      entry.size = file.size
      count(entry, 1)
    }
    entry.file = file
    const onProgress = (done: number) => {
      if (entry.attempt === attempt && byId.get(entry.id) === entry) advance(entry, done)
    }
    const job = from.hash(file, onProgress, { alone: large <= 1, size: entry.size })
    entry.job = job
    if (entry.state === 'paused') job.pause()
    const outcome = await job.outcome
    if (outcome.ok && entry.attempt === attempt && (await hasChanged(file, entry.size, look)))
      return { ok: false as const, reason: 'changed' as const }
    return outcome
  }
  const pump = (): void => {
    while (cursor < files.length) {
      const entry = files[cursor]
      if (entry === undefined || entry.state !== 'waiting') {
        cursor += 1
        continue
      }
      if (counts.hashing >= worthBeginning(entry.size)) return
      cursor += 1
      begin(entry)
    }
  }
  const append = (path: string, file: File | null, look: (() => Promise<File>) | null): void => {
    if (files.length >= mostFiles) {
      leftOut += 1
      return
    }
    const state = file === null ? 'failed' : 'waiting'
    const entry: Entry = {
      id: (last += 1),
      path,
      size: file?.size ?? 0,
      state,
      done: 0,
      hashes: null,
      reason: file === null ? 'unreadable' : null,
      twin: null,
      file,
      look,
      job: null,
      attempt: 0,
    }
    files.push(entry)
    byId.set(entry.id, entry)
    count(entry, 1)
    bytes.total += entry.size
  }
  const add = async (found: Iterable<FoundFile>): Promise<number> => {
    const mine = turn
    let began = clock()
    let taken = 0
    for (const { path, file, again } of found) {
      append(path, file, again)
      taken += 1
      if (clock() - began < turnMs) continue
      changed()
      pump()
      await nextTask()
      if (turn !== mine) return taken
      began = clock()
    }
    changed()
    pump()
    return taken
  }
  const addAll: Intake['addAll'] = async (batches) => {
    const mine = turn
    finding += 1
    changed()
    let taken = 0
    const onUnreadable = (path: string) => {
      append(path, null, null)
      taken += 1
    }
    try {
      for await (const batch of batches(onUnreadable)) {
        if (turn !== mine) return null
        taken += await add(batch)
      }
      return turn === mine ? taken : null
    } finally {
      finding -= 1
      changed()
    }
  }
  const keepOnly = (kept: Entry[]): void => {
    files = kept
    byId = new Map(kept.map((entry) => [entry.id, entry]))
    cursor = 0
    for (const state of fileStates) counts[state] = 0
    bytes.total = bytes.done = twins = leftOut = large = 0
    firsts = new Map()
    for (const entry of kept) {
      count(entry, 1)
      bytes.total += entry.size
      bytes.done += entry.done
      entry.twin = null
      if (entry.hashes === null) continue
      compareWithOthers(entry, entry.hashes.sha256)
    }
    changed()
    pump()
  }
  /** Of its content the next one takes its place. */
  const leaveOthers = (entry: Entry, sha256: string): void => {
    if (entry.twin !== null) {
      twins -= 1
      return
    }
    firsts.delete(sha256)
    const others = files.filter(({ hashes }) => hashes?.sha256 === sha256)
    twins -= others.length
    for (const other of others) {
      other.twin = null
      compareWithOthers(other, sha256)
    }
  }
  const pause = (entry: Entry): void => {
    if (entry.state !== 'waiting' && entry.state !== 'hashing') return
    entry.job?.pause()
    put(entry, 'paused')
  }
  const resume = (entry: Entry): void => {
    if (entry.state !== 'paused') return
    // Begun already, if only to look at it.
    const begun = entry.attempt > 0
    put(entry, begun ? 'hashing' : 'waiting')
    entry.job?.resume()
    if (!begun) cursor = 0
  }
  return {
    glance: () =>
      (shown ??= {
        version,
        counts: { ...counts },
        total: files.length,
        bytes: { ...bytes },
        speed: counts.hashing === 0 ? null : speed.now(),
        twins,
        finding: finding > 0,
        leftOut,
      }),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    fileAt: (index) => files[index],
    add: (found) =>
      addAll(async function* () {
        yield await Promise.resolve(found)
      }),
    addAll,
    pause: (id) => {
      const entry = byId.get(id)
      if (entry !== undefined) pause(entry)
      pump()
    },
    resume: (id) => {
      const entry = byId.get(id)
      if (entry !== undefined) resume(entry)
      pump()
    },
    again: (id) => {
      const entry = byId.get(id)
      if (entry === undefined || entry.state !== 'failed' || entry.file === null) return
      entry.reason = null
      entry.attempt = 0
      put(entry, 'waiting')
      cursor = 0
      pump()
    },
    remove: (id) => {
      const gone = byId.get(id)
      if (gone === undefined) return
      gone.attempt += 1
      gone.job?.cancel()
      const at = files.indexOf(gone)
      files.splice(at, 1)
      byId.delete(id)
      if (at < cursor) cursor -= 1
      count(gone, -1)
      bytes.total -= gone.size
      bytes.done -= gone.done
      if (gone.hashes !== null) leaveOthers(gone, gone.hashes.sha256)
      changed()
      pump()
    },
    pauseAll: () => {
      for (const entry of files) pause(entry)
    },
    resumeAll: () => {
      for (const entry of files) resume(entry)
      pump()
    },
    clear: () => {
      turn += 1
      for (const entry of files) {
        entry.attempt += 1
        entry.job?.cancel()
      }
      keepOnly([])
    },
    hashed: (once) =>
      files.flatMap(({ id, path, size, hashes, twin }) =>
        hashes === null || (once && twin !== null) ? [] : [{ id, path, size, ...hashes }],
      ),
    fileOf: (id) => byId.get(id)?.file ?? null,
    letGo: (gone) => {
      const fingerprints = new Set(gone.map(({ sha256 }) => sha256))
      keepOnly(files.filter(({ hashes }) => hashes === null || !fingerprints.has(hashes.sha256)))
    },
    end: () => {
      turn += 1
      for (const entry of files) entry.attempt += 1
      keepOnly([])
      pool.end()
    },
  }
}

/** The second look: whether it is still the file that was read. @returns true also when that cannot be told any more */
async function hasChanged(file: File, size: number, look: (() => Promise<File>) | null): Promise<boolean> {
  try {
    if (look !== null) {
      const now = await look()
      return now.size !== file.size || now.lastModified !== file.lastModified
    }
    // A browser refuses to read on in a file that is no longer the one that was chosen (File API §7.1, snapshot state).
    if (size > 0) await file.slice(0, 1).arrayBuffer()
    return false
  } catch {
    return true
  }
}
