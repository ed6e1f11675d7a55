/** The SQL of second factors and their recovery codes. */
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type SecondFactor = {
  readonly sealedSecret: Buffer
  readonly confirmedAt: Date | null
  /** Of the last code that was taken (RFC 6238 §5.2). */
  readonly lastStep: number
}

export async function findSecondFactor(db: Db | Tx, userId: string): Promise<SecondFactor | null> {
  const row = await db
    .selectFrom('second_factor')
    .select(['sealed_secret', 'confirmed_at', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? null : { sealedSecret: row.sealed_secret, confirmedAt: row.confirmed_at, lastStep: row.last_step }
}

/** Replaces one that was begun. @returns false when one is in force: that is given up first */
export async function beginFactor(tx: Tx, userId: string, sealedSecret: Buffer, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('second_factor')
    .values({ user_id: userId, sealed_secret: sealedSecret, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed_secret: sealedSecret, created_at: now, last_step: 0 })
        .where('second_factor.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function confirmFactor(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.updateTable('second_factor').set({ confirmed_at: now }).where('user_id', '=', userId).execute()
}

/** @returns false when that step, or a later one, was taken before */
export async function takeStep(db: Db | Tx, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteFactor(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('second_factor').where('user_id', '=', userId).execute()
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** @returns whether it was one, not used before */
export async function takeRecoveryCode(db: Db | Tx, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countRecoveryCodes(db: Db | Tx, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
