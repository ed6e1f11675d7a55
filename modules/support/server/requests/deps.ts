import type { Clock } from '../../../../kernel/clock.ts'
import type { Locale } from '../../../../kernel/locale.ts'
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

/** C-71, C-72: the installation's own list, or a provider's form for each language. */
export type NewsletterConfig =
  | { readonly mode: 'off' }
  | { readonly mode: 'local' }
  | { readonly mode: 'provider'; readonly forms: Readonly<Record<Locale, string>>; readonly field: string }

export type SupportWebDeps = SupportDeps & {
  /** Of eight bytes each reference is made. */
  readonly random: (bytes: number) => Buffer
  /** Without trailing slash; links start with it. */
  readonly publicUrl: string
  readonly newsletter: NewsletterConfig
  /** What a stranger's message costs his device, in hashes on the mean. */
  readonly workHashes: number
  /** Asks whoever scores visitors about a token; null: nobody does. */
  readonly isScoredWell: ((token: string) => Promise<boolean>) | null
  /** Whether calls from this very machine count for nobody, as in development. */
  readonly trustLoopback: boolean
}

export type SupportJobDeps = Pick<SupportDeps, 'db' | 'blobs' | 'clock' | 'log' | 'secret'> & {
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
