import { readdir, realpath } from 'node:fs/promises'
import { createMessages } from '../../../platform/messages/messages.ts'
import type { CommandIo } from '../terminal/command-io.ts'
import { AccessFault, readAccess, userFolder, type Access } from './access.ts'
import { holdAlone, journalFile, openJournal, type Journal } from './journal.ts'
import { readStampOptions, type StampOptions } from './options.ts'
import { createReport, type Report } from './report.ts'
import { Refused, Unreachable } from './call-server.ts'
import { createServerCalls } from './server-calls.ts'
import { exitCodes, resumeStamps, stampFiles } from './stamp-files.ts'
import { watchFolder } from './watch-folder.ts'

/** No settings, or wrong ones: EX_CONFIG of sysexits.h, as of the whole command line. */
const settingsExitCode = 78
const interruptedExitCode = 130

/**
 * `probant stamp`: deposits fingerprints of files with an API key and writes the proofs beside them. The files stay where they are.
 * Exit codes: 0 all proofs written (of a watch: told to end), 1 a file was not read, refused, or its proof not written, 2 the server
 * could not be reached: what waits is kept, 3 wrong use, 4 the server refuses the call or the key, 5 deposited, and not stamped in time,
 * 78 wrong settings, 130 interrupted.
 */
export async function runStampCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = readStampOptions(argv)
  const messages = createMessages(options?.locale ?? 'en')
  const report = createReport(io, messages, options?.json ?? false)
  if (options === null) {
    report.say('document.command.usage')
    return exitCodes.usage
  }
  try {
    const access = await readAccess(io.env)
    const watched = options.watch === null ? null : await folderOf(options.watch)
    if (watched !== null && 'reason' in watched) {
      report.say('document.command.no_folder', { folder: options.watch, reason: watched.reason })
      return exitCodes.usage
    }
    return await withJournal(access, watched?.path ?? null, { io, options, report })
  } catch (error) {
    if (!(error instanceof AccessFault)) throw error
    report.say(`document.command.access.${error.code}`, error.data)
    return settingsExitCode
  }
}

async function folderOf(given: string): Promise<{ readonly path: string } | { readonly reason: string }> {
  try {
    const path = await realpath(given)
    await readdir(path)
    return { path }
  } catch (error) {
    return { reason: (error as NodeJS.ErrnoException).code ?? String(error) }
  }
}

type Around = { readonly io: CommandIo; readonly options: StampOptions; readonly report: Report }

async function withJournal(access: Access, folder: string | null, { io, options, report }: Around): Promise<number> {
  const path = journalFile(
    userFolder(io.env, 'XDG_STATE_HOME', '.local/state'),
    access.server.href,
    ...(folder === null ? [] : [folder]),
  )
  const held = folder === null ? { release: () => Promise.resolve() } : await holdAlone(path)
  if (held === null) {
    report.say('document.command.watched_already', { folder })
    return exitCodes.usage
  }
  let journal: Journal | null = null
  try {
    journal = await openJournal(path)
    const calls = createServerCalls(access, {
      locale: options.locale,
      signal: io.signal,
      onWait: (seconds) => report.say('document.command.slow', { seconds }),
    })
    const deps = { journal, calls, report, signal: io.signal }
    if (folder !== null) return await watchFolder({ ...deps, folder }, options)
    return options.resume ? await resumeStamps(deps, options) : await stampFiles(deps, options)
  } catch (error) {
    if (io.signal.aborted) return interruptedExitCode
    return failureOf(error, journal, path, report)
  } finally {
    await journal?.close()
    await held.release()
  }
}

function failureOf(error: unknown, journal: Journal | null, path: string, report: Report): number {
  if (error instanceof Refused) {
    report.say('document.command.refused', { message: error.answer.message, code: error.answer.code })
    return exitCodes.refused
  }
  if (error instanceof Unreachable) {
    const waiting = [...(journal?.wanted.values() ?? [])].filter(({ id, lost }) => id === null && lost === null)
    report.say('document.command.queued', { reason: error.message, count: waiting.length })
    return exitCodes.unreachable
  }
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  report.say('document.command.state', { path, reason: code })
  return exitCodes.failed
}
