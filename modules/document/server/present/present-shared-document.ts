import { toHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { SharedDocument } from '../../contract/document.ts'
import { readAnchorProgress } from '../anchor/present-anchor.ts'
import { countSteps, findBatches } from '../deposit/batch-store.ts'
import { haveCertificates } from '../deposit/certificate-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { findPeople } from '../../../../platform/reach/people-store.ts'
import { sharedLinks } from '../links/link-to.ts'
import { findShared } from '../links/share-store.ts'
import { hashOfShareToken } from '../links/share-token.ts'
import { datedBy } from '../stamps/qualify-stamps.ts'
import { presentHealth, presentProofs, presentSeal } from './present-proofs.ts'

/** @throws DomainError `document.not_found`: never shared, or not any more */
export async function readSharedDocument(deps: DocumentWebDeps, token: string): Promise<SharedDocument> {
  const record = await findShared(deps.db, hashOfShareToken(token))
  if (record?.batchId == null) throw new DomainError('not_found', 'document.not_found')
  const batch = (await findBatches(deps.db, [record.batchId])).get(record.batchId)
  const anchors = await readAnchorProgress(deps, batch === undefined ? [] : [batch])
  const qualifications = (await deps.qualify?.(batch === undefined ? [] : [datedBy(batch)])) ?? new Map()
  const steps = (await countSteps(deps.db, [record.id])).get(record.id) ?? 0
  const people = await findPeople(deps.db, [record.ownerId])
  const certified = (await haveCertificates(deps.db, [record.id])).has(record.id)
  return {
    id: record.id,
    owner: { name: people.get(record.ownerId)?.name ?? '' },
    document_name: record.name,
    description: record.description,
    sha256: toHex(record.sha256),
    sha512: record.sha512 === null ? null : toHex(record.sha512),
    status: record.status,
    ...presentProofs(deps, record, { batch, anchors, certified }, sharedLinks(deps)),
    seal: presentSeal(batch, steps, qualifications),
    health: presentHealth(batch, deps.clock.now()),
    sealed_at: record.sealedAt?.toISOString() ?? null,
  }
}
