import { journalSigners } from './journal-signers.ts'
import type { JournalSigners } from './journal-signers.ts'
import { openList } from './open-list.ts'
import type { OpenedList } from './open-list.ts'
import { listTypes } from './read-list.ts'
import { trustedListsFormat } from '../known/trusted-lists.ts'
import type { ListFacts, PointedList, TrustedList, TrustedLists } from '../known/trusted-lists.ts'

/** Every State's, and some to spare. */
const mostGiven = 48

/** Reads one signed list after the other, so that no more than one is held. */
export type GivenLists = AsyncIterable<Uint8Array>

/**
 * The lists that are known, and over them those that a reader gave along: signed XML, each taken only when its signer may sign it, so
 * that with no network and nothing known a list of lists and a State's list conclude as much as on the page. One that is older than
 * what is known changes nothing.
 * @returns what is known when nothing given adds to it; undefined when neither is there.
 */
export async function withGivenLists(
  known: TrustedLists | undefined,
  given: GivenLists,
  now: Date,
  journal: JournalSigners = journalSigners,
): Promise<TrustedLists | undefined> {
  const opened: OpenedList[] = []
  let read = 0
  for await (const bytes of given) {
    read += 1
    if (read > mostGiven) break
    const list = openList(bytes, {})
    if (typeof list !== 'string') opened.push(list)
  }
  const lotls = opened.filter(({ list, signer }) => list.type === listTypes.lotl && journal.signers.includes(signer.sha256))
  const lotl = newest(lotls)
  const isNewer = lotl !== undefined && (known === undefined || lotl.list.sequence_number > known.lotl.sequence_number)
  const base = isNewer ? startingFrom(lotl, known, now, journal) : known
  if (base === undefined) return undefined
  const lists = new Map(base.lists.map((list) => [list.territory, list]))
  let changed = isNewer
  for (const each of opened) {
    if (each.list.type !== listTypes.national) continue
    const pointer = base.pointers.find(({ territory }) => territory === each.list.territory)
    const before = lists.get(each.list.territory)
    if (pointer?.signers.includes(each.signer.sha256) !== true) continue
    if (before !== undefined && before.sequence_number >= each.list.sequence_number) continue
    lists.set(each.list.territory, listOf(each, pointer.url))
    changed = true
  }
  return changed ? { ...base, made_at: now.toISOString(), lists: [...lists.values()] } : known
}

function newest(lists: readonly OpenedList[]): OpenedList | undefined {
  return lists.toSorted((a, b) => b.list.sequence_number - a.list.sequence_number)[0]
}

function startingFrom(lotl: OpenedList, known: TrustedLists | undefined, now: Date, { journal }: JournalSigners): TrustedLists {
  const pointers = lotl.list.pointers.filter(({ type, territory }) => type === listTypes.national && territory !== 'EU')
  return {
    format: trustedListsFormat,
    made_at: now.toISOString(),
    lotl: { ...factsOf(lotl, known?.lotl.url ?? ''), journal },
    pointers: pointers.map(({ territory, url, signers }): PointedList => ({ territory, url, signers })),
    lists: (known?.lists ?? []).filter(({ territory, signer_sha256 }) =>
      pointers.some((each) => each.territory === territory && each.signers.includes(signer_sha256)),
    ),
  }
}

function listOf(opened: OpenedList, url: string): TrustedList {
  return { ...factsOf(opened, url), services: opened.list.services }
}

function factsOf({ list, sha256, signer }: OpenedList, url: string): ListFacts {
  const { territory, operator, sequence_number, issued_at, next_update } = list
  return { territory, operator, sequence_number, issued_at, next_update, sha256, signer_sha256: signer.sha256, url }
}
