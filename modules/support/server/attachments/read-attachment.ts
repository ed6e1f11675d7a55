import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { largestAttachmentBytes } from '../../domain/request.ts'
import type { SupportDeps } from '../requests/deps.ts'
import { requestNotFound } from '../requests/present-request.ts'
import { findAttachment, findRequest, type Whose } from '../requests/request-store.ts'
import { attachmentPurpose, scopeOf } from './attachment-key.ts'

type Which = { readonly requestId: string; readonly attachmentId: string }
export type AttachmentFile = { readonly name: string; readonly bytes: Buffer }

type ReadDeps = Pick<SupportDeps, 'db' | 'blobs' | 'clock' | 'vault'>

async function open(deps: ReadDeps, { requestId, attachmentId }: Which, whose: Whose): Promise<AttachmentFile> {
  const request = await findRequest(deps.db, requestId, whose)
  const attachment = request === null ? null : await findAttachment(deps.db, attachmentId)
  if (request === null || attachment?.requestId !== request.id) throw requestNotFound()
  if (attachment.blob === null) throw new DomainError('not_found', 'support.attachment_missing')
  const sealed = await deps.blobs.scope(scopeOf(request.id)).read(attachment.blob, { maxBytes: largestAttachmentBytes + 1024 })
  return { name: attachment.name, bytes: deps.vault.open(attachmentPurpose, attachment.id, sealed) }
}

/** @throws DomainError `support.request_not_found`, `support.attachment_missing` */
export async function readOwnAttachment(deps: ReadDeps, actor: Actor, which: Which): Promise<AttachmentFile> {
  return await open(deps, which, { userId: actor.userId })
}

/** That somebody of the staff looked stands in the record of acts before he does. @throws DomainError as above */
export async function readQueuedAttachment(deps: ReadDeps, actor: Actor, which: Which): Promise<AttachmentFile> {
  const file = await open(deps, which, 'anybody')
  const subject = { type: 'support_request', id: which.requestId }
  const data = { attachment_id: which.attachmentId }
  await deps.db
    .transaction()
    .execute(async (tx) => await recordAct(tx, deps.clock.now(), { action: 'support.read_attachment', actor, subject, data }))
  return file
}
