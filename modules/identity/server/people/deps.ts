import type { Clock } from '../../../../kernel/clock.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { FindMailBrand } from '../../../../platform/mail/mail-brand.ts'
import type { Mailer } from '../../../../platform/mail/mailer.ts'
import type { Vault } from '../../../../platform/vault/vault.ts'

export type PasswordHasher = {
  /** @returns a PHC string */
  hash(password: string): Promise<string>
  /** Against nobody's password, where there is none (`null`): the same work, and false. */
  verify(phc: string | null, password: string): Promise<boolean>
  /** Whether it was made with another cost than today's. */
  isOutdated(phc: string): boolean
}

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type IdentityDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  /** The installation's; keys of hashes and of mailed tokens are derived from it. */
  readonly secret: string
  readonly vault: Vault
  readonly passwords: PasswordHasher
  /** @returns that many random bytes */
  readonly random: (bytes: number) => Buffer
  readonly registrations: 'open' | 'invite' | 'closed'
  /** Under whose sign an account is made: by the host of the call, and the brand that the form says. Absent: the product's own. */
  readonly brandOf?: (host: string, said: string | undefined) => string
  /** What waits for somebody's first confirmed address, such as the drafts he made before; runs in the transaction that confirms. */
  readonly onConfirmed?: (tx: Tx, userId: string, now: Date) => Promise<void>
}

/** Where a call comes from. */
export type Origin = {
  /** Block of addresses that attempts count by; null: they do not count, as on the developer's own machine. */
  readonly block: string | null
  /** Shown in the list of sessions. */
  readonly network: string
  /** The header `User-Agent`. */
  readonly userAgent: string
}

export type IdentityJobDeps = Pick<IdentityDeps, 'db' | 'clock' | 'log' | 'secret'> & {
  readonly mailer: Mailer
  /** Without trailing slash; links start with it. */
  readonly publicUrl: string
  /** Absent: no account is a partner's. */
  readonly mailBrand?: FindMailBrand
}
