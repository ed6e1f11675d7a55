import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { createStampQualifier, stampKey, type StampQualifier } from '../../../sealing/server/index.ts'
import type { TrustedLists } from '../../../verification/server/index.ts'
import { listStampFiles } from '../files/file-store.ts'

/** A token with its certificates, or those of its issuers; and how many are read at a time from a store that may be far away. */
const largest = 1 << 20
const atOnce = 8

/** What the trusted lists say of the time stamps of seals. @param lists the same object for as long as they are the same */
export function qualifySeals({
  db,
  blobs,
  log,
  lists,
}: {
  readonly db: Db
  readonly blobs: BlobStore
  readonly log: Log
  readonly lists: () => Promise<TrustedLists>
}): StampQualifier {
  return createStampQualifier({
    lists,
    read: async (ids) => {
      const found = new Map<string, Uint8Array>()
      const files = (await listStampFiles(db, ids)).filter(({ bytes }) => bytes <= largest)
      const readOne = async ({ evidenceId, path, sha256 }: (typeof files)[number]) => {
        try {
          found.set(stampKey(evidenceId, path), await blobs.scope(evidenceId).read(sha256, { maxBytes: largest }))
        } catch (error) {
          // It was deleted meanwhile, or the store is silent: the evidence is shown all the same, and nothing is said of this time stamp.
          log.warn({ err: error, evidence: evidenceId, path }, 'a time stamp could not be read')
        }
      }
      for (let i = 0; i < files.length; i += atOnce) await Promise.all(files.slice(i, i + atOnce).map(readOne))
      return found
    },
  })
}
