import { createHash, createHmac } from 'node:crypto'

/** 43 characters. Told again while it is shared, and not kept: whoever reads the database opens nothing with it. */
export function shareToken(secret: string, id: string, nonce: Uint8Array): string {
  return createHmac('sha256', secret).update(`probant-share/1\n${id}\n`).update(nonce).digest('base64url')
}

export const hashOfShareToken = (token: string): Uint8Array => createHash('sha256').update(token).digest()
