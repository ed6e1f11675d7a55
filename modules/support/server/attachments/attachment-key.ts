import { createHmac, timingSafeEqual } from 'node:crypto'

/** Opens the one call that takes that file: made from its id whenever it is needed, so that nothing of it is kept. */
export function attachmentKey(secret: string, id: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['probant-support-attachment/1', id]))
    .digest('base64url')
}

export function isAttachmentKey(secret: string, id: string, shown: string): boolean {
  const expected = Buffer.from(attachmentKey(secret, id))
  const given = Buffer.from(shown)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Each request has its scope of the blob store: erasing one touches no other. */
export const scopeOf = (requestId: string): string => `support-${requestId}`

export const attachmentPurpose = 'support.attachment'
