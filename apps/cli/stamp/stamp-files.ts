import { basename, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { collectProofs, type CollectDeps, type Outcome } from './collect-proofs.ts'
import { depositWanted, freshOf, noteFile, type Known } from './deposit-wanted.ts'
import { fingerprintOf, NotHashed } from './fingerprint.ts'
import type { Journal } from './journal.ts'
import type { JournalLine } from './journal-lines.ts'
import { isComplete, isWaiting, keptKey, type Kept, type Wanted } from './journal-state.ts'
import type { StampOptions } from './options.ts'
import type { Report } from './report.ts'
import { Unreachable } from './call-server.ts'
import type { ServerCalls } from './server-calls.ts'
import { isUnderWay, settleCopies, uploadCopies, type UploadDeps } from './upload-copies.ts'

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
  const fresh = new Map<string, Known>()
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
      const known = (sha256: string) => fresh.get(sha256) ?? journal.wanted.get(sha256)
      const lines = noteFile(known, { path, base, after: null }, print, options)
      noted.push(...lines)
      for (const each of freshOf(lines)) fresh.set(print.sha256, each)
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
  if (tooLate(deps, entries, options)) failed = true
  const code = await finish(deps, entries, options)
  return failed && code === exitCodes.done ? exitCodes.failed : code
}

/** What is wished of a deposit that was made without it: it is sealed as it is. @returns whether there is such a one */
function tooLate({ journal, report }: StampDeps, entries: readonly Kept[], { store, replaces }: StampOptions): boolean {
  let late = false
  for (const { path, sha256 } of entries) {
    const wanted = journal.wanted.get(sha256)
    if (wanted?.id == null) continue
    const said = [
      ...(store && !wanted.store ? ['copy_late'] : []),
      ...(replaces !== null && wanted.replaces !== replaces ? ['replaces_late'] : []),
    ]
    for (const code of said) report.fault(path, code, wanted.id)
    late ||= said.length > 0
  }
  return late
}

/** `probant stamp --resume`: sends what waits, and gets what proofs have come since. */
export async function resumeStamps(deps: StampDeps, options: StampOptions): Promise<number> {
  const { journal, report } = deps
  const entries = [...journal.kept.values()].filter((kept) => {
    const wanted = journal.wanted.get(kept.sha256)
    return isUnderWay(wanted) || (kept.proofs.size < 4 && (isComplete(kept) || wanted?.lost === null))
  })
  if (entries.length === 0) {
    report.say('document.command.nothing')
    return exitCodes.done
  }
  return await finish(deps, entries, options)
}

/** Says what is done meanwhile without the person's asking. */
export const collectingOf = (deps: StampDeps): CollectDeps => ({
  ...deps,
  onWritten: (_, file) => deps.report.say('document.command.file.written', { file }),
})

/** Whose former deposit the server does not know. */
export const unchained =
  ({ journal, report }: StampDeps) =>
  (sha256: string, replaced: string) => {
    const file = [...journal.kept.values()].find((kept) => kept.sha256 === sha256)?.path ?? sha256
    report.say('document.command.file.unchained', { file, id: replaced })
  }

/** Deposits what is to be, waits for the proofs and writes them, uploads what is to be kept. */
async function finish(deps: StampDeps, entries: readonly Kept[], options: StampOptions): Promise<number> {
  const { journal, report } = deps
  if (entries.length === 0) return exitCodes.done
  const waiting = [...journal.wanted.values()].filter(isWaiting)
  await depositWanted(journal, deps.calls, unchained(deps))
  const count = waiting.filter(({ id }) => id !== null).length
  if (count > 0) report.say('document.command.deposited', { count })
  for (const { path, sha256 } of entries) {
    const earlier = journal.wanted.get(sha256)?.earlier ?? null
    if (earlier !== null) report.say('document.command.file.earlier', { file: path, id: earlier })
  }
  const until = performance.now() + options.waitMs
  const outcomes = await waitForProofs(deps, entries, until)
  const copies = new Set(entries.flatMap(({ sha256 }) => journal.wanted.get(sha256) ?? []).filter(isUnderWay))
  const away = await keepCopies(deps, [...copies], options.waitMs)
  for (const [i, kept] of entries.entries()) report.ended(journal, kept, outcomes[i] ?? { state: 'pending' })
  const unsent = [...copies].filter(isUnderWay).length
  if (unsent > 0) report.say('document.command.copy.pending', { count: unsent })
  if (away !== null) throw away
  const pending = outcomes.filter(({ state }) => state === 'pending').length
  if (pending > 0) report.say('document.command.pending', { count: pending })
  else if (entries.some((kept) => isComplete(kept) && !kept.proofs.has('ots'))) report.say('document.command.anchor_later')
  const failed = outcomes.some(({ state }) => state === 'failed') || [...copies].some(({ copy }) => copy?.state === 'refused')
  if (failed) return exitCodes.failed
  return pending > 0 || unsent > 0 ? exitCodes.pending : exitCodes.done
}

/** Longer each time, while something is awaited. */
async function* pauses(until: number, signal: AbortSignal): AsyncGenerator<void> {
  for (let pauseMs = firstPauseMs; performance.now() < until; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    await pause(pauseMs, undefined, { signal })
    yield
  }
}

async function waitForProofs(deps: StampDeps, entries: readonly Kept[], until: number): Promise<readonly Outcome[]> {
  const collecting = collectingOf(deps)
  let outcomes: Outcome[] = await collectProofs(collecting, entries)
  const isPending = () => outcomes.some(({ state }) => state === 'pending')
  if (!isPending()) return outcomes
  for await (const _ of pauses(until, deps.signal)) {
    const open = entries.filter((__, i) => outcomes[i]?.state === 'pending')
    const now = new Map((await collectProofs(collecting, open)).map((outcome, i) => [open[i], outcome]))
    outcomes = outcomes.map((outcome, i) => now.get(entries[i]) ?? outcome)
    if (!isPending()) break
  }
  return outcomes
}

/** Uploads, and waits until what came was compared. @returns why no more could be done now; what was done stays */
async function keepCopies(deps: StampDeps, copies: readonly Wanted[], waitMs: number): Promise<Unreachable | null> {
  const uploading: UploadDeps = { ...deps, complained: new Set() }
  try {
    await uploadCopies(uploading, copies)
    const isCompared = () => copies.every(({ copy }) => copy?.state !== 'sent')
    if (isCompared()) return null
    for await (const _ of pauses(performance.now() + waitMs, deps.signal)) {
      await settleCopies(uploading, copies)
      await uploadCopies(uploading, copies)
      if (isCompared()) break
    }
    return null
  } catch (error) {
    if (error instanceof Unreachable) return error
    throw error
  }
}
