import { setImmediate as pause } from 'node:timers/promises'
import type { Db } from '../../../platform/db/database.ts'
import { qualifyToken, type TokenQualification } from '../../sealing/server/index.ts'
import type { TrustedLists } from '../../verification/server/index.ts'
import { findStampFiles, type BatchRecord } from './batch-store.ts'

export type Qualifications = ReadonlyMap<string, TokenQualification['state']>

/** By batch and file of the token. */
export const stampKey = (batchId: string, file: string): string => `${batchId} ${file}`

/** What the trusted lists say of time stamps from outside the installation, of batches that are shown together. */
export type StampQualifier = (batches: readonly Pick<BatchRecord, 'id' | 'summary'>[]) => Promise<Qualifications>

/** Answers that are kept. */
const most = 20_000

/**
 * Asks the lists of each token once: it never changes, and neither do lists that were read, so that an answer holds for as long as these lists
 * stand. Tokens are read for those alone that are not known.
 */
export function createStampQualifier({
  db,
  lists,
}: {
  readonly db: Db
  /** The same object for as long as they are the same lists. */
  readonly lists: () => Promise<TrustedLists>
}): StampQualifier {
  let known: { readonly lists: TrustedLists; readonly answers: Map<string, TokenQualification['state']> } | null = null
  return async (batches) => {
    const current = await lists()
    known = known?.lists === current ? known : { lists: current, answers: new Map() }
    const { answers } = known
    const stamps = batches.flatMap(({ id, summary }) =>
      (summary?.timestamps ?? []).flatMap((stamp) =>
        stamp.embedded ? [] : [{ ...stamp, batchId: id, key: stampKey(id, stamp.file) }],
      ),
    )
    const open = stamps.filter(({ key }) => !answers.has(key))
    const files = await findStampFiles(db, [...new Set(open.map(({ batchId }) => batchId))])
    const read = (batchId: string, name: string): Uint8Array => files.get(stampKey(batchId, name)) ?? new Uint8Array()
    for (const { key, batchId, file, ca_file: caFile, gen_time: genTime } of open) {
      const token = { response: read(batchId, file), issuers: read(batchId, caFile), genTime: new Date(genTime) }
      answers.set(key, qualifyToken(token, current).state)
      // Signatures are verified: other calls go on in between.
      await pause()
    }
    const found = new Map(stamps.map(({ key }) => [key, answers.get(key) ?? 'not_established']))
    for (const oldest of answers.keys()) {
      if (answers.size <= most) break
      answers.delete(oldest)
    }
    return found
  }
}
