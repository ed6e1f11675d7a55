import { createHash, createHmac } from 'node:crypto'

export type MailedPurpose = 'group_invitation' | 'undo_closing'

/**
 * The token of a mail, made from the id of its row whenever it is needed: neither the queue nor the database ever holds it, only
 * its hash, and a mail that is sent twice has the same link (decision 0244).
 */
export function mailedToken(secret: string, purpose: MailedPurpose, id: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['account', purpose, id]))
    .digest('base64url')
}

/** Of 256 bits that nobody guesses, hence without a key. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
