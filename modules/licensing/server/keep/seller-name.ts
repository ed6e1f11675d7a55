import type { Db } from '../../../../platform/db/database.ts'
import { findPeople } from '../../../../platform/reach/people-store.ts'
import { readPayer } from '../../../account/server/index.ts'

/** A company by its name, somebody else by his. */
export async function sellerNameOf(db: Db, sellerId: string): Promise<string> {
  const payer = await readPayer(db, sellerId)
  const company = payer?.values.user_type === 'legal' ? (payer.values.company_name ?? '') : ''
  return company === '' ? ((await findPeople(db, [sellerId])).get(sellerId)?.name ?? '') : company
}
