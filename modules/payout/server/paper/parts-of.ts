import type { ResponseOf } from '../../../../kernel/endpoint.ts'
import type { readPayout } from '../../contract/payouts.ts'
import type { PayoutDeps } from '../keep/deps.ts'
import { listLines } from '../keep/earning-list-store.ts'
import type { Payout } from '../keep/payout-store.ts'
import { presentEarning } from '../present/present-payout.ts'
import { listPapers } from './send-paper.ts'

/** What a payout is made of, and what can be had of it. */
export async function partsOf(
  db: PayoutDeps['db'],
  payout: Payout,
): Promise<Pick<ResponseOf<typeof readPayout>, 'documents' | 'lines'>> {
  const lines = await listLines(db, payout.id)
  return {
    documents: [...(await listPapers(db, payout))],
    lines: lines.map((each) => ({ cents: each.cents, earning: presentEarning(each) })),
  }
}
