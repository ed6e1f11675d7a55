import { randomUUIDv7 } from 'node:crypto'
import { basename } from 'node:path'
import { documentName, type DepositInput } from '../../../modules/document/contract/document.ts'
import { largestBatch } from '../../../modules/document/domain/status.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Journal } from './journal.ts'
import type { JournalLine } from './journal-lines.ts'
import { isWaiting, type Wanted } from './journal-state.ts'
import { Refused } from './call-server.ts'
import type { ServerCalls } from './server-calls.ts'

/** What is said of each file. */
export type Said = {
  readonly hideName: boolean
  readonly label: string | null
  /** Whether the file is to be uploaded too. */
  readonly store: boolean
  /** The deposit that it replaces. */
  readonly replaces: string | null
}

/** A name that no deposit can carry (control characters, half of a surrogate pair, too long) is left out: it is the content that is dated. */
function declaredName(path: string): string | null {
  const parsed = documentName.safeParse(basename(path))
  return parsed.success && parsed.data !== '' ? parsed.data : null
}

export type Known = Pick<Wanted, 'mark' | 'id' | 'lost' | 'store' | 'replaces' | 'after' | 'copy'>

/**
 * Notes what a file holds. A content that is known already is deposited no second time, whatever it is called; what is wished of it beyond is
 * wished under the same mark while it waits.
 * @param file.after the content that the same file had before, when it has another one now
 * @returns lines of the journal
 */
export function noteFile(
  known: (sha256: string) => Known | undefined,
  file: { readonly path: string; readonly base: string; readonly after: string | null },
  print: Fingerprint,
  said: Said,
): JournalLine[] {
  const { sha256, sha512, look } = print
  const { path, base, after } = file
  const lines: JournalLine[] = [{ t: 'file', path, base, look, sha256 }]
  const before = known(sha256)
  const isNew = before === undefined || before.lost !== null
  const { store, replaces } = said
  const wishesMore = before?.id === null && ((store && !before.store) || (replaces !== null && before.replaces !== replaces))
  if (isNew || wishesMore)
    lines.push({
      t: 'wanted',
      sha256,
      sha512,
      mark: isNew ? randomUUIDv7() : before.mark,
      name: said.hideName ? null : declaredName(path),
      label: said.label,
      store: store || (!isNew && before.store),
      replaces: replaces ?? (isNew ? null : before.replaces),
      after: after === sha256 ? null : isNew ? after : before.after,
    })
  else if (store && before.copy?.state === 'refused')
    lines.push({ t: 'copy', mark: before.mark, state: 'wanted', code: null, until: null })
  return lines
}

/** What lines say is wanted that are not in the journal yet. */
export function freshOf(lines: readonly JournalLine[]): Known[] {
  return lines.flatMap((each) => (each.t === 'wanted' ? [{ ...each, id: null, lost: null, copy: null }] : []))
}

/** As it is sent, and what it is said to replace. */
type Asked = { readonly one: Wanted; readonly replaces: string | null }

function inputOf({ one: { sha256, sha512, mark, name, label, store }, replaces }: Asked): DepositInput {
  return {
    sha256,
    sha512,
    client_id: mark,
    ...(store ? { store } : {}),
    ...(replaces === null ? {} : { replaces }),
    ...(name === null ? {} : { document_name: name }),
    ...(label === null ? {} : { label }),
  }
}

/** What the server takes in one call is four mebibytes; a little is for what is around. */
const largestCallBytes = 4 * 1024 * 1024 - 1024

function* inCalls(waiting: readonly Asked[]): Generator<Asked[]> {
  let [call, bytes]: [Asked[], number] = [[], 0]
  for (const each of waiting) {
    const more = Buffer.byteLength(JSON.stringify(inputOf(each))) + 1
    if (call.length > 0 && (call.length === largestBatch || bytes + more > largestCallBytes)) {
      yield call
      ;[call, bytes] = [[], 0]
    }
    call.push(each)
    bytes += more
  }
  if (call.length > 0) yield call
}

/** What waits and replaces nothing that waits too: of a file that changed twice meanwhile, the first content has to be a deposit before the next. */
function nextOnes(wanted: Journal['wanted']): Asked[] {
  const waiting = [...wanted.values()].filter(isWaiting)
  const contents = new Set(waiting.map(({ sha256 }) => sha256))
  const ready = waiting.filter(({ after }) => after === null || !contents.has(after))
  // Only contents that took each other's place in a circle would be left: none is the later one.
  const next = ready.length > 0 ? ready : waiting
  return next.map((one) => ({ one, replaces: one.replaces ?? wanted.get(one.after ?? '')?.id ?? null }))
}

/** Of `documents.3.label`: which of the call was refused, and why. */
function refusedOnes({ answer }: Refused, call: readonly Asked[]): JournalLine[] {
  if (answer.code === replacesUnknown && answer.fields['replaces'] !== undefined) return call.flatMap(withoutReplaced)
  return Object.entries(answer.fields).flatMap(([field, [code = 'invalid']]) => {
    const [, index, of] = /^documents\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
    const asked = index === undefined ? undefined : call[Number(index)]
    if (asked === undefined) return []
    return of === 'replaces' ? withoutReplaced(asked) : [{ t: 'lost' as const, mark: asked.one.mark, code }]
  })
}

const replacesUnknown = 'document.replaces_unknown'

/** What somebody asked for is not deposited otherwise; what only follows from a file's having changed is no reason not to date it. */
function withoutReplaced({ one, replaces }: Asked): JournalLine[] {
  const { mark } = one
  if (replaces === null) return []
  return [one.replaces === null ? { t: 'unchained', mark } : { t: 'lost', mark, code: replacesUnknown }]
}

/**
 * Deposits whatever waits for it, up to twenty each under a token of its own, more as batches of ten thousand at most. Repeated after
 * whatever interruption, it deposits nothing twice: each has its mark.
 * @param onUnchained told of a content whose former deposit the server does not know
 * @throws Refused, Unreachable
 */
export async function depositWanted(
  journal: Journal,
  calls: Pick<ServerCalls, 'deposit'>,
  onUnchained: (sha256: string, replaced: string) => void,
): Promise<void> {
  for (let next = nextOnes(journal.wanted); next.length > 0; next = nextOnes(journal.wanted))
    for (const call of inCalls(next)) await depositCall(journal, calls, call, onUnchained)
}

async function depositCall(
  journal: Journal,
  calls: Pick<ServerCalls, 'deposit'>,
  call: readonly Asked[],
  onUnchained: (sha256: string, replaced: string) => void,
): Promise<void> {
  let rest = call
  while (rest.length > 0) {
    try {
      const made = await calls.deposit(rest.map(inputOf))
      await journal.add(
        rest.flatMap(({ one: { mark } }, i) => {
          const is = made[i]
          return is === undefined ? [] : [{ t: 'deposited' as const, mark, id: is.id, earlier: is.duplicateOf }]
        }),
      )
      rest = []
    } catch (error) {
      const refused = error instanceof Refused ? refusedOnes(error, rest) : []
      if (refused.length === 0) throw error
      await journal.add(refused)
      const unchained = new Set(refused.flatMap((each) => (each.t === 'unchained' ? [each.mark] : [])))
      for (const { one, replaces } of rest) if (unchained.has(one.mark)) onUnchained(one.sha256, replaces ?? '')
      rest = rest
        .filter(({ one }) => isWaiting(one))
        .map((asked) => (unchained.has(asked.one.mark) ? { ...asked, replaces: null } : asked))
    }
  }
}
