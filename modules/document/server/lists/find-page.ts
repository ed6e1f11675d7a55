import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findIds, type FoundIds } from '../../../../platform/lists/find-page.ts'
import { documentList, readListed, type ListQuery } from './list-store.ts'
import type { DocumentRecord } from '../deposit/store.ts'

export type FoundPage = Pick<FoundIds, 'count' | 'capped'> & { readonly rows: DocumentRecord[] }

/** A page of a list; for names there is an index too. */
export async function findPage(db: Db | Tx, query: ListQuery): Promise<FoundPage> {
  const { ids, count, capped } = await findIds(db, documentList, query)
  return { rows: await readListed(db, query, ids), count, capped }
}
