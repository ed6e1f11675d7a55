import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { askCertificates } from '../deposit/ask-certificates.ts'
import { findBatches } from '../deposit/batch-store.ts'
import { haveCertificates } from '../deposit/certificate-store.ts'
import { recordDocumentAct } from '../deposit/own-document.ts'
import { setStore, type DocumentRecord } from '../deposit/store.ts'
import { announceCopy, findCopy, findCopyOf } from './copy-store.ts'
import { endCopy } from './end-copy.ts'

/** @throws DomainError `document.copy_of_nothing` */
export function refuseOfNothing({ status, trashedAt, contentDeletedAt }: DocumentRecord): void {
  if (status === 'expired' || trashedAt !== null || contentDeletedAt !== null)
    throw new DomainError('conflict', 'document.copy_of_nothing')
}

/**
 * E-33: a copy is wished after all, or no longer; what there is of it then goes. The caller holds the deposit.
 * @throws DomainError `document.copy_of_nothing`
 */
export async function wishCopy(tx: Tx, actor: Actor, record: DocumentRecord, store: boolean, now: Date): Promise<void> {
  if (store === record.store) return
  if (store) refuseOfNothing(record)
  else await endCopyByOwner(tx, actor, record, now)
  await setStore(tx, record.id, store)
  await recordDocumentAct(tx, now, store ? 'copy_wished' : 'copy_unwished', actor, record.id)
}

/** Whatever there is of it goes at once; certificates say so where they said that it came. The caller holds the deposit. */
export async function endCopyByOwner(tx: Tx, actor: Actor, record: DocumentRecord, now: Date): Promise<void> {
  const found = await findCopyOf(tx, record.id)
  const copy = found === null ? null : await findCopy(tx, found.id, true)
  if (copy === null || copy.sealedKey === null) return
  await endCopy(tx, copy.id, { by: 'owner', at: now })
  if (copy.storedAt !== null) await certifyAnew(tx, record)
  await announceCopy(tx, record.id)
  await recordDocumentAct(tx, now, 'copy_deleted', actor, record.id)
}

/** There is something else to be said of the copy. Of a batch of many, a certificate is made when it is first asked for. */
export async function certifyAnew(tx: Tx, { id, status, batchId }: DocumentRecord): Promise<void> {
  if (status !== 'final') return
  const batch = batchId === null ? undefined : (await findBatches(tx, [batchId])).get(batchId)
  if (batch?.size === 1 || (await haveCertificates(tx, [id])).has(id)) await askCertificates(tx, id)
}
