import { open, type FileHandle } from 'node:fs/promises'
import type { DocumentCopy } from '../../../modules/document/contract/copy.ts'
import { fingerprintOf, lookAt, NotHashed } from './fingerprint.ts'
import type { Journal } from './journal.ts'
import type { Copy, Wanted } from './journal-state.ts'
import type { Report } from './report.ts'
import { Refused } from './call-server.ts'
import type { ServerCalls } from './server-calls.ts'

export type UploadDeps = {
  readonly journal: Journal
  readonly calls: Pick<ServerCalls, 'copy'>
  readonly report: Pick<Report, 'say'>
  readonly signal: AbortSignal
  /** Asked between two pieces: whether something else is to be done first. Absent: never. */
  readonly isOver?: () => boolean
  /** What was said of a file that is not there is not said again. */
  readonly complained: Set<string>
}

/** Whether something is still to be done for it. */
export const isUnderWay = (wanted: Wanted | undefined): boolean =>
  wanted !== undefined && wanted.lost === null && (wanted.copy?.state === 'wanted' || wanted.copy?.state === 'sent')

/** A piece that the server lost comes again; not for ever. */
const mostRounds = 3

/**
 * Uploads files whose deposits were made with a copy, in pieces, each noted once the server has it; killed in between, it goes on with
 * those that the server lacks. No other content is sent than was deposited: the file is as it was when it was read, before and after.
 * @returns whether all that could be done is done
 * @throws Refused, Unreachable, errors of the journal's file
 */
export async function uploadCopies(deps: UploadDeps, wanted: readonly Wanted[]): Promise<boolean> {
  let done = true
  for (const one of wanted) {
    if (deps.isOver?.() === true) return false
    for (let round = 1; one.copy?.state === 'wanted' && one.id !== null && round <= mostRounds; round += 1) {
      if (!(await uploadOne(deps, one))) {
        done = false
        break
      }
      await settleCopies(deps, [one])
    }
  }
  return done
}

/** Asks how it stands with copies that are being compared. @throws Refused, Unreachable */
export async function settleCopies(deps: UploadDeps, wanted: readonly Wanted[]): Promise<void> {
  for (const one of wanted) {
    if (one.copy?.state !== 'sent' || one.id === null) continue
    const { state, kept_until: until } = await deps.calls.copy.read(one.id)
    if (state === 'stored') {
      await note(deps, one, { state: 'stored', code: null, until })
      const file = filesOf(deps.journal, one)[0] ?? one.sha256
      deps.report.say('document.command.copy.stored', { file, until: new Date(until ?? 0) })
    }
    // A piece was damaged on the server, or nobody compared it: what is missing comes again.
    else if (state === 'receiving' || state === 'waiting') await note(deps, one, { state: 'wanted', code: null, until: null })
    else if (state === 'refused') await refuse(deps, one, 'differs')
    else if (state === 'deleted') await refuse(deps, one, 'deleted')
  }
}

async function note({ journal }: UploadDeps, { mark }: Wanted, copy: Omit<Copy, 'upload'>): Promise<void> {
  await journal.add([{ t: 'copy', mark, ...copy }])
}

/** @param code of our own, `document.command.copy.<code>`; or the server's, with its words */
async function refuse(deps: UploadDeps, one: Wanted, code: 'differs' | 'deleted' | 'changed' | Refused): Promise<void> {
  const file = filesOf(deps.journal, one)[0] ?? one.sha256
  if (typeof code === 'string') {
    deps.report.say(`document.command.copy.${code}`, { file })
    return await note(deps, one, { state: 'refused', code, until: null })
  }
  deps.report.say('document.command.copy.refused', { file, reason: code.answer.message })
  await note(deps, one, { state: 'refused', code: code.answer.code, until: null })
}

const filesOf = ({ kept }: Journal, { sha256 }: Wanted): string[] =>
  [...kept.values()].flatMap((each) => (each.sha256 === sha256 ? [each.path] : []))

/** @returns whether it came to an end, for now: uploaded, refused, or to be begun anew */
async function uploadOne(deps: UploadDeps, one: Wanted): Promise<boolean> {
  const { complained, report } = deps
  const source = await findSource(deps, one)
  if (source === null) return one.copy?.state !== 'wanted'
  try {
    const begun = await deps.calls.copy.begin(one.id ?? '', source.bytes)
    return await sendPieces(deps, one, source, begun)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { code } = error.answer
    // Another program has sent it, or its end was not heard of.
    if (code === 'document.copy_there') await note(deps, one, { state: 'sent', code: null, until: null })
    else if (code === 'document.copy_no_room') {
      if (!complained.has(one.mark))
        report.say('document.command.copy.not_now', { file: source.path, reason: error.answer.message })
      complained.add(one.mark)
      return false
    }
    // The upload ended meanwhile: the next round begins another.
    else if (code !== 'document.copy_over' && code !== 'document.copy_incomplete') await refuse(deps, one, error)
    return true
  }
}

