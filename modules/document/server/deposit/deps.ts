import type { FindDelegation, FindKey } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { BillingDeps } from '../../../billing/server/index.ts'
import type { Keyring, PublicLog, StampQualifier, Timestamper } from '../../../sealing/server/index.ts'
import type { BitcoinNetwork } from '../../../verification/server/index.ts'

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type DocumentDeps = {
  readonly db: Db
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Log
}

/** Of whatever asks for a payment, or waits for one. */
export type AgreeDeps = Pick<DocumentDeps, 'db' | 'clock'> & {
  /** Absent: nothing is paid for. */
  readonly billing?: BillingDeps | undefined
}

/** Of the calls that answer visitors. */
export type DocumentWebDeps = DocumentDeps &
  AgreeDeps & {
    /** Signs download links, and what addresses of shared pages are derived from. */
    readonly secret: string
    /** Of the newest checkpoints and their anchors; absent where there is no log. */
    readonly publicLog?: Pick<PublicLog, 'find' | 'inclusionPath'>
    /** Whether checkpoints of the log are anchored: else no deposit is said to wait for it. */
    readonly anchoring?: boolean
    /** Into which chain; `main` when absent. */
    readonly bitcoinNetwork?: BitcoinNetwork
    /** Absent: nothing is said of whether a time stamp is qualified. */
    readonly qualify?: StampQualifier
    /** An access that somebody granted to the user, in force; absent: nobody grants any. */
    readonly findDelegation?: FindDelegation
    /** Absent: there are no keys of programs. */
    readonly findKey?: FindKey
  }

/** Of the jobs that seal. */
export type DocumentSealDeps = DocumentDeps & {
  readonly keyring: Keyring
  readonly timestampers: readonly Timestamper[]
  readonly publicLog?: PublicLog
}
