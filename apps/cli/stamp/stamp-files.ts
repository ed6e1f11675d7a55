import { basename, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { collectProofs, isComplete, type CollectDeps, type Outcome } from './collect-proofs.ts'
import { depositWanted, noteFile } from './deposit-wanted.ts'
import { fingerprintOf, NotHashed } from './fingerprint.ts'
import { keptKey, type Journal, type JournalLine, type Kept } from './journal.ts'
import type { StampOptions } from './options.ts'
import type { Report } from './report.ts'
import type { ServerCalls } from './server-calls.ts'

export type StampDeps = {
  readonly journal: Journal
  readonly calls: ServerCalls
  readonly report: Report
  readonly signal: AbortSignal
}

const firstPauseMs = 250
const longestPauseMs = 10_000
/** Lines of the journal that are written at once, while much is read. */
const notedTogether = 64

export const exitCodes = { done: 0, failed: 1, unreachable: 2, usage: 3, refused: 4, pending: 5 } as const

/** `probant stamp FILE…`. @returns the exit code. @throws Refused, Unreachable, errors of the journal's file */
export async function stampFiles(deps: StampDeps, options: StampOptions): Promise<number> {
  const { journal, report, signal } = deps
  const { out } = options
  let failed = false
  let noted: JournalLine[] = []
  const fresh = new Map<string, { readonly lost: null }>()
  const keys = new Set<string>()
  const note = async () => {
    await journal.add(noted)
    noted = []
    fresh.clear()
  }
  for (const given of options.files) {
    const path = resolve(given)
    try {
      const print = await fingerprintOf(path, signal)
      const base = out === null ? path : join(resolve(out), basename(path))
      noted.push(...noteFile((sha256) => fresh.get(sha256) ?? journal.wanted.get(sha256), { path, base }, print, options))
      fresh.set(print.sha256, { lost: null })
      keys.add(keptKey(path, print.sha256))
      if (noted.length >= notedTogether) await note()
      if (print.bytes === 0) report.fault(given, 'empty')
      report.say('document.command.file.hashed', { file: given, sha256: print.sha256 })
    } catch (error) {
      if (!(error instanceof NotHashed)) throw error
      failed = true
      report.unread(given, error.code, error.reason)
    }
  }
  await note()
  const entries = [...keys].flatMap((key) => journal.kept.get(key) ?? [])
  const code = await finish(deps, entries, options)
  return failed && code === exitCodes.done ? exitCodes.failed : code
}

/** `probant stamp --resume`: sends what waits, and gets what proofs have come since. */
export async function resumeStamps(deps: StampDeps, options: StampOptions): Promise<number> {
  const { journal, report } = deps
  const entries = [...journal.kept.values()].filter(
    (kept) => kept.proofs.size < 4 && (isComplete(kept) || journal.wanted.get(kept.sha256)?.lost === null),
  )
  if (entries.length === 0) {
    report.say('document.command.nothing')
    return exitCodes.done
  }
  return await finish(deps, entries, options)
}

/** Deposits what is to be, waits for the proofs and writes them. */
async function finish(deps: StampDeps, entries: readonly Kept[], options: StampOptions): Promise<number> {
  const { journal, report, signal } = deps
  if (entries.length === 0) return exitCodes.done
  const waiting = [...journal.wanted.values()].filter(({ id, lost }) => id === null && lost === null)
  await depositWanted(journal, deps.calls)
  const count = waiting.filter(({ id }) => id !== null).length
  if (count > 0) report.say('document.command.deposited', { count })
  for (const { path, sha256 } of entries) {
    const earlier = journal.wanted.get(sha256)?.earlier ?? null
    if (earlier !== null) report.say('document.command.file.earlier', { file: path, id: earlier })
  }
  const collecting: CollectDeps = {
    ...deps,
    onWritten: (_, file) => report.say('document.command.file.written', { file }),
  }
  const until = performance.now() + options.waitMs
  let outcomes: Outcome[] = await collectProofs(collecting, entries)
  const isPending = () => outcomes.some(({ state }) => state === 'pending')
  for (let pauseMs = firstPauseMs; isPending() && performance.now() < until; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    await pause(pauseMs, undefined, { signal })
    const open = entries.filter((_, i) => outcomes[i]?.state === 'pending')
    const now = await collectProofs(collecting, open)
    outcomes = outcomes.map((outcome, i) => now[open.indexOf(entries[i] as Kept)] ?? outcome)
  }
  for (const [i, kept] of entries.entries()) report.ended(journal, kept, outcomes[i] ?? { state: 'pending' })
  const pending = outcomes.filter(({ state }) => state === 'pending').length
  if (pending > 0) report.say('document.command.pending', { count: pending })
  else if (entries.some((kept) => isComplete(kept) && !kept.proofs.has('ots'))) report.say('document.command.anchor_later')
  if (outcomes.some(({ state }) => state === 'failed')) return exitCodes.failed
  return pending > 0 ? exitCodes.pending : exitCodes.done
}
