import { readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../kernel/clock.ts'
import { collectProofs } from './collect-proofs.ts'
import { depositWanted, freshOf, noteFile, type Known } from './deposit-wanted.ts'
import { fingerprintOf, lookAt, NotHashed, type Look } from './fingerprint.ts'
import type { JournalLine } from './journal-lines.ts'
import { isComplete, keptKey, type Kept } from './journal-state.ts'
import type { StampOptions } from './options.ts'
import { Unreachable } from './call-server.ts'
import { collectingOf, exitCodes, unchained, type StampDeps } from './stamp-files.ts'
import { isUnderWay, settleCopies, uploadCopies, type UploadDeps } from './upload-copies.ts'
import { ownOutput } from './write-proof.ts'

/** How long nobody is called who did not answer, at first and at most. */
const firstRestMs = 1000
const longestRestMs = 300_000
/** Proofs of the anchor come within hours; so many files are asked about at a time. */
const anchorsEveryMs = 15 * 60_000
const anchorsAtATime = 1000
/** How long files are uploaded before the folder is looked at again; a piece that was begun is sent. */
const uploadsForMs = 10_000
/** Copies of which it is asked at once whether they were compared. */
const comparedAtATime = 20
/** What is noted at once, while much is read. */
const notedTogether = 64

type Looked = {
  readonly paths: Map<string, Look>
  /** Of the proofs that are there. */
  readonly stems: Set<string>
}

/**
 * Regular files below a folder, as they look now. What begins with a dot, links and what was written as a proof are left out; what goes
 * away meanwhile, or may not be read, is not there.
 */
async function look(folder: string, stems: ReadonlySet<string>, signal: AbortSignal): Promise<Looked> {
  const found: Looked = { paths: new Map(), stems: new Set() }
  const folders = [folder]
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    signal.throwIfAborted()
    const entries = await readdir(inside, { withFileTypes: true }).catch((error: unknown) => {
      // The folder itself must be there: else all would seem deleted, and nothing wrong.
      if (inside === folder) throw error
      return []
    })
    for (const entry of entries) {
      const path = join(inside, entry.name)
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) folders.push(path)
      if (!entry.isFile()) continue
      const stem = ownOutput(path, stems)
      if (stem !== null) {
        found.stems.add(stem)
        continue
      }
      const seen = await lookAt(path).catch(() => null)
      if (seen !== null) found.paths.set(path, seen.look)
    }
  }
  return found
}

const nothing = (): Looked => ({ paths: new Map(), stems: new Set() })

export type WatchDeps = StampDeps & {
  /** Absolute. */
  readonly folder: string
  /** Between two looks; absent: that long. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly clock?: Clock
}

/**
 * `probant stamp --watch FOLDER`: whatever is in it, and whatever comes or changes, is time stamped once it looked the same twice. Ends
 * when it is told to; killed, it goes on where it was.
 * @returns the exit code. @throws Refused, errors of the journal's file, and of the folder when it begins
 */
export async function watchFolder(deps: WatchDeps, options: StampOptions): Promise<number> {
  const { journal, report, signal, folder } = deps
  const { out } = options
  const clock = deps.clock ?? { now: () => new Date() }
  const pause = deps.pause ?? (async (ms, ending) => await sleep(ms, undefined, { signal: ending }))
  const complained = new Set<string>()
  const isOpen = (kept: Kept) => !isComplete(kept) && journal.wanted.get(kept.sha256)?.lost === null
  const open = new Set<Kept>([...journal.kept.values()].filter(isOpen))
  const server = serverTurn(deps, open)
  let before = nothing()
  let away = false
  try {
    let now = await look(folder, journal.stems, signal)
    report.say('document.command.watching', { folder })
    for (;;) {
      const steady = [...now.paths].filter(
        ([path, seen]) => before.paths.get(path) === seen && journal.looks.get(path)?.look !== seen,
      )
      for (let at = 0; at < steady.length; at += notedTogether) await note(steady.slice(at, at + notedTogether))
      if (!away) await server()
      if (!away && journal.isLong()) {
        const count = await journal.shorten(now, clock.now())
        if (count > 0) report.say('document.command.forgotten', { count })
      }
      await pause(options.everyMs, signal)
      before = now
      now = await lookAgain()
    }
  } catch (error) {
    if (signal.aborted) return exitCodes.done
    throw error
  }

  /** A folder that is not there for a while, of a network say, is no reason to end: what was seen of it is forgotten, and looked at anew. */
  async function lookAgain(): Promise<Looked> {
    try {
      const seen = await look(folder, journal.stems, signal)
      if (away) {
        report.say('document.command.watching', { folder })
        for (const kept of journal.kept.values()) if (isOpen(kept)) open.add(kept)
      }
      away = false
      return seen
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined || signal.aborted) throw error
      if (!away) report.say('document.command.no_folder', { folder, reason: code })
      away = true
      return nothing()
    }
  }

  async function note(steady: readonly (readonly [path: string, seen: Look])[]): Promise<void> {
    const lines: JournalLine[] = []
    const fresh = new Map<string, Known>()
    for (const [path, seen] of steady) {
      const print = await readFile(path, seen)
      if (print === null) continue
      const base = out === null ? path : join(resolve(out), relative(folder, path))
      const known = (sha256: string) => fresh.get(sha256) ?? journal.wanted.get(sha256)
      const after = options.chained ? (journal.looks.get(path)?.sha256 ?? null) : null
      const more = noteFile(known, { path, base, after }, print, options)
      lines.push(...more)
      for (const each of freshOf(more)) fresh.set(print.sha256, each)
    }
    await journal.add(lines)
    for (const each of lines) {
      const kept = each.t === 'file' ? journal.kept.get(keptKey(each.path, each.sha256)) : undefined
      if (kept !== undefined && isOpen(kept)) open.add(kept)
    }
  }

  async function readFile(path: string, seen: Look) {
    try {
      return await fingerprintOf(path, signal)
    } catch (error) {
      if (!(error instanceof NotHashed)) throw error
      const complaint = `${path} ${seen} ${error.reason}`
      // It goes on changing, or went away: the next look says so.
      if (error.code === 'unreadable' && error.reason !== 'ENOENT' && !complained.has(complaint)) {
        complained.add(complaint)
        report.unread(path, error.code, error.reason)
      }
      return null
    }
  }
}

