import { toHex } from '../../../../kernel/bytes.ts'
import { qualificationOf, type Qualifications } from '../../../sealing/server/index.ts'
import type { Document } from '../../contract/document.ts'
import { presentAnchor, type AnchorProgress } from '../anchor/present-anchor.ts'
import type { BatchRecord } from '../deposit/batch-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import type { DocumentRecord } from '../deposit/store.ts'
import type { LinkTo } from '../links/link-to.ts'

/** Files of a deposit that is final, as far as there are any. */
export function presentProofs(
  deps: DocumentWebDeps,
  { id, status }: Pick<DocumentRecord, 'id' | 'status'>,
  {
    batch,
    anchors,
    certified,
  }: { readonly batch: BatchRecord | undefined; readonly anchors: AnchorProgress; readonly certified: boolean },
  linkTo: LinkTo,
): Pick<Document, 'eidas' | 'certificates' | 'proofs_url' | 'evidence_record_url' | 'ots_url' | 'chainpoint_url' | 'anchor'> {
  if (status !== 'final' || batch?.summary == null)
    return {
      eidas: null,
      certificates: null,
      proofs_url: null,
      evidence_record_url: null,
      ots_url: null,
      chainpoint_url: null,
      anchor: null,
    }
  const { anchor, hasOts, hasChainpoint } = presentAnchor(deps, batch, anchors)
  return {
    eidas: linkTo(id, 'tsr'),
    certificates: certified
      ? { en: linkTo(id, 'certificate', 'language=en'), fr: linkTo(id, 'certificate', 'language=fr') }
      : null,
    proofs_url: linkTo(id, 'proofs'),
    evidence_record_url: linkTo(id, 'ers'),
    ots_url: hasOts ? linkTo(id, 'ots') : null,
    chainpoint_url: hasChainpoint ? linkTo(id, 'chainpoint') : null,
    anchor,
  }
}

export function presentSeal(batch: BatchRecord | undefined, steps: number, qualifications: Qualifications): Document['seal'] {
  if (batch?.root == null || batch.summary === null) return null
  const { summary } = batch
  return {
    root: toHex(batch.root),
    signed_at: summary.signed_at,
    timestamps: summary.timestamps.map(({ file, authority, gen_time, embedded }) => ({
      authority,
      gen_time,
      ...qualificationOf(qualifications, batch.id, { file, embedded }),
      embedded,
    })),
    log: summary.log,
    batch: { id: batch.id, size: batch.size, steps },
  }
}

export function presentHealth(batch: BatchRecord | undefined, now: Date): Document['health'] {
  if (batch?.health == null) return null
  const { stampedUntil, renewAt, assessedAt } = batch.health
  return {
    state: stampedUntil <= now ? 'ended' : renewAt === null || renewAt <= now ? 'attention' : 'sound',
    stamped_until: stampedUntil.toISOString(),
    renew_at: renewAt?.toISOString() ?? null,
    assessed_at: assessedAt.toISOString(),
  }
}
