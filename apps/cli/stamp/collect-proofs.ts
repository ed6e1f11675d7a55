import type { Document } from '../../../modules/document/contract/document.ts'
import { isProofOf } from './check-proof.ts'
import type { Journal } from './journal.ts'
import type { JournalLine, ProofKind } from './journal-lines.ts'
import { isComplete, type Kept, type Wanted } from './journal-state.ts'
import { Refused, type ServerCalls } from './server-calls.ts'
import { chooseStem, writeProof } from './write-proof.ts'

/** There once a deposit is final; the others come with the anchor. */
const first = ['tsr', 'ers'] as const satisfies readonly ProofKind[]
const later = ['ots', 'chainpoint'] as const satisfies readonly ProofKind[]

const lacksAnchor = ({ proofs }: Kept): boolean => later.some((kind) => !proofs.has(kind))

/** How it stands with one content of one file. */
export type Outcome =
  | { readonly state: 'written' }
  /** It is being stamped. */
  | { readonly state: 'pending' }
  /** Code of why there is no proof of it; of a deposit that failed, its owner may try again. */
  | { readonly state: 'failed'; readonly code: string; readonly reason?: string }

export type CollectDeps = {
  readonly journal: Journal
  readonly calls: Pick<ServerCalls, 'read' | 'list' | 'download'>
  readonly signal: AbortSignal
  readonly onWritten?: (kept: Kept, file: string) => void
}

const linkOf: Readonly<Record<ProofKind, (document: Document) => string | null>> = {
  tsr: ({ eidas }) => eidas,
  ers: ({ evidence_record_url: url }) => url,
  ots: ({ ots_url: url }) => url,
  chainpoint: ({ chainpoint_url: url }) => url,
}

const readOneByOne = 20

