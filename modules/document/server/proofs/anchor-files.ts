import { openAnchored, openCurrentOts, type WayToRoot } from '../../../sealing/server/index.ts'
import { operationsOf } from '../../../verification/server/index.ts'
import { findPath } from '../deposit/batch-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import type { SealedDeposit } from './sealed-deposit.ts'
import { loggedOf } from '../seal/seal-batch.ts'
import { sha256 } from '../deposit/sha256.ts'

/** From the fingerprint over the tree of its batch to what the log was given (decision 0282). @param path to the root, nearest first */
function wayToLog(blind: Uint8Array, digest: Uint8Array, path: readonly Uint8Array[]): WayToRoot {
  return { digest, operations: [...operationsOf(digest, path, sha256), { op: 'append', data: blind }, { op: 'sha256' }] }
}

export type AnchorFile = { readonly name: string; readonly mediaType: string; readonly data: Uint8Array }
export type AnchorFiles = { readonly anchored: boolean; readonly files: readonly AnchorFile[] }

/**
 * What ties fingerprints to the Bitcoin chain, as far as it has come: found once for a batch, told of each of its deposits by the
 * fingerprint and its path to the root. No files while there is nothing.
 */
export async function openAnchorFiles(
  deps: Pick<DocumentWebDeps, 'db' | 'publicLog'>,
  batch: SealedDeposit['batch'],
): Promise<(digest: Uint8Array, path: readonly Uint8Array[]) => AnchorFiles> {
  const { publicLog } = deps
  if (publicLog === undefined || batch.summary.log === null) return () => ({ anchored: false, files: [] })
  const logged = loggedOf(batch, batch.root)
  const proofs = { db: deps.db, publicLog }
  // Said to be anchored from when the batch was: not a moment before, when only the log knows.
  const anchored = batch.anchoredAt === null ? null : await openAnchored(proofs, logged)
  if (anchored !== null)
    return (digest, path) => ({
      anchored: true,
      files: anchored(wayToLog(batch.blind, digest, path)).files.map(({ path: at, media_type: mediaType, bytes }) => ({
        name: at.replace('seal/anchor.', 'document.').replace('seal/anchor-', 'anchor-'),
        mediaType,
        data: bytes,
      })),
    })
  const promised = await openCurrentOts(proofs, logged)
  if (promised === null) return () => ({ anchored: false, files: [] })
  return (digest, path) => {
    const { state, bytes } = promised(wayToLog(batch.blind, digest, path))
    const name = state === 'pending' ? 'document.pending.ots' : 'document.ots'
    return { anchored: false, files: [{ name, mediaType: 'application/vnd.opentimestamps.v1', data: bytes }] }
  }
}

/** The same of one deposit. */
export async function anchorFilesOf(
  deps: Pick<DocumentWebDeps, 'db' | 'publicLog'>,
  { record, batch }: SealedDeposit,
): Promise<AnchorFiles> {
  return (await openAnchorFiles(deps, batch))(record.sha256, await findPath(deps.db, record.id))
}
