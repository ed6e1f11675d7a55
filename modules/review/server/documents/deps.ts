import type { Clock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { Mailer } from '../../../../platform/mail/mailer.ts'
import type { FindMailBrand } from '../../../../platform/mail/mail-brand.ts'
import type { Vault } from '../../../../platform/vault/vault.ts'
import type { renderFile } from '../render/render-file.ts'

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type ReviewDeps = {
  readonly db: Db
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Log
  /** The installation's; fingerprints of what was typed are keyed with it. */
  readonly secret: string
  readonly vault: Vault
  /** Days after the acceptance for which files are kept. */
  readonly documentsDays: number
}

/** Of the calls that answer users and staff. */
export type ReviewWebDeps = ReviewDeps & {
  /** Whether two reviewers must agree before somebody is accepted. */
  readonly fourEyes: boolean
  /** Where files wait that are still arriving; made when it is first needed. */
  readonly uploadsFolder: string
  readonly render: typeof renderFile
}

export type ReviewJobDeps = Pick<ReviewDeps, 'db' | 'blobs' | 'clock' | 'log' | 'documentsDays'> & {
  readonly mailer: Mailer
  /** Without trailing slash; links start with it. */
  readonly publicUrl: string
  /** Absent: no account is a partner's. */
  readonly mailBrand?: FindMailBrand
}