/** As they stand; those of many are found in the list, a hundred in a call. One that is not there is null. */
async function readDocuments(
  { calls }: Pick<CollectDeps, 'calls'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Document | null>> {
  const found = new Map<string, Document | null>()
  const readEach = async (some: readonly string[]) => {
    for (const id of some) found.set(id, await calls.read(id))
  }
  if (ids.length > readOneByOne) {
    // Of many that were deposited together, all are sealed together: while none of these is, there is nothing to look for.
    await readEach([ids[0] ?? '', ids[ids.length >> 1] ?? '', ids.at(-1) ?? ''])
    if ([...found.values()].every((each) => each?.status === 'stamping')) return found
    const missing = new Set(ids.filter((id) => !found.has(id)))
    const mostPages = 2 * Math.ceil(ids.length / 100) + 2
    for (let page = 1; page <= mostPages && missing.size > 0; page += 1) {
      const { documents, last } = await calls.list(page)
      for (const document of documents) if (missing.delete(document.id)) found.set(document.id, document)
      if (last) break
    }
  }
  await readEach(ids.filter((id) => !found.has(id)).slice(0, readOneByOne))
  return found
}

/** So many files are written at once, and noted together. */
const together = 16

/**
 * Gets the proofs that are there of what is kept and was deposited, and writes them. Each is verified before it is written.
 * @returns how it stands with each, in their order
 * @throws Refused, Unreachable, errors of the journal's file
 */
export async function collectProofs(deps: CollectDeps, entries: readonly Kept[]): Promise<Outcome[]> {
  const { journal } = deps
  const idOf = (kept: Kept) => journal.wanted.get(kept.sha256)?.id ?? null
  const asked = entries.filter((kept) => (!isComplete(kept) || lacksAnchor(kept)) && idOf(kept) !== null)
  const documents = await readDocuments(deps, [...new Set(asked.map((kept) => idOf(kept) ?? ''))])
  const documentOf = (kept: Kept) => documents.get(idOf(kept) ?? '')
  const ready = asked.flatMap((kept) => {
    const document = documentOf(kept)
    return document?.status === 'final' && lacking(kept, document).length > 0 ? [{ kept, document }] : []
  })
  const wrong = await writeAll(deps, ready)
  const outcomes: Outcome[] = []
  for (const kept of entries) {
    const document = documentOf(kept)
    const over = document === null ? 'document.not_found' : document?.status === 'expired' ? 'document.expired' : null
    const wanted = journal.wanted.get(kept.sha256)
    if (over !== null && wanted !== undefined && !isComplete(kept))
      await journal.add([{ t: 'lost', mark: wanted.mark, code: over }])
    outcomes.push(wrong.get(kept) ?? outcomeOf(kept, wanted, document))
  }
  return outcomes
}

function outcomeOf(kept: Kept, wanted: Wanted | undefined, document: Document | null | undefined): Outcome {
  if (isComplete(kept)) return { state: 'written' }
  if (document?.status === 'failed') return { state: 'failed', code: document.failure?.code ?? 'document.failed' }
  return wanted === undefined || wanted.lost === null ? { state: 'pending' } : { state: 'failed', code: wanted.lost }
}

type Ready = { readonly kept: Kept; readonly document: Document }
type Wrong = Extract<Outcome, { state: 'failed' }>

const lacking = ({ proofs }: Kept, document: Document): ProofKind[] =>
  [...first, ...later].filter((kind) => !proofs.has(kind) && linkOf[kind](document) !== null)

/** @returns what is wrong with what the server gave, or with where it goes */
async function writeAll(deps: CollectDeps, ready: readonly Ready[]): Promise<ReadonlyMap<Kept, Wrong>> {
  const { journal } = deps
  const wrong = new Map<Kept, Wrong>()
  const tokens = new Map<string, Promise<Buffer | null>>()
  for (let at = 0; at < ready.length; at += together) {
    const some = ready.slice(at, at + together)
    // Where each goes is settled before anything is written: killed in between, the program finds there what is its own.
    const places: JournalLine[] = []
    const taken = new Set(journal.stems)
    for (const { path, sha256, base } of some.flatMap(({ kept }) => (kept.stem === null ? [kept] : []))) {
      const stem = await chooseStem(base, sha256, taken)
      taken.add(stem)
      places.push({ t: 'place', path, sha256, stem })
    }
    await journal.add(places)
    const written: JournalLine[] = []
    const done = await Promise.allSettled(
      some.map(async (each) => {
        const fault = await writeProofs(deps, each, tokens, (kind) => {
          written.push({ t: 'proof', path: each.kept.path, sha256: each.kept.sha256, kind })
        })
        if (fault !== null) wrong.set(each.kept, { state: 'failed', ...fault })
      }),
    )
    await journal.add(written)
    for (const each of done) if (each.status === 'rejected') throw each.reason
  }
  return wrong
}

async function writeProofs(
  deps: CollectDeps,
  { kept, document }: Ready,
  tokens: Map<string, Promise<Buffer | null>>,
  onKept: (kind: ProofKind) => void,
): Promise<Omit<Wrong, 'state'> | null> {
  const of = { sha256: kept.sha256, document }
  for (const kind of lacking(kept, document)) {
    const bytes = await (kind === 'tsr' ? tokenOf(deps, of, tokens) : proofFrom(deps, kind, of))
    if (bytes === null) continue
    if (bytes.length === 0) return { code: 'proof_wrong' }
    try {
      const file = await writeProof(kept.stem ?? '', kind, bytes, {
        isThatProof: (there) => isProofOf(kind, there, of, deps.signal),
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

type Of = { readonly sha256: string; readonly document: Document }
const notAProof = Buffer.alloc(0)

/** One token covers a batch: it is asked for, and verified, once; for a file of its own as often as there are files. */
function tokenOf(deps: CollectDeps, of: Of, tokens: Map<string, Promise<Buffer | null>>): Promise<Buffer | null> {
  const { seal, sha256 } = of.document
  const isAlone = seal?.batch.size === 1
  // What the server says of this very file is held against the token each time: the root alone is common to all.
  const key = isAlone || sha256 !== of.sha256 ? `${of.document.id} ${of.sha256}` : `${seal?.batch.id ?? ''} ${seal?.root ?? ''}`
  const found = tokens.get(key) ?? proofFrom(deps, 'tsr', of)
  tokens.set(key, found)
  return found
}

/** Null: it is not there yet, or no more; empty: what was given is no such proof. */
async function proofFrom({ calls, signal }: CollectDeps, kind: ProofKind, of: Of): Promise<Buffer | null> {
  try {
    const bytes = await calls.download(linkOf[kind](of.document) ?? '')
    return (await isProofOf(kind, bytes, of, signal)) ? bytes : notAProof
  } catch (error) {
    if (error instanceof Refused && (error.status === 404 || error.status === 410)) return null
    throw error
  }
}
