/** The SQL of handing a session over to another device, by the database's own clock. Every function takes the database first. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'

/** One at a time of an evidence: a new one takes the place of the one before. @returns when it ends */
export async function keepHandOff(
  db: Db,
  handOff: {
    readonly evidenceId: string
    readonly codeHash: Buffer
    readonly sealedToken: string
    readonly seconds: number
  },
): Promise<Date> {
  const values = {
    code_hash: handOff.codeHash,
    sealed_token: handOff.sealedToken,
    expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${handOff.seconds})`,
  }
  const row = await db
    .insertInto('live_hand_off')
    .values({ evidence_id: handOff.evidenceId, ...values })
    .onConflict((conflict) => conflict.column('evidence_id').doUpdateSet(values))
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return row.expires_at
}

/** Gives it once. @returns null when there is none, or its time is over */
export async function takeHandOff(
  db: Db,
  codeHash: Buffer,
): Promise<{ readonly evidenceId: string; readonly sealedToken: string } | null> {
  const row = await db
    .deleteFrom('live_hand_off')
    .where('code_hash', '=', codeHash)
    .returning(['evidence_id', 'sealed_token', sql<boolean>`expires_at > clock_timestamp()`.as('good')])
    .executeTakeFirst()
  return row?.good === true ? { evidenceId: row.evidence_id, sealedToken: row.sealed_token } : null
}

export async function deleteOldHandOffs(db: Db): Promise<void> {
  await db
    .deleteFrom('live_hand_off')
    .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
    .execute()
}