type Source = { readonly path: string; readonly bytes: number; readonly look: string }

/** A file that has the content now. One that is not there may come back; where each has another content, nothing is sent. */
async function findSource(deps: UploadDeps, one: Wanted): Promise<Source | null> {
  const { journal, report, signal, complained } = deps
  let absent: { readonly file: string; readonly reason: string } | null = null
  for (const path of filesOf(journal, one)) {
    try {
      const now = await lookAt(path)
      const known = journal.looks.get(path)
      if (now !== null && known?.look === now.look && known.sha256 === one.sha256) return { path, ...now }
      const print = await fingerprintOf(path, signal)
      if (print.sha256 === one.sha256) return { path, bytes: print.bytes, look: print.look }
    } catch (error) {
      if (signal.aborted) throw error
      const reason = error instanceof NotHashed ? error.reason || error.code : (error as NodeJS.ErrnoException).code
      if (reason === undefined) throw error
      absent = { file: path, reason }
    }
  }
  if (absent === null) await refuse(deps, one, 'changed')
  else if (!complained.has(one.mark)) {
    complained.add(one.mark)
    report.say('document.command.copy.absent', absent)
  }
  return null
}

/** A whole piece is sent where it takes less than this by what was measured; else slices of it (body-bytes.ts refuses what is too slow). */
const quickMs = 60_000

/** @returns whether it went through to its end, or was refused */
async function sendPieces(deps: UploadDeps, one: Wanted, source: Source, begun: DocumentCopy): Promise<boolean> {
  const { journal, calls, report, signal } = deps
  const { upload, part_bytes: length, slice_bytes: slice, parts, missing } = begun
  if (upload === null) throw new Error('an upload that was begun has no name')
  const isChanged = async () => (await lookAt(source.path).catch(() => null))?.look !== source.look
  await using file = await open(source.path, 'r')
  let told = parts - missing.length
  if (told > 0 && told < parts) report.say('document.command.copy.goes_on', { file: source.path, came: told, parts })
  let pace: number | null = null
  const send = async (part: number, from: number | null): Promise<boolean> => {
    signal.throwIfAborted()
    const at = part * length + (from ?? 0)
    const end = Math.min(part * length + (from === null ? length : Math.min(from + slice, length)), source.bytes)
    const bytes = await readExactly(file, at, end - at)
    if (bytes === null || (await isChanged())) return false
    const before = performance.now()
    await calls.copy.send(one.id ?? '', { upload, part, from }, bytes)
    pace = bytes.length / Math.max(1, performance.now() - before)
    return true
  }
  for (const [at, part] of missing.entries()) {
    const whole = Math.min(length, source.bytes - part * length)
    const all = Array.from({ length: Math.ceil(whole / slice) }, (_, i) => i * slice)
    let left: readonly number[] = begun.begun.find((each) => each.part === part)?.from ?? all
    while (left.length > 0) {
      if (deps.isOver?.() === true) return false
      // The first slice of all says how quick the line is.
      const isWhole = left.length > 1 && pace !== null && whole / pace < quickMs
      if (!(await send(part, isWhole ? null : (left[0] ?? 0)))) return await refuseChanged(deps, one)
      left = isWhole ? [] : left.slice(1)
    }
    await journal.add([{ t: 'piece', mark: one.mark, upload, part, parts }])
    const came = parts - missing.length + at + 1
    // A line for each twentieth, and for the last one.
    if (came === parts || (came - told) * 20 >= parts) {
      told = came
      report.say('document.command.copy.progress', { file: source.path, came, parts, percent: Math.floor((100 * came) / parts) })
    }
  }
  if (await isChanged()) return await refuseChanged(deps, one)
  await calls.copy.complete(one.id ?? '', upload)
  await note(deps, one, { state: 'sent', code: null, until: null })
  return true
}

/** @returns null when the file is shorter */
async function readExactly(file: FileHandle, at: number, length: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(length)
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled)
    if (bytesRead === 0) return null
    filled += bytesRead
  }
  return bytes
}

async function refuseChanged(deps: UploadDeps, one: Wanted): Promise<boolean> {
  await refuse(deps, one, 'changed')
  return true
}
