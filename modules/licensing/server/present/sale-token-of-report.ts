import { pageOffers } from '../keep/offer-store.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import { saleTokenOf } from '../keep/tokens.ts'

/** The token of the newest sale of a report that its seller has open; null: he has none. */
export async function saleTokenOfReport(
  deps: Pick<LicensingDeps, 'db' | 'secret'>,
  report: { readonly sellerId: string; readonly evidenceId: string },
): Promise<string | null> {
  const { rows } = await pageOffers(deps.db, { ...report, status: 'open', descending: true, limit: 1, offset: 0 })
  const [offer] = rows
  return offer === undefined ? null : saleTokenOf(deps.secret, offer)
}
