import type { Readable } from 'node:stream'
import { DomainError } from '../../../../kernel/errors.ts'
import { attachmentHours } from '../../domain/request.ts'
import type { SupportDeps } from '../requests/deps.ts'
import { presentAttachment } from '../requests/present-request.ts'
import { findAttachment, keepAttachment, type KeptAttachment } from '../requests/request-store.ts'
import { attachmentPurpose, isAttachmentKey, scopeOf } from './attachment-key.ts'

const notAwaited = () => new DomainError('not_found', 'support.attachment_not_awaited')

type Sent = { readonly id: string; readonly key: string; readonly bytes: Readable; readonly signal: AbortSignal }

/** Takes a file that was announced: nothing of it is written before it is enciphered. @throws DomainError, see the contract */
export async function receiveAttachment(
  deps: Pick<SupportDeps, 'db' | 'blobs' | 'clock' | 'secret' | 'vault'>,
  sent: Sent,
): Promise<ReturnType<typeof presentAttachment>> {
  const awaited = isAttachmentKey(deps.secret, sent.id, sent.key) ? await findAttachment(deps.db, sent.id) : null
  const now = deps.clock.now()
  if (awaited === null || now.getTime() - awaited.announcedAt.getTime() > attachmentHours * 3_600_000) throw notAwaited()
  const whole = await read(sent.bytes, awaited)
  sent.signal.throwIfAborted()
  // It came before, and its sender did not hear of it.
  if (awaited.blob !== null) return presentAttachment(awaited)
  const store = deps.blobs.scope(scopeOf(awaited.requestId))
  const { sha256 } = await store.putBytes(deps.vault.seal(attachmentPurpose, awaited.id, whole))
  const kept = await deps.db.transaction().execute(async (tx) => await keepAttachment(tx, awaited.id, sha256, now))
  if (!kept) {
    // Another sending of it was faster, or the request went meanwhile.
    await store.remove(sha256)
    if ((await findAttachment(deps.db, sent.id)) === null) throw notAwaited()
  }
  return presentAttachment({ ...awaited, blob: sha256 })
}

/** Bounded by what was announced, which the contract bounds. */
async function read(bytes: Readable, { bytes: announced }: Pick<KeptAttachment, 'bytes'>): Promise<Buffer> {
  const wrong = () => new DomainError('invalid', 'support.attachment_size', { announced })
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > announced) throw wrong()
    chunks.push(chunk)
  }
  if (length !== announced) throw wrong()
  return Buffer.concat(chunks)
}
