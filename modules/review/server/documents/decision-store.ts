/** The SQL of what reviewers decided. */
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { DocumentKind, RefusalReason } from '../../domain/identity-document.ts'

export type Verdict = {
  readonly documentId: string
  readonly outcome: 'accepted' | 'refused'
  readonly reason: RefusalReason | null
  readonly note: string | null
  readonly expiresOn: string | null
}

export type Decision = {
  readonly id: string
  readonly userId: string
  readonly round: number
  readonly by: string
  readonly at: Date
  readonly outcome: 'accepted' | 'refused'
  /** false: the first of two agreements. */
  readonly final: boolean
  readonly note: string | null
  readonly missing: readonly DocumentKind[]
  readonly verdicts: readonly Verdict[]
}

export async function insertDecision(tx: Tx, decision: Decision): Promise<void> {
  await tx
    .insertInto('identity_decision')
    .values({
      id: decision.id,
      user_id: decision.userId,
      round: decision.round,
      decided_by: decision.by,
      decided_at: decision.at,
      outcome: decision.outcome,
      final: decision.final,
      note: decision.note,
      missing: [...decision.missing],
    })
    .execute()
  await tx
    .insertInto('identity_verdict')
    .values(
      decision.verdicts.map((verdict) => ({
        decision_id: decision.id,
        document_id: verdict.documentId,
        outcome: verdict.outcome,
        reason: verdict.reason,
        note: verdict.note,
        expires_on: verdict.expiresOn,
      })),
    )
    .execute()
}

async function read(db: Db | Tx, by: { readonly userId: string } | { readonly id: string }): Promise<Decision[]> {
  const all = db.selectFrom('identity_decision').selectAll()
  const found = 'id' in by ? all.where('id', '=', by.id) : all.where('user_id', '=', by.userId)
  const rows = await found.orderBy('decided_at', 'desc').orderBy('id', 'desc').execute()
  if (rows.length === 0) return []
  const verdicts = await db
    .selectFrom('identity_verdict')
    .selectAll()
    .where(
      'decision_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('document_id')
    .execute()
  const byDecision = Map.groupBy(verdicts, ({ decision_id: id }) => id)
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    round: row.round,
    by: row.decided_by,
    at: row.decided_at,
    outcome: row.outcome as Decision['outcome'],
    final: row.final,
    note: row.note,
    missing: row.missing as DocumentKind[],
    verdicts: (byDecision.get(row.id) ?? []).map((verdict) => ({
      documentId: verdict.document_id,
      outcome: verdict.outcome as Verdict['outcome'],
      reason: verdict.reason as RefusalReason | null,
      note: verdict.note,
      expiresOn: verdict.expires_on,
    })),
  }))
}

/** Newest first. */
export async function listDecisions(db: Db | Tx, userId: string): Promise<Decision[]> {
  return await read(db, { userId })
}

export async function findDecision(db: Db | Tx, id: string): Promise<Decision | null> {
  return (await read(db, { id }))[0] ?? null
}
