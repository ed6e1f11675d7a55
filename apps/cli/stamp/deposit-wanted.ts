import { randomUUIDv7 } from 'node:crypto'
import { basename } from 'node:path'
import { documentName, type DepositInput } from '../../../modules/document/contract/document.ts'
import { largestBatch } from '../../../modules/document/domain/status.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Journal, JournalLine, Wanted } from './journal.ts'
import { Refused, type ServerCalls } from './server-calls.ts'

/** What is said of each file. */
export type Said = { readonly hideName: boolean; readonly label: string | null }

/** A name that no deposit can carry (control characters, half of a surrogate pair, too long) is left out: it is the content that is dated. */
function declaredName(path: string): string | null {
  const parsed = documentName.safeParse(basename(path))
  return parsed.success && parsed.data !== '' ? parsed.data : null
}

/**
 * Notes what a file holds. A content that is known already is deposited no second time, whatever it is called.
 * @returns lines of the journal
 */
export function noteFile(
  known: (sha256: string) => Pick<Wanted, 'lost'> | undefined,
  file: { readonly path: string; readonly base: string },
  print: Fingerprint,
  said: Said,
): JournalLine[] {
  const { sha256, sha512, look } = print
  const lines: JournalLine[] = [{ t: 'file', ...file, look, sha256 }]
  const before = known(sha256)
  if (before === undefined || before.lost !== null)
    lines.push({
      t: 'wanted',
      sha256,
      sha512,
      mark: randomUUIDv7(),
      name: said.hideName ? null : declaredName(file.path),
      label: said.label,
    })
  return lines
}

const isWaiting = ({ id, lost }: Wanted) => id === null && lost === null

function inputOf({ sha256, sha512, mark, name, label }: Wanted): DepositInput {
  return {
    sha256,
    sha512,
    client_id: mark,
    ...(name === null ? {} : { document_name: name }),
    ...(label === null ? {} : { label }),
  }
}

/** What the server takes in one call is four mebibytes; a little is for what is around. */
const largestCallBytes = 4 * 1024 * 1024 - 1024

function* inCalls(waiting: readonly Wanted[]): Generator<Wanted[]> {
  let [call, bytes]: [Wanted[], number] = [[], 0]
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

/** Of `documents.3.label`: which of the call was refused, and why. */
function refusedOnes(error: Refused, call: readonly Wanted[]): JournalLine[] {
  return Object.entries(error.answer.fields).flatMap(([field, [code = 'invalid']]) => {
    const index = /^documents\.(\d+)(?:\.|$)/.exec(field)?.[1]
    const one = index === undefined ? undefined : call[Number(index)]
    return one === undefined ? [] : [{ t: 'lost' as const, mark: one.mark, code }]
  })
}

/**
 * Deposits whatever waits for it, up to twenty each under a token of its own, more as batches of ten thousand at most. Repeated after
 * whatever interruption, it deposits nothing twice: each has its mark.
 * @throws Refused, Unreachable
 */
export async function depositWanted(journal: Journal, calls: Pick<ServerCalls, 'deposit'>): Promise<void> {
  for (const call of inCalls([...journal.wanted.values()].filter(isWaiting))) {
    let rest = call
    while (rest.length > 0) {
      try {
        const made = await calls.deposit(rest.map(inputOf))
        await journal.add(
          rest.flatMap(({ mark }, i) => {
            const one = made[i]
            return one === undefined ? [] : [{ t: 'deposited' as const, mark, id: one.id, earlier: one.duplicateOf }]
          }),
        )
        rest = []
      } catch (error) {
        const refused = error instanceof Refused ? refusedOnes(error, rest) : []
        if (refused.length === 0) throw error
        await journal.add(refused)
        rest = rest.filter(isWaiting)
      }
    }
  }
}
