import type { Clock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { BillingDeps } from '../../../billing/server/index.ts'
import type { LinkRights } from '../../../../platform/reach/held-link.ts'

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type LicensingDeps = {
  readonly db: Db
  readonly blobs: BlobStore
  readonly clock: Clock
  /** Makes the addresses of offers, and the codes on documents. */
  readonly secret: string
  /** The platform's share of a price, in basis points. */
  readonly feeRate: number
  /** As module `billing` takes it. */
  readonly billing: BillingDeps
}

/** Of the calls that answer visitors. */
export type LicensingWebDeps = LicensingDeps & Pick<LinkRights, 'findDelegation' | 'findKey'>
