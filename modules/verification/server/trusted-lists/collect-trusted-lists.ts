import type { Clock } from '../../../../kernel/clock.ts'
import type { JournalSigners } from '../../domain/trusted-list/journal-signers.ts'
import { openList } from '../../domain/trusted-list/open-list.ts'
import type { ListFlaw, OpenedList } from '../../domain/trusted-list/open-list.ts'
import { listTypes } from '../../domain/trusted-list/read-list.ts'
import type { ListPointer } from '../../domain/trusted-list/read-list.ts'
import { trustedListsFormat } from '../../domain/known/trusted-lists.ts'
import type { ListFacts, TrustedList, TrustedLists } from '../../domain/known/trusted-lists.ts'
import type { FetchFlaw } from './fetch-list.ts'
import { FetchListError } from './fetch-list.ts'

/** Why a list was not taken. Words `verification.trusted_list.flaw.<flaw>`. */
export type CollectFlaw = ListFlaw | FetchFlaw | 'rollback' | 'expired' | 'pivots'

export type ListOutcome = {
  readonly territory: string
  readonly url: string
  /** `fresh`: what the source serves now. `kept`: what was read before stands. `missing`: nothing is known of that list. */
  readonly state: 'fresh' | 'kept' | 'missing'
  readonly flaw: CollectFlaw | null
}

export type Collected = { readonly lists: TrustedLists | undefined; readonly outcomes: readonly ListOutcome[] }

/** Answers the bytes at an address. @throws FetchListError */
export type FetchList = (url: string) => Promise<Uint8Array>

export type CollectDeps = {
  readonly fetch: FetchList
  readonly clock: Clock
  readonly lotlUrl: string
  readonly journal: JournalSigners
  /** Whether a list of lists past its next update is taken: only to make a snapshot of another day. */
  readonly acceptExpired?: boolean
}

const mostPivots = 20

/**
 * Reads the list of lists, its pivots, then each national list, every one verified, and what was read before where one cannot be had.
 * Nothing older than what is known replaces it. Never throws on what the sources answer.
 */
export async function collectTrustedLists(deps: CollectDeps, previous: TrustedLists | undefined): Promise<Collected> {
  const lotl = await openLotl(deps, previous)
  if (typeof lotl === 'string') {
    const state = previous === undefined ? 'missing' : 'kept'
    return { lists: previous, outcomes: [{ territory: 'EU', url: deps.lotlUrl, state, flaw: lotl }] }
  }
  const pointers = lotl.list.pointers.filter(({ type, territory }) => type === listTypes.national && territory !== 'EU')
  const outcomes: ListOutcome[] = [{ territory: 'EU', url: deps.lotlUrl, state: 'fresh', flaw: null }]
  const lists: TrustedList[] = []
  for (const territory of new Set(pointers.map((each) => each.territory))) {
    const places = pointers.filter((each) => each.territory === territory)
    const { list, outcome } = await nationalList(deps, places, previous)
    if (list !== undefined) lists.push(list)
    outcomes.push(outcome)
  }
  return {
    lists: {
      format: trustedListsFormat,
      made_at: deps.clock.now().toISOString(),
      lotl: { ...factsOf(lotl, deps.lotlUrl), journal: deps.journal.journal },
      pointers: merged(pointers),
      lists,
    },
    outcomes,
  }
}

/** Two places of one State's list, as when the format changed: either's signers may have signed what is had. */
function merged(pointers: readonly ListPointer[]): TrustedLists['pointers'] {
  const found = new Map<string, { territory: string; url: string; signers: string[] }>()
  for (const { territory, url, signers } of pointers) {
    const known = found.get(territory)
    if (known === undefined) found.set(territory, { territory, url, signers: [...signers] })
    else known.signers.push(...signers.filter((each) => !known.signers.includes(each)))
  }
  return [...found.values()]
}

