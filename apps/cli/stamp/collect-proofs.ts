import { isProofOf } from './check-proof.ts'
import { findProofs, type Found, type Lack } from './find-proofs.ts'
import type { Journal } from './journal.ts'
import type { JournalLine, ProofKind } from './journal-lines.ts'
import { isComplete, type Kept, type Wanted } from './journal-state.ts'
import type { ServerCalls } from './server-calls.ts'
import { chooseStem, writeProof } from './write-proof.ts'

/** The first two are there once a deposit is final; the others come with the anchor. */
const kinds = ['tsr', 'ers', 'ots', 'chainpoint'] as const satisfies readonly ProofKind[]
const lacks = ({ proofs }: Kept): boolean => proofs.size < kinds.length

/** How it stands with one content of one file. */
export type Outcome =
  | { readonly state: 'written' }
  /** It is being stamped. */
  | { readonly state: 'pending' }
  /** Code of why there is no proof of it; of a deposit that failed, its owner may try again. */
  | { readonly state: 'failed'; readonly code: string; readonly reason?: string }

export type CollectDeps = {
  readonly journal: Journal
  readonly calls: Pick<ServerCalls, 'read' | 'download' | 'archive'>
  readonly signal: AbortSignal
  readonly onWritten?: (kept: Kept, file: string) => void
}

type Ready = { readonly kept: Kept; readonly found: Found }
type Wrong = Extract<Outcome, { state: 'failed' }>

/** So many files are written at once, and noted together. */
const together = 16

/**
 * Gets the proofs that are there of what is kept and was deposited, and writes them. Each is verified before it is written.
 * @returns how it stands with each, in their order
 * @throws Refused, Unreachable, errors of the journal's file
 */
export async function collectProofs(deps: CollectDeps, entries: readonly Kept[]): Promise<Outcome[]> {
  const { journal } = deps
  const wantedOf = ({ sha256 }: Kept) => journal.wanted.get(sha256)
  const asked = Map.groupBy(
    entries.filter((kept) => lacks(kept) && wantedOf(kept)?.id != null),
    (kept) => wantedOf(kept)?.id ?? '',
  )
  const lacking = kinds.filter((kind) => [...asked.values()].some((some) => some.some(({ proofs }) => !proofs.has(kind))))
  const [lack, wrong, tokens] = [new Map<string, Lack>(), new Map<Kept, Wrong>(), new Map<string, Promise<Buffer | null>>()]
  let ready: Ready[] = []
  const write = async () => {
    await writeSome(deps, ready, { wrong, tokens })
    ready = []
  }
  for await (const found of findProofs(deps, [...asked.keys()], lacking, (id, why) => lack.set(id, why))) {
    for (const kept of asked.get(found.told.id) ?? [])
      if (lackingOf(kept, found).length > 0 && ready.push({ kept, found }) === together) await write()
  }
  await write()
  const outcomes: Outcome[] = []
  for (const kept of entries) {
    const wanted = wantedOf(kept)
    const why = lack.get(wanted?.id ?? '')
    if (why?.over === true && wanted !== undefined && !isComplete(kept))
      await journal.add([{ t: 'lost', mark: wanted.mark, code: why.code }])
    outcomes.push(wrong.get(kept) ?? outcomeOf(kept, wanted, why))
  }
  return outcomes
}

function outcomeOf(kept: Kept, wanted: Wanted | undefined, why: Lack | undefined): Outcome {
  if (isComplete(kept)) return { state: 'written' }
  if (why !== undefined && !why.over) return { state: 'failed', code: why.code }
  return wanted === undefined || wanted.lost === null ? { state: 'pending' } : { state: 'failed', code: wanted.lost }
}

const lackingOf = ({ proofs }: Kept, found: Found): ProofKind[] =>
  kinds.filter((kind) => !proofs.has(kind) && found.proofs.has(kind))

type Round = {
  /** What is wrong with what the server gave, or with where it goes. */
  readonly wrong: Map<Kept, Wrong>
  /** Verified, by what they are over; null: not there. */
  readonly tokens: Map<string, Promise<Buffer | null>>
}

async function writeSome(deps: CollectDeps, ready: readonly Ready[], round: Round): Promise<void> {
  const { journal } = deps
  // Where each goes is settled before anything is written: killed in between, the program finds there what is its own.
  const places: JournalLine[] = []
  const taken = new Set<string>()
  const isTaken = { has: (stem: string) => taken.has(stem) || journal.stems.has(stem) }
  for (const { path, sha256, base } of ready.flatMap(({ kept }) => (kept.stem === null ? [kept] : []))) {
    const stem = await chooseStem(base, sha256, isTaken)
    taken.add(stem)
    places.push({ t: 'place', path, sha256, stem })
  }
  await journal.add(places)
  const written: JournalLine[] = []
  const done = await Promise.allSettled(
    ready.map(async (each) => {
      const fault = await writeProofs(deps, each, round.tokens, (kind) => {
        written.push({ t: 'proof', path: each.kept.path, sha256: each.kept.sha256, kind })
      })
      if (fault !== null) round.wrong.set(each.kept, { state: 'failed', ...fault })
    }),
  )
  await journal.add(written)
  for (const each of done) if (each.status === 'rejected') throw each.reason
}

async function writeProofs(
  deps: CollectDeps,
  { kept, found }: Ready,
  tokens: Round['tokens'],
  onKept: (kind: ProofKind) => void,
): Promise<Omit<Wrong, 'state'> | null> {
  for (const kind of lackingOf(kept, found)) {
    const bytes = await (kind === 'tsr' ? tokenOf(deps, kept, found, tokens) : proofFrom(deps, kind, kept, found))
    if (bytes === null) continue
    if (bytes.length === 0) return { code: 'proof_wrong' }
    try {
      const file = await writeProof(kept.stem ?? '', kind, bytes, {
        isThatProof: async (there) => await isProofOf(kind, there, kept.sha256, found.told, deps.signal),
        makeFolder: kept.base !== kept.path,
      })
      onKept(kind)
      deps.onWritten?.(kept, file)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      return { code: 'unwritable', reason: code }
    }
  }
  return null
}

const notAProof = Buffer.alloc(0)

/** One token covers a batch: it is got, and verified, once; for a file of its own as often as there are files. */
function tokenOf(deps: CollectDeps, kept: Kept, found: Found, tokens: Round['tokens']): Promise<Buffer | null> {
  const { id, sha256, root, isAlone } = found.told
  // What the server says of this very file is held against the token each time: the root alone is common to all.
  const key = isAlone || sha256 !== kept.sha256 ? `${id} ${kept.sha256}` : root
  const known = tokens.get(key) ?? proofFrom(deps, 'tsr', kept, found)
  tokens.set(key, known)
  return known
}

/** Null: it is not there yet, or no more; empty: what was given is no such proof. */
async function proofFrom({ signal }: CollectDeps, kind: ProofKind, kept: Kept, found: Found): Promise<Buffer | null> {
  const bytes = (await found.proofs.get(kind)?.()) ?? null
  if (bytes === null) return null
  return (await isProofOf(kind, bytes, kept.sha256, found.told, signal)) ? bytes : notAProof
}
