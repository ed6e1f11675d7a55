import type { Messages, MessageId, MessageValues } from '../../../platform/messages/messages.ts'
import type { CommandIo } from '../terminal/command-io.ts'
import { printable } from '../terminal/printable.ts'
import type { Outcome } from './collect-proofs.ts'
import type { Journal } from './journal.ts'
import type { Copy, Kept } from './journal-state.ts'
import { endings } from './write-proof.ts'

export type Report = {
  /** A line of words, on stderr. */
  say(id: MessageId, values?: MessageValues): void
  /** What is wrong with a file, by its code. */
  fault(file: string, code: string, reason?: string): void
  /** How it ended with a file: one line of JSON on stdout where that was asked for. */
  ended(journal: Journal, kept: Kept, outcome: Outcome): void
  /** A file of which there is nothing. */
  unread(file: string, code: string, reason: string): void
}

const copyOf = (copy: Copy | null) => (copy === null ? null : { state: copy.state, code: copy.code, kept_until: copy.until })

export function createReport(io: Pick<CommandIo, 'stdout' | 'stderr'>, messages: Messages, json: boolean): Report {
  const say: Report['say'] = (id, values = {}) => {
    const safe = Object.entries(values).map(
      ([name, value]) => [name, typeof value === 'string' ? printable(value) : value] as const,
    )
    io.stderr.write(`${messages.format(id, Object.fromEntries(safe))}\n`)
  }
  const fault: Report['fault'] = (file, code, reason = '') => {
    const own = `document.command.file.${code}`
    if (messages.has(own)) return say(own, { file, reason })
    say('document.command.file.failed', { file, reason: messages.has(code) ? messages.format(code, {}) : code })
  }
  const line = (value: unknown) => {
    if (json) io.stdout.write(`${JSON.stringify(value)}\n`)
  }
  return {
    say,
    fault,
    ended(journal, kept, outcome) {
      const wanted = journal.wanted.get(kept.sha256)
      const { stem } = kept
      line({
        file: kept.path,
        sha256: kept.sha256,
        id: wanted?.id ?? null,
        duplicate_of: wanted?.earlier ?? null,
        state: outcome.state,
        code: outcome.state === 'failed' ? outcome.code : null,
        copy: copyOf(wanted?.copy ?? null),
        proofs: stem === null ? {} : Object.fromEntries([...kept.proofs].map((kind) => [kind, `${stem}${endings[kind]}`])),
      })
      if (outcome.state === 'failed') fault(kept.path, outcome.code, outcome.reason)
    },
    unread(file, code, reason) {
      line({ file, sha256: null, id: null, duplicate_of: null, state: 'failed', code, copy: null, proofs: {} })
      fault(file, code, reason)
    },
  }
}
