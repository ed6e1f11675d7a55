import type { Db, Tx } from '../../../../platform/db/database.ts'
import { lockEvidence, findEvidence, type EvidenceRecord } from '../record/store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { tellSeal, type SealTold } from './tell-seal.ts'

/** A report as whoever sells it, and whoever buys, is told of it. */
export type SoldReport = {
  readonly id: string
  readonly ownerId: string | null
  readonly pageUrl: string
  readonly title: string
  readonly capturedAt: Date
  readonly final: boolean
  readonly trashed: boolean
  /** Whether its files stay (E-24). */
  readonly stored: boolean
  /** null: it is not sealed. */
  readonly seal: SealTold | null
  /** Whether what was seen at first can be shown, blurred. */
  readonly hasPicture: boolean
}

async function told(db: Db | Tx, record: EvidenceRecord | null): Promise<SoldReport | null> {
  if (record === null) return null
  const seal = await findSeal(db, record.id)
  return {
    id: record.id,
    ownerId: record.ownerId,
    pageUrl: record.facts?.final_url ?? record.requestedUrl,
    title: record.facts?.title ?? '',
    capturedAt: record.capturedAt ?? record.createdAt,
    final: record.status === 'final',
    trashed: record.trashedAt !== null || record.contentDeletedAt !== null,
    stored: record.store,
    seal: seal === null ? null : tellSeal(seal),
    hasPicture: record.facts?.images.some(({ kind }) => kind === 'viewport') === true,
  }
}

/** null: there is none. Whoever asks has settled that it may be told. */
export async function findSoldReport(db: Db | Tx, id: string): Promise<SoldReport | null> {
  return await told(db, await findEvidence(db, id))
}

/** The same, held until the transaction ends, so that it is not thrown away meanwhile. */
export async function lockSoldReport(tx: Tx, id: string): Promise<SoldReport | null> {
  return await told(tx, await lockEvidence(tx, id))
}
