/** The seal of an evidence, as a row. */
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { SealSummary } from '../../../sealing/server/index.ts'

export type NewSeal = {
  readonly root: string
  readonly summary: SealSummary
  readonly sealedAt: Date
  /** End of the latest stamp that holds, and when it should be renewed: null when it has ended. */
  readonly health?: { readonly stampedUntil: Date; readonly renewAt: Date | null } | null
  /** When the authorities that gave no token are asked again. */
  readonly askAgainAt?: Date | null
}

export type SealRecord = {
  readonly root: string
  readonly summary: SealSummary
  readonly sealedAt: Date
  /** Null in seals of before it was calculated. */
  readonly stampedUntil: Date | null
  /** Null: none is missing, or they were given up. */
  readonly askAgainAt: Date | null
  /** How often they were asked again. */
  readonly askedAgain: number
}

export async function insertSeal(tx: Tx, evidenceId: string, seal: NewSeal): Promise<void> {
  await tx
    .insertInto('seal')
    .values({
      evidence_id: evidenceId,
      root: seal.root,
      summary: JSON.stringify(seal.summary),
      sealed_at: seal.sealedAt,
      stamped_until: seal.health?.stampedUntil ?? null,
      renew_at: seal.health?.renewAt ?? null,
      ask_again_at: seal.askAgainAt ?? null,
    })
    .execute()
}

export async function findSeal(db: Db | Tx, evidenceId: string): Promise<SealRecord | null> {
  return (await findSeals(db, [evidenceId])).get(evidenceId) ?? null
}

/** By id of evidence; one that has none is absent. */
export async function findSeals(db: Db | Tx, evidenceIds: readonly string[]): Promise<ReadonlyMap<string, SealRecord>> {
  if (evidenceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('seal')
    .selectAll()
    .where(sql<boolean>`evidence_id = any(${[...evidenceIds]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.evidence_id, toSeal(row)]))
}

function toSeal(row: Selectable<Database['seal']>): SealRecord {
  return {
    root: row.root,
    summary: row.summary as SealSummary,
    sealedAt: row.sealed_at,
    stampedUntil: row.stamped_until,
    askAgainAt: row.ask_again_at,
    askedAgain: row.asked_again,
  }
}
