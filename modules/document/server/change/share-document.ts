import { randomBytes } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { askCertificates } from '../deposit/ask-certificates.ts'
import { listCertificates } from '../deposit/certificate-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { recordDocumentAct } from '../deposit/own-document.ts'
import { lockReachable } from '../deposit/reach-store.ts'
import { setShared } from '../links/share-store.ts'
import { hashOfShareToken, shareToken } from '../links/share-token.ts'

/** Asking again changes nothing. @throws DomainError conflict `document.not_final` */
export async function shareDocument(deps: DocumentWebDeps, actor: Actor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { status, shareNonce } = await lockReachable(tx, actor, id)
    if (shareNonce !== null) return
    if (status !== 'final') throw new DomainError('conflict', 'document.not_final', { status })
    const nonce = randomBytes(16)
    await setShared(tx, id, { nonce, hash: hashOfShareToken(shareToken(deps.secret, id, nonce)) })
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
