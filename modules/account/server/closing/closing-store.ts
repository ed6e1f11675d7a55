/** The SQL of the end of an account: closed, kept after all, or erased. */
import type { Db, Tx } from '../../../../platform/db/database.ts'

export async function startClosing(tx: Tx, id: string, reason: string, now: Date, eraseAfter: Date): Promise<void> {
  await tx
    .updateTable('account_user')
    .set({ status: 'closing', closing_at: now, closing_reason: reason, erase_after: eraseAfter })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .execute()
  await tx.deleteFrom('user_session').where('user_id', '=', id).execute()
}

export async function stopClosing(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('account_user')
    .set({ status: 'active', closing_at: null, closing_reason: null, erase_after: null })
    .where('id', '=', id)
    .where('status', '=', 'closing')
    .execute()
}

export async function insertUndoToken(
  tx: Tx,
  token: { readonly id: string; readonly userId: string; readonly tokenHash: Buffer; readonly expiresAt: Date },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('mailed_token')
    .values({
      id: token.id,
      user_id: token.userId,
      purpose: 'undo_closing',
      token_hash: token.tokenHash,
      created_at: now,
      expires_at: token.expiresAt,
    })
    .execute()
}

/** Whose link that is; null once it was used or has expired. */
export async function findUndoToken(db: Db | Tx, hash: Buffer, now: Date): Promise<{ id: string; userId: string } | null> {
  const row = await db
    .selectFrom('mailed_token')
    .select(['id', 'user_id'])
    .where('token_hash', '=', hash)
    .where('purpose', '=', 'undo_closing')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? null : { id: row.id, userId: row.user_id }
}

export async function findUndoTokenById(db: Db | Tx, id: string, now: Date): Promise<{ userId: string } | null> {
  const row = await db
    .selectFrom('mailed_token')
    .select('user_id')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? null : { userId: row.user_id }
}

/** Links that were sent to reset a password or to undo: none of them leads anywhere any more. */
export async function deleteUndoTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('mailed_token').where('user_id', '=', userId).where('purpose', '=', 'undo_closing').execute()
}

/** Accounts whose time to think better of it is over. */
export async function listDueForErasure(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('account_user')
    .select('id')
    .where('status', '=', 'closing')
    .where('erase_after', '<=', now)
    .orderBy('erase_after')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Nothing personal is left: the row stays for what refers to its id, such as the record of acts. */
export async function erasePerson(tx: Tx, id: string, referralCode: string, now: Date): Promise<void> {
  for (const table of ['email_address', 'user_session', 'mailed_token', 'second_factor', 'recovery_code', 'user_role'] as const)
    await tx.deleteFrom(table).where('user_id', '=', id).execute()
  await tx
    .updateTable('account_user')
    .set({
      status: 'erased',
      first_name: '',
      last_name: '',
      password_hash: null,
      referral_code: referralCode,
      referred_by: null,
      formula: null,
      brand: 'probant',
      last_sign_in_at: null,
      closing_at: null,
      closing_reason: null,
      erase_after: null,
      erased_at: now,
    })
    .where('id', '=', id)
    .execute()
}
