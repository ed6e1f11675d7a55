import type { LicensingDeps } from '../keep/deps.ts'
import { changeOfferRow, listUnstopped, lockOffer } from '../keep/offer-store.ts'
import { refreshSale } from '../keep/refresh-sale.ts'
import { lapseThoseOf } from '../purchase/lapse-licenses.ts'

type Deps = Pick<LicensingDeps, 'db' | 'clock' | 'billing'>

/**
 * A seller's account ends: what he offered is stopped. Licences that were sold stay, and with them the reports that they are of (decision 0390).
 * May be repeated. To be done before his reports are erased.
 */
export async function endSeller(deps: Deps, accountId: string): Promise<void> {
  for (const id of await listUnstopped(deps.db, accountId)) {
    await deps.db.transaction().execute(async (tx) => {
      const offer = await lockOffer(tx, id)
      if (offer === null || offer.status === 'stopped') return
      await changeOfferRow(tx, id, { status: 'stopped', stoppedAt: deps.clock.now(), description: '' })
      if (offer.status === 'open') await refreshSale(tx, offer.reports)
    })
    await lapseThoseOf(deps, id)
  }
}
