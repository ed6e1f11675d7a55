import type { Db } from '../../../../platform/db/database.ts'
import { createStampQualifier, type StampQualifier } from '../../../sealing/server/index.ts'
import type { TrustedLists } from '../../../verification/server/index.ts'
import { findStampFiles, type BatchRecord } from '../deposit/batch-store.ts'

/** What the trusted lists say of the time stamps of batches. @param lists the same object for as long as they are the same */
export function qualifyDeposits({ db, lists }: { readonly db: Db; readonly lists: () => Promise<TrustedLists> }): StampQualifier {
  return createStampQualifier({ lists, read: async (ids) => await findStampFiles(db, ids) })
}

export const datedBy = ({ id, summary }: Pick<BatchRecord, 'id' | 'summary'>): Parameters<StampQualifier>[0][number] => ({
  id,
  timestamps: summary?.timestamps ?? [],
})
