import { documentName, type DepositInput } from '../../contract/document.ts'
import { largestBatch } from '../../domain/status.ts'
import type { HashedFile } from './intake.ts'
import type { WholeBatch } from '../outbox/outbox-store.ts'

export type DepositChoices = {
  readonly agree: boolean
  readonly hideNames: boolean
  /** The file itself is to be kept too: it is sent from the page of its deposit. */
  readonly store?: boolean
  /** One for all; empty: none. */
  readonly label: string
  /** Of one document alone. */
  readonly description: string
  readonly replaces: string | null
}

/** In one call; the server takes a little more. */
const mostBytes = 3_500_000
const mostName = 255

/**
 * A file's name as it can be declared: what no name may hold becomes U+FFFD, and of one that is too long the end is kept, which tells
 * what kind of file it is. null: nothing of it is left.
 */
export function declaredName(path: string): string | null {
  const plain = path
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\u{fffd}')
    .trim()
  const letters = Array.from(plain)
  let name = plain
  for (let from = 1; name.length > mostName; from += 1) name = `…${letters.slice(from).join('')}`
  return name !== '' && documentName.safeParse(name).success ? name : null
}

/** As many calls as they need, made one after the other as they are asked for. Ids are given here, before anything is sent: what is sent twice is deposited once. */
export function* makeBatches(
  files: readonly HashedFile[],
  choices: DepositChoices,
  who: { readonly user: string; readonly delegation: string | null },
  deps: { readonly id: () => string; readonly now: () => Date },
): Generator<WholeBatch, void> {
  let documents: DepositInput[] = []
  let names: string[] = []
  let bytes = 0
  const made = (): WholeBatch => ({
    id: deps.id(),
    ...who,
    made_at: deps.now().toISOString(),
    agree: choices.agree,
    count: documents.length,
    documents,
    names,
    hidden: choices.hideNames,
    refused: null,
  })
  const encoder = new TextEncoder()
  for (const { path, sha256, sha512 } of files) {
    const name = declaredName(path)
    const document: DepositInput = {
      sha256,
      sha512,
      client_id: deps.id(),
      ...(choices.hideNames || name === null ? {} : { document_name: name }),
      ...(choices.store === true ? { store: true } : {}),
      ...(choices.label === '' ? {} : { label: choices.label }),
      ...(files.length > 1 || choices.description === '' ? {} : { description: choices.description }),
      ...(files.length > 1 || choices.replaces === null ? {} : { replaces: choices.replaces }),
    }
    const size = encoder.encode(JSON.stringify(document)).length + 1
    if (documents.length === largestBatch || bytes + size > mostBytes) {
      yield made()
      documents = []
      names = []
      bytes = 0
    }
    documents.push(document)
    names.push(name ?? '')
    bytes += size
  }
  if (documents.length > 0) yield made()
}
