import { createHash } from 'node:crypto'
import { currentOts, findAnchored, type WayToRoot } from '../../sealing/server/index.ts'
import { operationsOf } from '../../verification/server/index.ts'
import { findPath } from './batch-store.ts'
import type { DocumentWebDeps } from './deps.ts'
import type { SealedDeposit } from './download-proofs.ts'
import { loggedOf } from './seal-batch.ts'
import { sha256 } from './sha256.ts'

/** From the fingerprint over the tree of its batch to what the log was given (decision 0282). */
export async function wayToLog(deps: Pick<DocumentWebDeps, 'db'>, { record, batch }: SealedDeposit): Promise<WayToRoot> {
  const path = await findPath(deps.db, record.id)
  return {
    digest: record.sha256,
    operations: [...operationsOf(record.sha256, path, sha256), { op: 'append', data: batch.blind }, { op: 'sha256' }],
  }
}

export type AnchorFile = { readonly name: string; readonly mediaType: string; readonly data: Uint8Array }

/** What ties the fingerprint to the Bitcoin chain, as far as it has come; none while there is nothing. */
export async function anchorFilesOf(
  deps: Pick<DocumentWebDeps, 'db' | 'publicLog'>,
  sealed: SealedDeposit,
): Promise<{ readonly anchored: boolean; readonly files: readonly AnchorFile[] }> {
  const { publicLog } = deps
  if (publicLog === undefined || sealed.batch.summary.log === null) return { anchored: false, files: [] }
  const logged = loggedOf(sealed.batch, sealed.batch.root)
  const way = await wayToLog(deps, sealed)
  const proofs = { db: deps.db, publicLog }
  // Said to be anchored from when the batch was: not a moment before, when only the log knows.
  const anchored = sealed.batch.anchoredAt === null ? null : await findAnchored(proofs, logged, way)
  if (anchored !== null)
    return {
      anchored: true,
      files: anchored.files.map(({ path, media_type: mediaType, bytes }) => ({
        name: path.replace('seal/anchor.', 'document.').replace('seal/anchor-', 'anchor-'),
        mediaType,
        data: bytes,
      })),
    }
  const promised = await currentOts(proofs, logged, way)
  if (promised === null) return { anchored: false, files: [] }
  const name = promised.state === 'pending' ? 'document.pending.ots' : 'document.ots'
  return { anchored: false, files: [{ name, mediaType: 'application/vnd.opentimestamps.v1', data: promised.bytes }] }
}

export const etagOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')
