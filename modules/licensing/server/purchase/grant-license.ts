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

/** What the seller is owed of a licence that was paid: its price less the platform’s share. */
export type LicenseSold = {
  readonly licenseId: string
  readonly sellerId: string
  readonly invoiceId: string
  readonly netCents: number
  /** The seller’s share, in basis points. */
  readonly rate: number
  readonly earnedCents: number
}

/**
 * What module `billing` tells of a licence whose invoice is paid, in the transaction of the payment: paid and granted are one.
 * @param onSold in the same transaction
 */
export function purchasedLicense(
  { clock }: Pick<LicensingDeps, 'clock'>,
  onSold: (tx: Tx, sold: LicenseSold) => Promise<unknown>,
): Purchased {
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
      const { sellerId, invoiceId, netCents, feeRate, feeCents } = license
      if (invoiceId === null) throw new Error(`licence ${id} was paid without an invoice`)
      const earnedCents = netCents - feeCents
      await onSold(tx, { licenseId: id, sellerId, invoiceId, netCents, rate: 10_000 - feeRate, earnedCents })
    },
  }
}
