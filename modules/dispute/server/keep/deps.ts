import type { Clock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { typeset } from '../../../../platform/print/typeset/typeset.ts'

/** What every use case of the module needs. */
export type DisputeDeps = {
  readonly db: Db
  readonly blobs: BlobStore
  readonly clock: Clock
  /** The installation's: what was typed when an identity was sent is compared by it. */
  readonly secret: string
  readonly publicUrl: string
  /** Of the sale of a report that its owner has open; null: there is none, or nothing is sold here. */
  readonly findSale: (report: { readonly sellerId: string; readonly evidenceId: string }) => Promise<string | null>
}

export type PrintDeps = DisputeDeps & {
  /** Holds the folders of jobs that are running. */
  readonly workFolder: string
  readonly typeset: typeof typeset
}
