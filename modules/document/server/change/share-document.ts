import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { SharedDocument } from '../../contract/document.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { askCertificates } from '../deposit/ask-certificates.ts'
import { haveCertificates, listCertificates } from '../deposit/certificate-store.ts'
import { countSteps, findBatches } from '../deposit/batch-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { sharedLinks } from '../links/link-to.ts'
import { recordDocumentAct } from '../deposit/own-document.ts'
import { findNames } from '../deposit/people-store.ts'
import { readAnchorProgress } from '../anchor/present-anchor.ts'
import { presentHealth, presentProofs, presentSeal } from '../present/present-document.ts'
import { toHex } from '../../../../kernel/bytes.ts'
import { datedBy } from '../stamps/qualify-stamps.ts'
import { lockReachable } from '../deposit/reach-store.ts'
import { findShared, setShared } from '../links/share-store.ts'

/** 43 characters. Told again while it is shared, and not kept: whoever reads the database opens nothing with it. */
export function shareToken(secret: string, id: string, nonce: Uint8Array): string {
  return createHmac('sha256', secret).update(`probant-share/1\n${id}\n`).update(nonce).digest('base64url')
}

const hashOf = (token: string): Uint8Array => createHash('sha256').update(token).digest()

/** Asking again changes nothing. @throws DomainError conflict `document.not_final` */
export async function shareDocument(deps: DocumentWebDeps, actor: Actor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { status, shareNonce } = await lockReachable(tx, actor, id)
    if (shareNonce !== null) return
    if (status !== 'final') throw new DomainError('conflict', 'document.not_final', { status })
    const nonce = randomBytes(16)
    await setShared(tx, id, { nonce, hash: hashOf(shareToken(deps.secret, id, nonce)) })
    await recordDocumentAct(tx, deps.clock.now(), 'shared', actor, id)
    await renewCertificates(tx, id)
  })
}

/** The address opens nothing any more, and another one is made when it is shared again. */
export async function unshareDocument(deps: DocumentWebDeps, actor: Actor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if ((await lockReachable(tx, actor, id)).shareNonce === null) return
    await setShared(tx, id, null)
    await recordDocumentAct(tx, deps.clock.now(), 'unshared', actor, id)
    await renewCertificates(tx, id)
  })
}

/** Where there are some: they name the address of the page while there is one. */
async function renewCertificates(tx: Tx, id: string): Promise<void> {
  if ((await listCertificates(tx, id)).length > 0) await askCertificates(tx, id)
}

/** @throws DomainError `document.not_found`: never shared, or not any more */
export async function readSharedDocument(deps: DocumentWebDeps, token: string): Promise<SharedDocument> {
  const record = await findShared(deps.db, hashOf(token))
  if (record?.batchId == null) throw new DomainError('not_found', 'document.not_found')
  const batch = (await findBatches(deps.db, [record.batchId])).get(record.batchId)
  const anchors = await readAnchorProgress(deps, batch === undefined ? [] : [batch])
  const qualifications = (await deps.qualify?.(batch === undefined ? [] : [datedBy(batch)])) ?? new Map()
  const steps = (await countSteps(deps.db, [record.id])).get(record.id) ?? 0
  const names = await findNames(deps.db, [record.ownerId])
  const certified = (await haveCertificates(deps.db, [record.id])).has(record.id)
  return {
    id: record.id,
    owner: { name: names.get(record.ownerId) ?? '' },
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
