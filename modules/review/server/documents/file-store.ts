/** The SQL of identity files: how the verification of each person stands, and who holds it. */
import { sql, type Selectable, type Updateable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { DocumentKind, VerificationState } from '../../domain/identity-document.ts'

export type IdentityFile = {
  readonly userId: string
  readonly state: VerificationState
  /** null: erased, with all that it opened. */
  readonly sealedKey: Buffer | null
  /** Of sendings; 0: none was made. */
  readonly round: number
  readonly submittedAt: Date | null
  readonly decidedAt: Date | null
  readonly note: string | null
  /** Kinds that a reviewer asked for besides what rules ask for. */
  readonly asked: readonly DocumentKind[]
  /** Keyed hashes by field of what was typed when it was sent. */
  readonly typed: Readonly<Record<string, string>> | null
  readonly claim: { readonly by: string; readonly until: Date } | null
  /** The first of two agreements. */
  readonly agreedBy: string | null
  readonly touchedAt: Date
  readonly uploads: { readonly count: number; readonly since: Date }
}

function toFile(row: Selectable<Database['identity_file']>): IdentityFile {
  return {
    userId: row.user_id,
    state: row.state as VerificationState,
    sealedKey: row.sealed_key,
    round: row.round,
    submittedAt: row.submitted_at,
    decidedAt: row.decided_at,
    note: row.note,
    asked: row.asked as DocumentKind[],
    typed: row.typed as Record<string, string> | null,
    claim: row.claimed_by === null || row.claimed_until === null ? null : { by: row.claimed_by, until: row.claimed_until },
    agreedBy: row.agreed_by,
    touchedAt: row.touched_at,
    uploads: { count: row.uploads, since: row.uploads_since },
  }
}

export async function findFile(db: Db | Tx, userId: string): Promise<IdentityFile | null> {
  const row = await db.selectFrom('identity_file').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row === undefined ? null : toFile(row)
}

/** Held until the transaction ends. */
export async function lockFile(tx: Tx, userId: string): Promise<IdentityFile | null> {
  const row = await tx.selectFrom('identity_file').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()
  return row === undefined ? null : toFile(row)
}

/** Makes it at the first document; held until the transaction ends. */
export async function beginFile(tx: Tx, userId: string, now: Date): Promise<IdentityFile> {
  await tx
    .insertInto('identity_file')
    .values({ user_id: userId, touched_at: now, uploads_since: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const file = await lockFile(tx, userId)
  if (file === null) throw new Error(`the identity file of ${userId} went while it was begun`)
  return file
}

/** The file asked for and the one that the reviewer holds, always in the same order, so that no two reviewers wait for one another. */
export async function lockForClaim(tx: Tx, userId: string, reviewerId: string): Promise<IdentityFile | null> {
  const rows = await tx
    .selectFrom('identity_file')
    .selectAll()
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('claimed_by', '=', reviewerId)]))
    .orderBy('user_id')
    .forUpdate()
    .execute()
  const row = rows.find(({ user_id: id }) => id === userId)
  return row === undefined ? null : toFile(row)
}

/** One claim of one reviewer at a time: his own calls wait for each other. */
export async function holdReviewer(tx: Tx, reviewerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`review.reviewer ${reviewerId}`}, 0))`.execute(tx)
}

export async function changeFile(tx: Tx, userId: string, change: Updateable<Database['identity_file']>): Promise<void> {
  await tx.updateTable('identity_file').set(change).where('user_id', '=', userId).execute()
}

export async function releaseOthers(tx: Tx, reviewerId: string, userId: string): Promise<void> {
  await tx
    .updateTable('identity_file')
    .set({ claimed_by: null, claimed_until: null })
    .where('claimed_by', '=', reviewerId)
    .where('user_id', '<>', userId)
    .execute()
}

/** Whose files are to be erased: long accepted, or left alone. Never while they are with the reviewers. */
export async function listDueFiles(
  db: Db,
  before: { readonly accepted: Date; readonly untouched: Date },
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_file')
    .select('user_id')
    .where('sealed_key', 'is not', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'success'), eb('decided_at', '<=', before.accepted)]),
        eb.and([eb('state', 'in', ['collecting', 'failure']), eb('touched_at', '<=', before.untouched)]),
      ]),
    )
    .orderBy('touched_at')
    .limit(limit)
    .execute()
  return rows.map(({ user_id: id }) => id)
}

export async function deleteFile(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('identity_file').where('user_id', '=', userId).execute()
}
