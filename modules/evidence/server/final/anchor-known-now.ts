import { fromHex } from '../../../../kernel/bytes.ts'
import { currentOts, findAnchored, type PublicLog, type SealedFile } from '../../../sealing/server/index.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import type { EvidenceAnchor } from '../anchor/anchor-store.ts'
import { evidenceAnchorOf } from './refresh-package.ts'

/** What is known of the anchor as a package is laid out: its proofs when it is confirmed, what calendars promised before, or nothing. */
export async function anchorKnownNow(
  { db, publicLog }: Pick<EvidenceDeps, 'db'> & { readonly publicLog?: Pick<PublicLog, 'find' | 'inclusionPath'> },
  rootHex: string,
): Promise<{
  readonly files: readonly SealedFile[]
  readonly anchor: EvidenceAnchor | null
  /** Leaves of the anchored checkpoint. */
  readonly size?: number
}> {
  if (publicLog === undefined) return { files: [], anchor: null }
  const root = fromHex(rootHex)
  const anchored = await findAnchored({ db, publicLog }, root)
  if (anchored !== null) {
    const { files, anchorId, block, size } = anchored
    return { files, anchor: evidenceAnchorOf(anchorId, block), size }
  }
  const promised = await currentOts({ db, publicLog }, root)
  if (promised === null) return { files: [], anchor: null }
  const { bytes } = promised
  return { files: [{ path: 'seal/anchor.ots', media_type: 'application/vnd.opentimestamps.v1', bytes }], anchor: null }
}
