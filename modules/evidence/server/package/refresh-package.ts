import { fromHex } from '../../../../kernel/bytes.ts'
import {
  anchorFilePaths,
  coverEntries,
  findAnchored,
  type AnchorBlock,
  type PublicLog,
  type Timestamper,
} from '../../../sealing/server/index.ts'
import type { EvidenceDeps } from '../deps.ts'
import { findSeal, insertFiles, listFiles, orderFiles, type FileRecord } from '../file-store.ts'
import { storeBytes } from '../store-files.ts'
import { findEvidence, lockEvidence } from '../store.ts'
import { deleteFiles, insertEvidenceAnchor, type EvidenceAnchor } from './anchor-store.ts'
import { coverMediaType } from './lay-out.ts'

export type RefreshDeps = EvidenceDeps & {
  readonly timestampers: readonly Timestamper[]
  /** Absent: nothing is ever anchored. */
  readonly publicLog?: Pick<PublicLog, 'find' | 'inclusionPath'>
}

export function evidenceAnchorOf(anchorId: string, block: AnchorBlock): EvidenceAnchor {
  const { height, hash, time, sources } = block
  return { anchorId, height, blockHash: hash, blockTime: time, headerSources: sources }
}

/**
 * Makes the package of a final evidence anew with the proofs of its anchor: three files more, and the list of the core with a token
 * of its own. Seal, reports and pieces stay as they were. The package as it was is served no more, and still verifies.
 * Nothing happens while no confirmed anchor covers the evidence, or when it was done already.
 */
export async function refreshPackage(deps: RefreshDeps, evidenceId: string, signal: AbortSignal): Promise<void> {
  const { db, publicLog, timestampers } = deps
  const evidence = await findEvidence(db, evidenceId)
  const seal = await findSeal(db, evidenceId)
  if (evidence?.status !== 'final' || evidence.anchoredAt !== null || seal === null || publicLog === undefined) return
  const anchored = await findAnchored({ db, publicLog }, fromHex(seal.root))
  if (anchored === null) return

  const scope = deps.blobs.scope(evidenceId)
  const files = (await listFiles(db, evidenceId)).filter(({ path }) => !isAnchorFile(path))
  const proofs: FileRecord[] = []
  for (const { path, media_type: mediaType, bytes } of anchored.files)
    proofs.push(await storeBytes(scope, { path, section: 'seal', role: null, mediaType }, bytes))
  const core = withProofs(
    files.filter(({ section }) => section === 'seal' || section === 'core'),
    proofs,
  )
  const covers: FileRecord[] = []
  const covered = core.filter(({ path }) => path !== 'mimetype').map(({ path, sha256 }) => ({ path, sha256 }))
  for (const { path, bytes } of await coverEntries({ number: 1, entries: covered }, { timestampers, signal }))
    covers.push(await storeBytes(scope, { path, section: 'cover_core', role: null, mediaType: coverMediaType(path) }, bytes))

  await db.transaction().execute(async (tx) => {
    const locked = await lockEvidence(tx, evidenceId)
    if (locked?.status !== 'final' || locked.anchoredAt !== null) return
    await deleteFiles(tx, evidenceId, [...anchorFilePaths, ...covers.map(({ path }) => path)])
    await insertFiles(tx, evidenceId, [...proofs, ...covers])
    const order = [
      ...core,
      ...files.filter(({ section }) => section === 'piece'),
      ...covers,
      ...files.filter(({ section }) => section === 'cover_pieces'),
    ]
    await orderFiles(
      tx,
      evidenceId,
      order.map(({ path }) => path),
    )
    await insertEvidenceAnchor(tx, evidenceId, evidenceAnchorOf(anchored.anchorId, anchored.block), deps.clock.now())
  })
}

function isAnchorFile(path: string): boolean {
  return anchorFilePaths.some((known) => known === path)
}

/** After the other files of the seal (docs/package-format.md). */
function withProofs(core: readonly FileRecord[], proofs: readonly FileRecord[]): FileRecord[] {
  const last = core.findLastIndex(({ path }) => path.startsWith('seal/'))
  return [...core.slice(0, last + 1), ...proofs, ...core.slice(last + 1)]
}
