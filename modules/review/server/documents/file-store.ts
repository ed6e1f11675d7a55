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
  /** What was accepted before goes on counting while what replaces it is looked at, and where that is refused; null: nothing is replaced. */
  readonly stands: { readonly since: Date; readonly typed: Readonly<Record<string, string>> | null } | null
  readonly claim: { readonly by: string; readonly until: Date } | null
  /** The first of two agreements. */
  readonly agreedBy: string | null
  /** Last day on which what was accepted is good, and how many mails were sent about it. */
  readonly endsOn: string | null
  readonly reminded: number
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
    stands:
      row.stands_since === null ? null : { since: row.stands_since, typed: row.stands_typed as Record<string, string> | null },
    claim: row.claimed_by === null || row.claimed_until === null ? null : { by: row.claimed_by, until: row.claimed_until },
    agreedBy: row.agreed_by,
    endsOn: row.ends_on,
    reminded: row.reminded,
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

/** Whose files, or some of them, are to be erased: long accepted, or left alone. Never while they are with the reviewers. */
export async function listDueFiles(
  db: Db,
  before: { readonly accepted: Date; readonly untouched: Date },
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_file')
    .select('user_id')
    .where('sealed_key', 'is not', null)
    .where('state', '<>', 'pending')
    .where((eb) => {
      const accepted = eb.case().when('identity_file.state', '=', 'success').then(eb.ref('identity_file.decided_at'))
      const since = accepted.else(eb.ref('stands_since')).end()
      const kept = eb.selectFrom('identity_document').select('id').whereRef('user_id', '=', 'identity_file.user_id')
      const unerased = kept.where('erased_at', 'is', null)
      const counted = unerased.where('identity_document.decided_at', '<=', since)
      const others = unerased.where((each) =>
        each.or([
          each('identity_document.decided_at', 'is', null),
          each(since, 'is', null),
          each('identity_document.decided_at', '>', since),
        ]),
      )
      const untouched = eb('touched_at', '<=', before.untouched)
      return eb.or([
        eb.and([eb(since, '<=', before.accepted), eb.exists(counted)]),
        eb.and([untouched, eb.exists(others)]),
        eb.and([untouched, eb.not(eb.exists(unerased))]),
      ])
    })
    .orderBy('touched_at')
    .limit(limit)
    .execute()
  return rows.map(({ user_id: id }) => id)
}

/** Of whom what was accepted ends soon, or has ended, and who was not written to yet. Not while something new is with the reviewers. */
export async function listEnding(
  db: Db,
  days: { readonly today: string; readonly ahead: string },
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_file')
    .select('user_id')
    .where('state', '<>', 'pending')
    .where((eb) =>
      eb.or([
        eb.and([eb('reminded', '<', 2), eb('ends_on', '<=', days.today)]),
        eb.and([eb('reminded', '<', 1), eb('ends_on', '<=', days.ahead)]),
      ]),
    )
    .orderBy('ends_on')
    .limit(limit)
    .execute()
  return rows.map(({ user_id: id }) => id)
}

export async function deleteFile(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('identity_file').where('user_id', '=', userId).execute()
}
