import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { findSettled, type Settled } from '../../../billing/server/index.ts'
import type { RevocationReason } from '../../domain/status.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import { mailLicenseJob } from '../keep/jobs.ts'
import { changeLicenseStatus, listHolding, lockLicense } from '../keep/license-store.ts'
import { refreshSale } from '../keep/refresh-sale.ts'

/** A licence holds as long as it is paid. null: it is */
export function whyRevoked({ reversed, netCents, creditedCents }: Settled): RevocationReason | null {
  if (reversed) return 'payment_reversed'
  return netCents > 0 && creditedCents >= netCents ? 'refunded' : null
}

const batch = 500

/** Revokes licences whose payment went back. The document stays with whoever has it; what verifies it says so. @returns how many */
export async function followPayments(deps: Pick<LicensingDeps, 'db' | 'clock'>, signal: AbortSignal): Promise<number> {
  let revoked = 0
  for (let after: string | null = null; !signal.aborted;) {
    const holding = await listHolding(deps.db, { after, limit: batch })
    const settled = await findSettled(
      deps.db,
      holding.map(({ invoiceId }) => invoiceId),
    )
    for (const { id, invoiceId } of holding) {
      const found = settled.find((each) => each.invoiceId === invoiceId)
      const reason = found === undefined ? null : whyRevoked(found)
      if (reason !== null && (await revoke(deps, id, reason))) revoked += 1
    }
    after = holding.at(-1)?.id ?? null
    if (holding.length < batch || after === null) break
  }
  return revoked
}

async function revoke(
  { db, clock }: Pick<LicensingDeps, 'db' | 'clock'>,
  id: string,
  reason: RevocationReason,
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const license = await lockLicense(tx, id)
    if (license?.status !== 'paid' && license?.status !== 'active') return false
    await changeLicenseStatus(tx, license, 'revoked', clock.now(), { reason })
    await refreshSale(
      tx,
      license.reports.map(({ evidenceId }) => evidenceId),
    )
    for (const to of ['seller', 'buyer'] as const)
      await enqueue(tx, mailLicenseJob, { license_id: id, to, occasion: 'revoked' }, { key: `license-revoked:${id}:${to}` })
    return true
  })
}
