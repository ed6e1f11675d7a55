import type { Clock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { FindMailBrand } from '../../../../platform/mail/mail-brand.ts'
import type { Mailer } from '../../../../platform/mail/mailer.ts'
import type { Vault } from '../../../../platform/vault/vault.ts'

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type SupportDeps = {
  readonly db: Db
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Log
  /** The installation's: challenges and keys of attachments are derived from it. */
  readonly secret: string
  readonly vault: Vault
}

export type SupportWebDeps = SupportDeps & {
  /** Of eight bytes each reference is made. */
  readonly random: (bytes: number) => Buffer
  /** What a stranger's message costs his device, in hashes on the mean. */
  readonly workHashes: number
  /** Whether calls from this very machine count for nobody, as in development. */
  readonly trustLoopback: boolean
}

export type SupportJobDeps = Pick<SupportDeps, 'db' | 'blobs' | 'clock' | 'log'> & {
  readonly mailer: Mailer
  /** Without trailing slash; links start with it. */
  readonly publicUrl: string
  /** Whom it is told that somebody wrote; null: the queue alone says so. */
  readonly supportAddress: string | null
  /** How long a request is kept after the last word. */
  readonly supportDays: number
  /** Absent: no account is a partner's. */
  readonly mailBrand?: FindMailBrand
}
