/** The SQL of what is sent by mail, and of invitations to register. */
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type TokenPurpose = 'confirm_address' | 'reset_password' | 'undo_closing'

export type MailedToken = {
  readonly id: string
  readonly userId: string
  readonly purpose: TokenPurpose
  readonly emailId: string | null
  readonly codeHash: Buffer | null
  readonly expiresAt: Date
  readonly usedAt: Date | null
}

const columns = [
  'mailed_token.id',
  'mailed_token.user_id',
  'mailed_token.purpose',
  'mailed_token.email_id',
  'mailed_token.code_hash',
  'mailed_token.expires_at',
  'mailed_token.used_at',
] as const

type Row = {
  id: string
  user_id: string
  purpose: string
  email_id: string | null
  code_hash: Buffer | null
  expires_at: Date
  used_at: Date | null
}

function toToken(row: Row): MailedToken {
  return {
    id: row.id,
    userId: row.user_id,
    purpose: row.purpose as TokenPurpose,
    emailId: row.email_id,
    codeHash: row.code_hash,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  }
}

export async function insertMailedToken(
  tx: Tx,
  token: Omit<MailedToken, 'usedAt'> & { readonly tokenHash: Buffer },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('mailed_token')
    .values({
      id: token.id,
      user_id: token.userId,
      purpose: token.purpose,
      email_id: token.emailId,
      token_hash: token.tokenHash,
      code_hash: token.codeHash,
      created_at: now,
      expires_at: token.expiresAt,
    })
    .execute()
}

/** The newest mail's code counts: those before are codes no more, their links still lead somewhere. */
export async function endCodes(tx: Tx, emailId: string): Promise<void> {
  await tx.updateTable('mailed_token').set({ code_hash: null }).where('email_id', '=', emailId).execute()
}

/** Every link of that kind that waits in somebody's mailbox ends. */
export async function deleteMailedTokens(tx: Tx, userId: string, purpose: TokenPurpose): Promise<void> {
  await tx.deleteFrom('mailed_token').where('user_id', '=', userId).where('purpose', '=', purpose).execute()
}

export async function findMailedToken(db: Db | Tx, id: string): Promise<MailedToken | null> {
  const row = await db.selectFrom('mailed_token').select(columns).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toToken(row)
}

/** Without holding it: for what is then held together with its mailbox. */
export async function findTokenByHash(db: Db | Tx, purpose: TokenPurpose, tokenHash: Buffer): Promise<MailedToken | null> {
  const row = await db
    .selectFrom('mailed_token')
    .select(columns)
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return row === undefined ? null : toToken(row)
}

/** Held until the transaction ends. */
export async function lockTokenByHash(tx: Tx, purpose: TokenPurpose, tokenHash: Buffer): Promise<MailedToken | null> {
  const row = await tx
    .selectFrom('mailed_token')
    .select(columns)
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toToken(row)
}

/** Whose codes may be typed for an address, each with fewer wrong tries than allowed; held until the transaction ends. */
export async function lockTypedCodes(tx: Tx, addressKey: string, now: Date, mostAttempts: number): Promise<MailedToken[]> {
  const rows = await tx
    .selectFrom('mailed_token')
    .innerJoin('email_address', 'email_address.id', 'mailed_token.email_id')
    .select(columns)
    .where('email_address.address_key', '=', addressKey)
    .where('email_address.verified_at', 'is', null)
    .where('mailed_token.code_hash', 'is not', null)
    .where('mailed_token.used_at', 'is', null)
    .where('mailed_token.expires_at', '>', now)
    .where('mailed_token.attempts', '<', mostAttempts)
    .orderBy('mailed_token.id')
    .forUpdate('mailed_token')
    .execute()
  return rows.map(toToken)
}

export async function countWrongCode(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('mailed_token')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', [...ids])
    .execute()
}

export async function useToken(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('mailed_token').set({ used_at: now }).where('id', '=', id).execute()
}

/** What was used or has expired is kept a while, so that its link can say so. */
export async function deleteOldTokens(db: Db, before: Date): Promise<number> {
  return Number((await db.deleteFrom('mailed_token').where('expires_at', '<', before).executeTakeFirst()).numDeletedRows)
}

export async function insertInvitation(db: Db | Tx, tokenHash: Buffer, now: Date, expiresAt: Date): Promise<void> {
  await db
    .insertInto('registration_invitation')
    .values({ token_hash: tokenHash, created_at: now, expires_at: expiresAt })
    .execute()
}

/** Held until the transaction ends. One whose account was never confirmed, and went, is free again. */
export async function lockInvitation(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('registration_invitation')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('used_by', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function useInvitation(tx: Tx, tokenHash: Buffer, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('registration_invitation')
    .set({ used_by: userId, used_at: now })
    .where('token_hash', '=', tokenHash)
    .execute()
}

export async function deleteOldInvitations(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('registration_invitation')
    .where('expires_at', '<', before)
    .where('used_by', 'is', null)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
