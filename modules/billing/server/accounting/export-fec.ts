import type { Db } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import { listJournal } from './journal-lines.ts'
import { fecName, writeFec } from './write-fec.ts'

/** The whole journal of the seller, for one year of his accounts; both days are in it. */
export function exportFec(
  db: Db,
  seller: { readonly siren: string },
  { from, to }: { readonly from: Day; readonly to: Day },
): { readonly fileName: string; readonly lines: AsyncIterable<string> } {
  return { fileName: fecName(seller.siren, to), lines: writeFec(listJournal(db, { from, to })) }
}
