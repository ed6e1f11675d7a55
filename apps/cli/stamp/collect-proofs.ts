import type { Document } from '../../../modules/document/contract/document.ts'
import { isProofOf } from './check-proof.ts'
import type { Journal, Kept, ProofKind } from './journal.ts'
import { Refused, type ServerCalls } from './server-calls.ts'
import { chooseStem, writeProof } from './write-proof.ts'

/** There once a deposit is final; the others come with the anchor. */
const first = ['tsr', 'ers'] as const satisfies readonly ProofKind[]
const later = ['ots', 'chainpoint'] as const satisfies readonly ProofKind[]

export const isComplete = ({ proofs }: Kept): boolean => first.every((kind) => proofs.has(kind))
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

/**
 * Gets the proofs that are there of what is kept and was deposited, and writes them. Each is verified before it is written.
 * @returns how it stands with each, in their order
 * @throws Refused, Unreachable, errors of the file system
 */
export async function collectProofs(deps: CollectDeps, entries: readonly Kept[]): Promise<Outcome[]> {
  const { journal } = deps
  const idOf = (kept: Kept) => journal.wanted.get(kept.sha256)?.id ?? null
  const asked = entries.filter((kept) => (!isComplete(kept) || lacksAnchor(kept)) && idOf(kept) !== null)
  const documents = await readDocuments(deps, [...new Set(asked.map((kept) => idOf(kept) ?? ''))])
  const tokens = new Map<string, Buffer>()
  const outcomes: Outcome[] = []
  for (const kept of entries) {
    const wanted = journal.wanted.get(kept.sha256)
    if (wanted !== undefined && wanted.id !== null) {
      const document = documents.get(wanted.id)
      const code = document === null ? 'document.not_found' : document?.status === 'expired' ? 'document.expired' : null
      if (code !== null && !isComplete(kept)) await journal.add([{ t: 'lost', mark: wanted.mark, code }])
      if (document?.status === 'final') {
        const wrong = await writeProofs(deps, kept, document, tokens)
        if (wrong !== null) {
          outcomes.push({ state: 'failed', ...wrong })
          continue
        }
      } else if (document?.status === 'failed') {
        outcomes.push({ state: 'failed', code: document.failure?.code ?? 'document.failed' })
        continue
      }
    }
    if (isComplete(kept)) outcomes.push({ state: 'written' })
    else
      outcomes.push(wanted === undefined || wanted.lost === null ? { state: 'pending' } : { state: 'failed', code: wanted.lost })
  }
  return outcomes
}

type Wrong = { readonly code: string; readonly reason?: string }

/** @returns what is wrong with what the server gave, or with where it goes; null: it is written, as far as there is any */
async function writeProofs(
  deps: CollectDeps,
  kept: Kept,
  document: Document,
  tokens: Map<string, Buffer>,
): Promise<Wrong | null> {
  const { calls, signal } = deps
  for (const kind of [...first, ...later]) {
    const link = linkOf[kind](document)
    if (kept.proofs.has(kind) || link === null) continue
    const batch = document.seal?.batch.id ?? ''
    // One token covers a batch: it is asked for once.
    const bytes = (kind === 'tsr' ? tokens.get(batch) : undefined) ?? (await downloaded(calls, link))
    if (bytes === null) continue
    if (!(await isProofOf(kind, bytes, { sha256: kept.sha256, document }, signal))) return { code: 'proof_wrong' }
    if (kind === 'tsr') tokens.set(batch, bytes)
    try {
      await keep(deps, kept, kind, bytes)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      return { code: 'unwritable', reason: code }
    }
  }
  return null
}

/** Null: it is not there yet, or no more. */
async function downloaded(calls: CollectDeps['calls'], link: string): Promise<Buffer | null> {
  try {
    return await calls.download(link)
  } catch (error) {
    if (error instanceof Refused && (error.status === 404 || error.status === 410)) return null
    throw error
  }
}

async function keep({ journal, onWritten }: CollectDeps, kept: Kept, kind: ProofKind, bytes: Buffer): Promise<void> {
  const { path, sha256 } = kept
  const stem = kept.stem ?? (await chooseStem(kept.base, sha256, journal.stems))
  if (kept.stem === null) await journal.add([{ t: 'place', path, sha256, stem }])
  const file = await writeProof(stem, kind, bytes)
  await journal.add([{ t: 'proof', path, sha256, kind }])
  onWritten?.(kept, file)
}
