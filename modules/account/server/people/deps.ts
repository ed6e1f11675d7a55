import type { Clock } from '../../../../kernel/clock.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { FindMailBrand } from '../../../../platform/mail/mail-brand.ts'
import type { Mailer } from '../../../../platform/mail/mailer.ts'
import type { Vault } from '../../../../platform/vault/vault.ts'

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type AccountDeps = {
  readonly db: Db
  readonly clock: Clock
  /** The installation's; tokens of mails are derived from it. */
  readonly secret: string
  readonly vault: Vault
  /** How many time authorities outside the installation it is set up with; absent: none. */
  readonly timeAuthorities?: number
  /** S-46: what other modules have on a bank account ends with it, in the transaction that changes or deletes it. Absent: they have nothing. */
  readonly onBankAccountEnded?: (tx: Tx, accountId: string, now: Date) => Promise<void>
}

/** Of the calls that answer users. */
export type AccountWebDeps = AccountDeps & {
  /** Of a partner's sign, in words; null: it is the product's own, or no longer there. Absent: nobody is a partner's. */
  readonly brandName?: (brand: string, locale: Locale) => string | null
  /** What other modules hold on an account, for the export: the name of each part, and its entries one by one. */
  readonly heldElsewhere: Readonly<Record<string, (accountId: string) => AsyncIterable<unknown> | Iterable<unknown>>>
}

export type AccountJobDeps = Pick<AccountDeps, 'db' | 'clock' | 'secret'> & {
  readonly log: Log
  readonly mailer: Mailer
  /** Without trailing slash; links start with it. */
  readonly publicUrl: string
  /** Absent: no account is a partner's. */
  readonly mailBrand?: FindMailBrand
  /**
   * Erases what other modules hold on an account that is closed; idempotent, called before anything of the account goes.
   * @param groupId the group that goes with it; null: none does
   */
  readonly eraseElsewhere: (accountId: string, groupId: string | null) => Promise<void>
}
