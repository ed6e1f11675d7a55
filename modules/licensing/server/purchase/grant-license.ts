import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Purchased } from '../../../billing/server/index.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import { makeLicenseJob } from '../keep/jobs.ts'
import { changeLicenseStatus, lockLicense, takeLicenseNumber } from '../keep/license-store.ts'
import { refreshSale } from '../keep/refresh-sale.ts'

/** Of Paris, as invoices are. */
const yearOf = (now: Date): number =>
  Number(new Intl.DateTimeFormat('en', { timeZone: 'Europe/Paris', year: 'numeric' }).format(now))

/** `L2026-000001` */
export const licenseNumber = (year: number, number: number): string => `L${year}-${String(number).padStart(6, '0')}`

/** What module `billing` tells of a licence whose invoice is paid, in the transaction of the payment: paid and granted are one. */
export function purchasedLicense({ clock }: Pick<LicensingDeps, 'clock'>): Purchased {
  return {
    paid: async (tx: Tx, id: string) => {
      const license = await lockLicense(tx, id)
      if (license === null) throw new Error(`licence ${id} was paid, and is not there`)
      const now = clock.now()
      const year = yearOf(now)
      await changeLicenseStatus(tx, license, 'paid', now, { number: licenseNumber(year, await takeLicenseNumber(tx, year)) })
      await refreshSale(
        tx,
        license.reports.map(({ evidenceId }) => evidenceId),
      )
      await enqueue(tx, makeLicenseJob, { license_id: id }, { key: `license:${id}` })
    },
  }
}
