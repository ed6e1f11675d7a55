import { readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectProofs, isComplete, type CollectDeps } from './collect-proofs.ts'
import { depositWanted, noteFile } from './deposit-wanted.ts'
import { fingerprintOf, lookAt, NotHashed, type Look } from './fingerprint.ts'
import { keptKey, type Journal, type JournalLine, type Kept } from './journal.ts'
import type { StampOptions } from './options.ts'
import { Unreachable } from './server-calls.ts'
import { exitCodes, type StampDeps } from './stamp-files.ts'
import { isOwnOutput } from './write-proof.ts'

/** How long nobody is called who did not answer, at first and at most. */
const firstRestMs = 1000
const longestRestMs = 300_000
/** Proofs of the anchor come within hours; so many files are asked about at a time. */
const anchorsEveryMs = 15 * 60_000
const anchorsAtATime = 100
/** What is noted at once, while much is read. */
const notedTogether = 64

/**
 * Regular files below a folder, as they look now. What begins with a dot, links and what was written as a proof are left out; what goes
 * away meanwhile, or may not be read, is not there.
 */
async function look(folder: string, stems: ReadonlySet<string>, signal: AbortSignal): Promise<Map<string, Look>> {
  const found = new Map<string, Look>()
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
      if (!entry.isFile() || isOwnOutput(path, stems)) continue
      const seen = await lookAt(path).catch(() => null)
      if (seen !== null) found.set(path, seen.look)
    }
  }
  return found
}

export type WatchDeps = StampDeps & {
  /** Absolute. */
  readonly folder: string
  /** Between two looks; absent: that long. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * `probant stamp --watch FOLDER`: whatever is in it, and whatever comes or changes, is time stamped once it looked the same twice. Ends
 * when it is told to; killed, it goes on where it was.
 * @returns the exit code. @throws Refused, errors of the journal's file, and of the folder when it begins
 */
export async function watchFolder(deps: WatchDeps, options: StampOptions): Promise<number> {
  const { journal, report, signal, folder } = deps
  const { out } = options
  const pause = deps.pause ?? (async (ms, ending) => await sleep(ms, undefined, { signal: ending }))
  const collecting: CollectDeps = {
    ...deps,
    onWritten: (_, file) => report.say('document.command.file.written', { file }),
  }
  const complained = new Set<string>()
  const isOpen = (kept: Kept) => !isComplete(kept) && journal.wanted.get(kept.sha256)?.lost === null
  const open = new Set<Kept>([...journal.kept.values()].filter(isOpen))
  const server = serverTurn(deps, collecting, open)
  let before = new Map<string, Look>()
  let away = false
  try {
    let now = await look(folder, journal.stems, signal)
    report.say('document.command.watching', { folder })
    for (;;) {
      const steady = [...now].filter(([path, seen]) => before.get(path) === seen && journal.looks.get(path)?.look !== seen)
      for (let at = 0; at < steady.length; at += notedTogether) await note(steady.slice(at, at + notedTogether))
      if (!away) await server()
      await pause(options.everyMs, signal)
      before = now
      now = await lookAgain()
    }
  } catch (error) {
    if (signal.aborted) return exitCodes.done
    throw error
  }

  /** A folder that is not there for a while, of a network say, is no reason to end: what was seen of it is forgotten, and looked at anew. */
  async function lookAgain(): Promise<Map<string, Look>> {
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
      return new Map()
    }
  }

  async function note(steady: readonly (readonly [path: string, seen: Look])[]): Promise<void> {
    const lines: JournalLine[] = []
    const fresh = new Map<string, { readonly lost: null }>()
    for (const [path, seen] of steady) {
      const print = await readFile(path, seen)
      if (print === null) continue
      const base = out === null ? path : join(resolve(out), relative(folder, path))
      const known = (sha256: string) => fresh.get(sha256) ?? journal.wanted.get(sha256)
      lines.push(...noteFile(known, { path, base }, print, options))
      fresh.set(print.sha256, { lost: null })
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
function serverTurn(deps: StampDeps, collecting: CollectDeps, open: Set<Kept>): () => Promise<void> {
  const { journal, calls, report } = deps
  let [restMs, restUntil] = [0, 0]
  let anchorsFrom = 0
  let anchorsAt = performance.now()
  return async () => {
    if (performance.now() < restUntil) return
    try {
      await depositWanted(journal, calls)
      await collectOpen(journal)
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

  async function collectOpen(of: Journal): Promise<void> {
    const entries = [...open]
    const outcomes = entries.length === 0 ? [] : await collectProofs(collecting, entries)
    for (const [i, kept] of entries.entries()) {
      const outcome = outcomes[i]
      if (outcome === undefined || outcome.state === 'pending') continue
      open.delete(kept)
      report.ended(of, kept, outcome)
    }
  }
}
