/** The SQL of witnesses: what this one cosigned for other logs, and what others cosigned for ours. */
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { formatVerifierKey, type NoteSignature, type PublishedKey, type VerifierKey } from '../../../verification/server/index.ts'

export type WitnessedLog = {
  readonly origin: string
  readonly size: number
  readonly rootHash: Uint8Array
  readonly note: Uint8Array
  readonly cosignedAt: Date
}

/** Holds the row of that log until the transaction ends; size 0 and an empty note when it was never cosigned. */
export async function lockWitnessedLog(tx: Tx, origin: string, now: Date): Promise<WitnessedLog> {
  await tx
    .insertInto('witnessed_log')
    .values({ origin, size: 0, root_hash: Buffer.alloc(32), note: Buffer.alloc(0), cosigned_at: now })
    .onConflict((conflict) => conflict.column('origin').doNothing())
    .execute()
  const row = await tx.selectFrom('witnessed_log').selectAll().where('origin', '=', origin).forUpdate().executeTakeFirstOrThrow()
  return { origin, size: row.size, rootHash: row.root_hash, note: row.note, cosignedAt: row.cosigned_at }
}

export async function saveWitnessedLog(tx: Tx, log: WitnessedLog): Promise<void> {
  await tx
    .updateTable('witnessed_log')
    .set({ size: log.size, root_hash: log.rootHash, note: log.note, cosigned_at: log.cosignedAt })
    .where('origin', '=', log.origin)
    .executeTakeFirstOrThrow()
}

/** Of logs that were cosigned at least once, by name. */
export async function listWitnessedLogs(db: Db | Tx): Promise<WitnessedLog[]> {
  const rows = await db.selectFrom('witnessed_log').selectAll().orderBy('origin').execute()
  return rows
    .filter(({ note }) => note.length > 0)
    .map((row) => ({
      origin: row.origin,
      size: row.size,
      rootHash: row.root_hash,
      note: row.note,
      cosignedAt: row.cosigned_at,
    }))
}

export type WitnessOutcome = 'cosigned' | 'unreachable' | 'refused' | 'conflict' | 'ahead' | 'not_valid'
export type WitnessRecord = {
  readonly name: string
  readonly askedAt: Date
  readonly answer: WitnessOutcome
  /** The size that it cosigned last, as far as we know. */
  readonly size: number
}

export async function listWitnesses(db: Db | Tx): Promise<WitnessRecord[]> {
  const rows = await db.selectFrom('log_witness').selectAll().orderBy('name').execute()
  return rows.map(({ name, asked_at, answer, size }) => ({ name, askedAt: asked_at, answer: answer as WitnessOutcome, size }))
}

export async function saveWitness(tx: Db | Tx, { name, askedAt, answer, size }: WitnessRecord): Promise<void> {
  await tx
    .insertInto('log_witness')
    .values({ name, asked_at: askedAt, answer, size })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ asked_at: askedAt, answer, size }))
    .execute()
}

/** Adding again changes nothing: a checkpoint keeps the first cosignature of each key. */
export async function insertCosignature(
  tx: Db | Tx,
  size: number,
  { name, keyId, signature }: NoteSignature,
  cosignedAt: Date,
): Promise<void> {
  await tx
    .insertInto('log_cosignature')
    .values({ size, name, key_id: keyId, signature, cosigned_at: cosignedAt })
    .onConflict((conflict) => conflict.columns(['size', 'name', 'key_id']).doNothing())
    .execute()
}

/** Of those keys, the ones that have cosigned, since when; and, when `asked` is told, the others since then. */
export async function findCosigners(db: Db | Tx, keys: readonly VerifierKey[], asked?: Date): Promise<PublishedKey[]> {
  const found: PublishedKey[] = []
  for (const key of keys) {
    const row = await db
      .selectFrom('log_cosignature')
      .select('cosigned_at')
      .where('name', '=', key.name)
      .where('key_id', '=', Buffer.from(key.keyId))
      .orderBy('size')
      .limit(1)
      .executeTakeFirst()
    const since = row?.cosigned_at ?? asked
    if (since !== undefined) found.push({ id: formatVerifierKey(key), since: since.toISOString(), until: null })
  }
  return found
}
