import type { Clock } from '../../../../kernel/clock.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import type { Timestamper } from '../timestamps/timestamper.ts'
import type { PublicLog } from '../log/public-log.ts'
import type { AnchorRecord } from './anchor-store.ts'
import type { BitcoinRpc } from './bitcoin-rpc.ts'
import type { BlockSources } from './block-sources.ts'
import type { CalendarRules } from './calendar-client.ts'

export type AnchorSettings = {
  /** Least time between two anchors, in milliseconds: what was sealed meanwhile shares one. */
  readonly everyMs: number
  /** Blocks that must stand on an anchor's block, itself included, before it is relied on. */
  readonly confirmations: number
  /** Days after which one that no block took is given up. */
  readonly giveUpDays: number
  /** Most that one transaction of the own node may cost, in satoshi. */
  readonly maxFee: number
  /** Time that a transaction has before another one that pays more replaces it, in milliseconds. */
  readonly replaceAfterMs: number
}

export type AnchorDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Notes
  readonly publicLog: Pick<PublicLog, 'checkpoint' | 'checkpointAt' | 'find' | 'inclusionPath'>
  readonly timestampers: readonly Timestamper[]
  readonly settings: AnchorSettings
  /** Null: no calendar is asked. */
  readonly calendars: CalendarRules | null
  /** Pays for transactions; null: the node, if there is one, is only asked for headers. */
  readonly payer: BitcoinRpc | null
  readonly sources: BlockSources
  /** In each transaction that changes what is known of an anchor. */
  readonly onProgress?: (tx: Tx) => Promise<void>
  /** In the transaction that confirms an anchor. */
  readonly onConfirmed: (tx: Tx, anchor: AnchorRecord) => Promise<void>
}
