import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { deleteDocuments, listForgotten } from './ending-store.ts'

const together = 100

/** The files of invoices whose buyers are forgotten: bytes first, then their rows. @returns how many invoices had some */
export async function forgetDocuments({ db, blobs }: Pick<BillingDeps, 'db'> & { readonly blobs: BlobStore }): Promise<number> {
  for (let total = 0; ;) {
    const ids = await listForgotten(db, together)
    for (const id of ids) await blobs.scope(id).clear()
    await deleteDocuments(db, ids)
    total += ids.length
    if (ids.length < together) return total
  }
}
