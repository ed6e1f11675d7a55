import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findPeople } from '../../../../platform/reach/people-store.ts'
import { readPayer } from '../../../account/server/index.ts'
import type { LicenseRow } from './license-store.ts'

/** Who gives a licence: as it was agreed with its buyer, whatever became of the seller's account since. */
export async function licensorOf(db: Db, { licensor, sellerId }: Pick<LicenseRow, 'licensor' | 'sellerId'>): Promise<string> {
  return licensor ?? (await sellerNameOf(db, sellerId))
}

/** A company by its name, somebody else by his. */
export async function sellerNameOf(db: Db | Tx, sellerId: string): Promise<string> {
  const payer = await readPayer(db, sellerId)
  const company = payer?.values.user_type === 'legal' ? (payer.values.company_name ?? '') : ''
  return company === '' ? ((await findPeople(db, [sellerId])).get(sellerId)?.name ?? '') : company
}
