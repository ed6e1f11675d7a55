import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findIds, type FoundIds } from '../../../../platform/lists/find-page.ts'
import { evidenceList, isSorted, readListed, type ListQuery } from './list-store.ts'
import type { EvidenceRecord } from '../record/store.ts'

export type FoundPage = Omit<FoundIds, 'ids'> & { readonly rows: EvidenceRecord[] }

/** A page of a list. How many a token holds is in no tally. */
export async function findPage(db: Db | Tx, query: ListQuery): Promise<FoundPage> {
  const how = { sorted: isSorted(query.ordering.column), tallied: query.scope.kind === 'account' }
  const { ids, ...found } = await findIds(db, evidenceList, query, how)
  return { ...found, rows: await readListed(db, query, ids) }
}
