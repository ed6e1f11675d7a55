import { createHash, createHmac } from 'node:crypto'

/** Of a token of 256 random bits, which needs no key: nobody finds it by trying. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** HMAC-SHA-256 under the installation's secret: whoever has a copy of the database alone cannot try values against it. */
export function keyedHash(secret: string, purpose: string, ...parts: readonly string[]): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['identity', purpose, ...parts]))
    .digest()
}

/**
 * The token and the code of a mail, made from the id of its row whenever they are needed: neither the queue nor the database
 * ever holds them, only their hashes (decision 0244).
 */
export function mailedToken(secret: string, id: string): string {
  return keyedHash(secret, 'mailed_token', id).toString('base64url')
}

/** Six digits; 48 bits taken modulo a million are even to one part in 10^8. */
export function mailedCode(secret: string, id: string): string {
  return String(keyedHash(secret, 'mailed_code', id).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

export function codeHash(secret: string, id: string, code: string): Buffer {
  return keyedHash(secret, 'code', id, code)
}
