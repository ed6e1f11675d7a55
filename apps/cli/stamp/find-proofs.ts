import type { Document } from '../../../modules/document/contract/document.ts'
import { largestBatch } from '../../../modules/document/domain/status.ts'
import { proofKinds, type ProofKind } from './journal-lines.ts'
import { indexName, NotAnArchive, readArchive, readIndex, type ArchivedDeposit } from './read-archive.ts'
import { Refused, Unreachable } from './call-server.ts'
import type { ServerCalls } from './server-calls.ts'

/** What the server says of a deposit whose proofs there are. */
export type Told = {
  readonly id: string
  readonly sha256: string
  /** Of its batch; of one that is alone, the fingerprint itself. */
  readonly root: string
  readonly isAlone: boolean
}

/** A deposit, and what there is of its proofs. */
export type Found = { readonly told: Told; readonly proofs: ReadonlyMap<ProofKind, () => Promise<Buffer | null>> }

/** Why a deposit has no proofs. `over`: it never will; else its owner may try again. */
export type Lack = { readonly code: string; readonly over: boolean }

type Deps = { readonly calls: Pick<ServerCalls, 'read' | 'download' | 'archive'> }

const linkOf: Readonly<Record<ProofKind, (document: Document) => string | null>> = {
  tsr: ({ eidas }) => eidas,
  ers: ({ evidence_record_url: url }) => url,
  ots: ({ ots_url: url }) => url,
  chainpoint: ({ chainpoint_url: url }) => url,
}

const fileNames: ReadonlyMap<string, ProofKind> = new Map([
  ['document.tsr', 'tsr'],
  ['document.ers', 'ers'],
  ['document.ots', 'ots'],
  ['document.chainpoint.json', 'chainpoint'],
])

/** More than that are one archive. */
const readOneByOne = 20

/**
 * The proofs of those kinds that there are of deposits, as they come: of a few each by its link, of many from archives of ten thousand. Of those that
 * are being sealed there is nothing.
 * @param onLack told of those that have none, and why
 * @throws Refused, Unreachable
 */
export async function* findProofs(
  deps: Deps,
  ids: readonly string[],
  kinds: readonly ProofKind[],
  onLack: (id: string, lack: Lack) => void,
): AsyncGenerator<Found> {
  if (ids.length <= readOneByOne) {
    yield* readEach(deps, ids, onLack)
    return
  }
  // Of many that were deposited together, all are sealed together: while none of these is, there is nothing to look for.
  const some = [...new Set([ids[0] ?? '', ids[ids.length >> 1] ?? '', ids.at(-1) ?? ''])]
  const states = await Promise.all(some.map(async (id) => (await deps.calls.read(id))?.status))
  if (states.every((status) => status === 'stamping')) return
  for (let at = 0; at < ids.length; at += largestBatch) yield* readMany(deps, ids.slice(at, at + largestBatch), kinds, onLack)
}

async function* readEach(
  { calls }: Deps,
  ids: readonly string[],
  onLack: (id: string, lack: Lack) => void,
): AsyncGenerator<Found> {
  for (const id of ids) {
    const document = await calls.read(id)
    if (document === null) onLack(id, { code: 'document.not_found', over: true })
    else if (document.status === 'expired') onLack(id, { code: 'document.expired', over: true })
    else if (document.status === 'failed') onLack(id, { code: document.failure?.code ?? 'document.failed', over: false })
    else if (document.status === 'final' && document.seal !== null) {
      const { seal, sha256 } = document
      const proofs = new Map<ProofKind, () => Promise<Buffer | null>>()
      for (const kind of proofKinds) {
        const link = linkOf[kind](document)
        if (link !== null) proofs.set(kind, async () => await downloadThere(calls, link))
      }
      yield { told: { id, sha256, root: seal.root, isAlone: seal.batch.size === 1 }, proofs }
    }
  }
}

/** Null: it is not there yet, or no more. */
async function downloadThere(calls: Pick<ServerCalls, 'download'>, link: string): Promise<Buffer | null> {
  try {
    return await calls.download(link)
  } catch (error) {
    if (error instanceof Refused && (error.status === 404 || error.status === 410)) return null
    throw error
  }
}

type Folder = { readonly folder: string; readonly told: Told; readonly proofs: Map<ProofKind, () => Promise<Buffer>> }

async function* readMany(
  deps: Deps,
  ids: readonly string[],
  kinds: readonly ProofKind[],
  onLack: (id: string, lack: Lack) => void,
): AsyncGenerator<Found> {
  const open = new Set(ids)
  try {
    let byFolder: ReadonlyMap<string, ArchivedDeposit> | null = null
    let current = null as Folder | null
    for await (const { path, bytes } of readArchive(await deps.calls.archive(ids, kinds))) {
      if (byFolder === null) {
        if (path !== indexName) throw new NotAnArchive('it does not begin with its index')
        const deposits = readIndex(bytes)
        for (const { id, code } of deposits)
          if (code === 'document.not_found' || code === 'document.expired') onLack(id, { code, over: open.delete(id) })
        byFolder = new Map(deposits.flatMap((each) => (each.folder === null ? [] : [[each.folder, each] as const])))
        continue
      }
      const [folder = '', name = ''] = path.split('/')
      if (current?.folder !== folder) {
        if (current !== null) yield current
        const told = toldOf(byFolder.get(folder))
        if (told === null || !open.delete(told.id)) throw new NotAnArchive('a folder of nothing that was asked for')
        current = { folder, told, proofs: new Map() }
      }
      const kind = fileNames.get(name)
      if (kind !== undefined) current.proofs.set(kind, async () => await Promise.resolve(bytes))
    }
    if (current !== null) yield current
  } catch (error) {
    if (error instanceof NotAnArchive) throw new Unreachable(error.message, { cause: error })
    // None of them is final.
    if (!(error instanceof Refused && error.answer.code === 'document.not_found')) throw error
  }
  // Why these have none is known of each by itself: whether it is being sealed, or failed. Some of many are asked for at a time.
  yield* readEach(deps, [...open].slice(0, readOneByOne), onLack)
}

function toldOf(deposit: ArchivedDeposit | undefined): Told | null {
  const { id = '', sha256 = null, root = null, batch_size: size = null } = deposit ?? {}
  return sha256 === null || root === null || size === null ? null : { id, sha256, root, isAlone: size === 1 }
}
