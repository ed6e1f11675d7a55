import { DomainError } from '../../../../kernel/errors.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findPeople } from '../../../../platform/reach/people-store.ts'
import type { QueuedRequest, StaffRequest, SupportEntry, SupportMessage, SupportRequest } from '../../contract/support.ts'
import { listAttachments, listMessages, type KeptAttachment, type KeptMessage, type KeptRequest } from './request-store.ts'

export const requestNotFound = () => new DomainError('not_found', 'support.request_not_found')

export function presentEntry(request: KeptRequest): SupportEntry {
  return {
    id: request.id,
    reference: request.reference,
    title: request.title,
    status: request.status,
    created_at: request.createdAt.toISOString(),
    changed_at: request.changedAt.toISOString(),
  }
}

const senderOf = ({ name, email, locale, userId }: KeptRequest) => ({ name, email, locale, user_id: userId })

export const presentQueued = (request: KeptRequest): QueuedRequest => ({ ...presentEntry(request), ...senderOf(request) })

export const presentAttachment = ({ id, name, bytes, blob }: KeptAttachment) => ({ id, name, bytes, received: blob !== null })

const presentMessage = (message: KeptMessage, attachments: readonly KeptAttachment[]): SupportMessage => ({
  id: message.id,
  author: message.author,
  text: message.text,
  created_at: message.createdAt.toISOString(),
  attachments: attachments.filter(({ messageId }) => messageId === message.id).map(presentAttachment),
})

async function conversationOf(db: Db | Tx, request: KeptRequest) {
  const messages = await listMessages(db, request.id)
  const attachments = await listAttachments(
    db,
    messages.map(({ id }) => id),
  )
  return { messages, attachments }
}

/** To whoever wrote it: support answers, not one of its people. */
export async function presentRequest(db: Db | Tx, request: KeptRequest): Promise<SupportRequest> {
  const { messages, attachments } = await conversationOf(db, request)
  return { ...presentEntry(request), messages: messages.map((message) => presentMessage(message, attachments)) }
}

export async function presentToStaff(db: Db | Tx, request: KeptRequest): Promise<StaffRequest> {
  const { messages, attachments } = await conversationOf(db, request)
  const people = await findPeople(
    db,
    messages.map(({ staffId }) => staffId),
  )
  return {
    ...presentQueued(request),
    messages: messages.map((message) => ({
      ...presentMessage(message, attachments),
      by: message.staffId === null ? null : (people.get(message.staffId)?.name ?? ''),
    })),
  }
}