/** One round with the server: deposits what waits, gets what proofs there are. One that does not answer is let rest, longer each time. */
function serverTurn(deps: StampDeps, open: Set<Kept>): () => Promise<void> {
  const { journal, calls, report } = deps
  const collecting = collectingOf(deps)
  const complained = new Set<string>()
  let [restMs, restUntil] = [0, 0]
  let anchorsFrom = 0
  let anchorsAt = performance.now()
  return async () => {
    if (performance.now() < restUntil) return
    try {
      await depositWanted(journal, calls, unchained(deps))
      await collectOpen()
      await keepCopies()
      if (performance.now() >= anchorsAt) {
        anchorsAt = performance.now() + anchorsEveryMs
        const lacking = [...journal.kept.values()].filter((kept) => isComplete(kept) && !kept.proofs.has('ots'))
        if (anchorsFrom >= lacking.length) anchorsFrom = 0
        await collectProofs(collecting, lacking.slice(anchorsFrom, anchorsFrom + anchorsAtATime))
        anchorsFrom += anchorsAtATime
      }
      if (restMs > 0) report.say('document.command.reached')
      ;[restMs, restUntil] = [0, 0]
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      if (restMs === 0) report.say('document.command.unreachable', { reason: error.message })
      restMs = Math.min(restMs === 0 ? firstRestMs : restMs * 2, longestRestMs)
      restUntil = performance.now() + restMs
    }
  }

  async function collectOpen(): Promise<void> {
    const entries = [...open]
    const outcomes = entries.length === 0 ? [] : await collectProofs(collecting, entries)
    for (const [i, kept] of entries.entries()) {
      const outcome = outcomes[i]
      if (outcome === undefined || outcome.state === 'pending') continue
      open.delete(kept)
      report.ended(journal, kept, outcome)
    }
  }
  /** Files are uploaded a while at a time: what comes meanwhile is not kept waiting for them. */
  async function keepCopies(): Promise<void> {
    const until = performance.now() + uploadsForMs
    const uploading: UploadDeps = { ...deps, complained, isOver: () => performance.now() >= until }
    const underWay = [...journal.wanted.values()].filter(isUnderWay)
    if (underWay.length === 0) return
    await settleCopies(uploading, underWay.filter(({ copy }) => copy?.state === 'sent').slice(0, comparedAtATime))
    await uploadCopies(uploading, underWay)
    const ended = new Set(underWay.filter((each) => !isUnderWay(each)).map(({ sha256 }) => sha256))
    if (ended.size === 0) return
    for (const kept of journal.kept.values())
      if (ended.has(kept.sha256) && isComplete(kept)) report.ended(journal, kept, { state: 'written' })
  }
}
