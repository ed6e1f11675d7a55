/** The SQL of proofs of a mailbox that came second: whoever shows one is told that it has an account. */
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** Before what else claimed the mailbox is deleted. @param ownerEmailId the entry that was confirmed */
export async function keepOutrun(tx: Tx, key: string, ownerId: string, ownerEmailId: string, now: Date): Promise<void> {
  await tx
    .insertInto('outrun_proof')
    .columns(['id', 'token_hash', 'code_hash', 'attempts', 'claim', 'email_id', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('mailed_token')
        .innerJoin('email_address', 'email_address.id', 'mailed_token.email_id')
        .select((each) => [
          'mailed_token.id',
          'mailed_token.token_hash',
          'mailed_token.code_hash',
          'mailed_token.attempts',
          each.ref('email_address.id').as('claim'),
          each.val(ownerEmailId).as('email_id'),
          'mailed_token.expires_at',
        ])
        .where('email_address.address_key', '=', key)
        .where('email_address.user_id', '!=', ownerId)
        .where('email_address.verified_at', 'is', null)
        .where('mailed_token.purpose', '=', 'confirm_address')
        .where('mailed_token.used_at', 'is', null)
        .where('mailed_token.expires_at', '>', now),
    )
    .execute()
}

export async function isOutrun(db: Db | Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('outrun_proof')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Whose codes may be typed for a claim; held until the transaction ends. */
export async function lockOutrunCodes(
  tx: Tx,
  claim: string,
  now: Date,
  mostAttempts: number,
): Promise<{ readonly id: string; readonly codeHash: Buffer | null }[]> {
  const rows = await tx
    .selectFrom('outrun_proof')
    .select(['id', 'code_hash'])
    .where('claim', '=', claim)
    .where('code_hash', 'is not', null)
    .where('expires_at', '>', now)
    .where('attempts', '<', mostAttempts)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id, code_hash: codeHash }) => ({ id, codeHash }))
}

export async function countWrongOutrun(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('outrun_proof')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', [...ids])
    .execute()
}

export async function deleteOutrunBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('outrun_proof').where('expires_at', '<', before).execute()
}
