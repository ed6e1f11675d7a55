import { randomUUID } from 'node:crypto'
import { attachmentKey, attachmentPurpose, scopeOf } from '../../modules/support/server/attachments/attachment-key.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { linkSecret, vault } from './open-web-api.test-data.ts'

export type SupportRows = {
  readonly requestId: string
  readonly attachmentId: string
  /** Announced, and not come. */
  readonly awaited: { readonly id: string; readonly key: string }
}

/** What somebody wrote to support, with a file, and another that is on its way. */
export async function haveSupport(db: Db, blobs: BlobStore, userId: string): Promise<SupportRows> {
  const [requestId, messageId, attachmentId, awaitedId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const now = new Date()
  const said = { name: 'Claire', email: 'owner@people.example', title: 'A question', locale: 'en' }
  await db
    .insertInto('support_request')
    .values({ id: requestId, reference: 'ABCDEFGH', user_id: userId, ...said, created_at: now, changed_at: now })
    .execute()
  const message = { id: messageId, request_id: requestId, author: 'sender', text: 'How?', created_at: now }
  await db.insertInto('support_message').values(message).execute()
  const { sha256 } = await blobs.scope(scopeOf(requestId)).putBytes(vault.seal(attachmentPurpose, attachmentId, Buffer.from('a')))
  await db
    .insertInto('support_attachment')
    .values([
      { id: attachmentId, message_id: messageId, place: 0, name: 'a.txt', bytes: 1, blob: sha256, received_at: now },
      { id: awaitedId, message_id: messageId, place: 1, name: 'b.txt', bytes: 1 },
    ])
    .execute()
  return { requestId, attachmentId, awaited: { id: awaitedId, key: attachmentKey(linkSecret, awaitedId) } }
}
