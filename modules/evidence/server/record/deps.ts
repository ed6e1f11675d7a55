import type { FindDelegation, FindKey } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { BillingDeps } from '../../../billing/server/index.ts'
import type { LoadedScenario } from '../../../capture/server/index.ts'
import type { PublicLog, StampQualifier } from '../../../sealing/server/index.ts'
import type { BitcoinNetwork } from '../../../verification/server/index.ts'
import type { Quotas } from '../../domain/quotas.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type EvidenceDeps = {
  readonly db: Db
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Log
}

/** Of whatever asks for a payment, or waits for one. */
export type AgreeDeps = Pick<EvidenceDeps, 'db' | 'clock'> & {
  /** Absent: nothing is paid for. */
  readonly billing?: BillingDeps | undefined
}

/** Of the calls that answer visitors. */
export type EvidenceWebDeps = EvidenceDeps &
  AgreeDeps & {
    readonly publicLog?: Pick<PublicLog, 'find' | 'inclusionPath'>
    /** Whether checkpoints of that log are anchored: else no report is said to wait for it. */
    readonly anchoring?: boolean
    /** Into which chain; `main` when absent. */
    readonly bitcoinNetwork?: BitcoinNetwork
    /** Absent: nothing is said of whether a time stamp is qualified. */
    readonly qualify?: StampQualifier
    /** Signs download links. */
    readonly secret: string
    /** `ip:port` that captures may reach besides the public internet (PROBANT_ALLOW_ADDRESSES). */
    readonly allowAddresses: readonly string[]
    /** Absent: anybody may ask for any number of captures. */
    readonly quotas?: Quotas
    /** Live sessions that one block of addresses may have, waiting or under way; 0 or absent: any number. */
    readonly sessionsPerAddress?: number
    /** Those that an account may have; 0 or absent: any number. */
    readonly sessionsPerAccount?: number
    /** Whether calls from this very machine count for nobody, as in development. */
    readonly trustLoopback?: boolean
    /** An access that somebody granted to the user, in force; absent: nobody grants any. */
    readonly findDelegation?: FindDelegation
    /** Absent: there are no keys of programs. */
    readonly findKey?: FindKey
    /** Those that may be chosen (E-25). */
    readonly scenarios: readonly LoadedScenario[]
  }
