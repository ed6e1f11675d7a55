import type { Actor } from '../../../../kernel/actor.ts'
import type { BodyOf } from '../../../../kernel/endpoint.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { dropPurchase, holdPayer } from '../../../billing/server/index.ts'
import type { changeLicense } from '../../contract/licenses.ts'
import { pendingLifetimeMs } from '../../domain/status.ts'
import { recordLicensingAct } from '../keep/acts.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import {
  changeLicenseStatus,
  findLicense,
  listWaiting,
  lockLicense,
  setBeneficiary,
  type LicenseRow,
} from '../keep/license-store.ts'
import { refreshSale } from '../keep/refresh-sale.ts'
import { toBeneficiary } from './ask-license.ts'
import { boughtBy } from './own-license.ts'

type Deps = Pick<LicensingDeps, 'db' | 'clock' | 'billing'>

/** It waits for its payment no more, and its place is free. @returns false: it is being paid, or does not wait */
async function lapse(deps: Deps, { id, buyerId }: { readonly id: string; readonly buyerId: string }): Promise<boolean> {
  return await deps.db.transaction().execute(async (tx) => {
    await holdPayer(tx, deps.billing, buyerId)
    const license = await lockLicense(tx, id)
    if (license?.status !== 'pending') return false
    if (license.invoiceId !== null) {
      const became = await dropPurchase(tx, deps.billing, { category: 'license', subjectId: id })
      if (became === 'processing' || became === 'paid') return false
    }
    await changeLicenseStatus(tx, license, 'lapsed', deps.clock.now())
    await refreshSale(
      tx,
      license.reports.map(({ evidenceId }) => evidenceId),
    )
    return true
  })
}

const batch = 100

/** Those that nobody paid for within a day. @returns how many */
export async function lapseLicenses(deps: Deps, signal: AbortSignal): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - pendingLifetimeMs)
  let lapsed = 0
  for (const waiting of await listWaiting(deps.db, { before, limit: batch })) {
    if (signal.aborted) break
    if (await lapse(deps, waiting)) lapsed += 1
  }
  return lapsed
}

/** Of an offer that was stopped: whoever is paying at that moment still gets what he pays for. */
export async function lapseThoseOf(deps: Deps, offerId: string): Promise<void> {
  for (const waiting of await listWaiting(deps.db, { offerId })) await lapse(deps, waiting)
}

/** C-47. @throws DomainError `licensing.license_unknown`, `licensing.not_pending` */
export async function amendLicense(
  deps: Deps,
  actor: Actor,
  id: string,
  body: BodyOf<typeof changeLicense>,
): Promise<LicenseRow> {
  const license = boughtBy(await findLicense(deps.db, id), actor.accountId)
  if (body.status === 'lapsed') {
    if (license.status === 'lapsed') return license
    if (!(await lapse(deps, license))) throw new DomainError('conflict', 'licensing.not_pending')
  }
  return await deps.db.transaction().execute(async (tx) => {
    const held = boughtBy(await lockLicense(tx, id), actor.accountId)
    const now = deps.clock.now()
    if (body.beneficiary !== undefined) {
      if (held.status !== 'pending') throw new DomainError('conflict', 'licensing.not_pending')
      await setBeneficiary(tx, id, toBeneficiary(body.beneficiary))
    }
    await recordLicensingAct(tx, now, body.status === 'lapsed' ? 'license_given_up' : 'license_changed', actor, id)
    return boughtBy(await findLicense(tx, id), actor.accountId)
  })
}