async function openLotl(deps: CollectDeps, previous: TrustedLists | undefined): Promise<OpenedList | CollectFlaw> {
  const bytes = await fetched(deps, deps.lotlUrl)
  if (typeof bytes === 'string') return bytes
  // Read once without regard to who signed it: only where its pivots are is taken from that.
  const claimed = openList(bytes, { kind: 'lotl', territory: 'EU' })
  if (typeof claimed === 'string') return claimed
  const signers = await signersAfterPivots(deps, claimed.list.uris)
  if (typeof signers === 'string') return signers
  const lotl = openList(bytes, { kind: 'lotl', territory: 'EU', signers })
  if (typeof lotl === 'string') return lotl
  if (previous !== undefined && isOlder(lotl, previous.lotl)) return 'rollback'
  const { next_update } = lotl.list
  const expired = next_update === null || Date.parse(next_update) < deps.clock.now().getTime()
  return expired && deps.acceptExpired !== true ? 'expired' : lotl
}

/**
 * A change of the signers between two publications in the Official Journal is told by pivots: earlier lists of lists, each signed
 * by those named before it, the newest first in the list of lists, down to the publication that they start from.
 */
async function signersAfterPivots(deps: CollectDeps, uris: readonly string[]): Promise<ReadonlySet<string> | CollectFlaw> {
  let signers: ReadonlySet<string> = new Set(deps.journal.signers)
  const start = uris.indexOf(deps.journal.url)
  const pivots = (start === -1 ? [] : uris.slice(0, start)).filter((uri) => uri.endsWith('.xml')).toReversed()
  const { origin } = new URL(deps.lotlUrl)
  const elsewhere = pivots.some((uri) => !URL.canParse(uri) || new URL(uri).origin !== origin)
  if (pivots.length > mostPivots || elsewhere) return 'pivots'
  let reached = 0
  for (const uri of pivots) {
    const bytes = await fetched(deps, uri)
    if (typeof bytes === 'string') return bytes
    const pivot = openList(bytes, { kind: 'lotl', territory: 'EU', signers })
    if (typeof pivot === 'string') return pivot
    const self = pivot.list.pointers.find(({ territory, type }) => territory === 'EU' && type === listTypes.lotl)
    if (pivot.list.sequence_number <= reached || self === undefined || self.signers.length === 0) return 'pivots'
    reached = pivot.list.sequence_number
    signers = new Set(self.signers)
  }
  return signers
}

async function nationalList(
  deps: CollectDeps,
  places: readonly ListPointer[],
  previous: TrustedLists | undefined,
): Promise<{ list: TrustedList | undefined; outcome: ListOutcome }> {
  const territory = places[0]?.territory ?? ''
  const before = previous?.lists.find((each) => each.territory === territory)
  let flaw: CollectFlaw = 'signer'
  for (const { url, signers } of places) {
    const bytes = await fetched(deps, url)
    const opened = typeof bytes === 'string' ? bytes : openList(bytes, { kind: 'national', territory, signers: new Set(signers) })
    if (typeof opened === 'string') flaw = opened
    else if (before !== undefined && isOlder(opened, before)) flaw = 'rollback'
    else {
      const list = { ...factsOf(opened, url), services: opened.list.services }
      return { list, outcome: { territory, url, state: 'fresh', flaw: null } }
    }
  }
  // A State whose key was replaced may have lost the old one: what it signed is not relied upon any more.
  const stands = before !== undefined && places.some(({ signers }) => signers.includes(before.signer_sha256))
  const url = places[0]?.url ?? ''
  return { list: stands ? before : undefined, outcome: { territory, url, state: stands ? 'kept' : 'missing', flaw } }
}

function isOlder({ list }: OpenedList, known: ListFacts): boolean {
  if (list.sequence_number !== known.sequence_number) return list.sequence_number < known.sequence_number
  return Date.parse(list.issued_at) < Date.parse(known.issued_at)
}

async function fetched(deps: CollectDeps, url: string): Promise<Uint8Array | CollectFlaw> {
  try {
    return await deps.fetch(url)
  } catch (error) {
    if (error instanceof FetchListError) return error.flaw
    throw error
  }
}

function factsOf({ list, sha256, signer }: OpenedList, url: string): ListFacts {
  const { territory, operator, sequence_number, issued_at, next_update } = list
  return { territory, operator, sequence_number, issued_at, next_update, sha256, signer_sha256: signer.sha256, url }
}
