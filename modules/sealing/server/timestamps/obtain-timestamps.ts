import { createHash } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { PendingAuthority } from '../../domain/seal.ts'
import type { Timestamp, Timestamper } from './timestamper.ts'

/**
 * Tokens over `digest` (SHA-256) from the first outside authorities that answer, as many as `wanted` and configured, no two
 * under one root. When none answers, or none is configured, the embedded authority's: a seal never waits for strangers, and
 * says in `pending` which of them to ask again (decision 0053).
 * @throws DomainError `sealing.no_timestamp` when even that fails.
 */
export async function obtainTimestamps(
  digest: Uint8Array,
  timestampers: readonly Timestamper[],
  { wanted, signal }: { wanted: 1 | 2; signal?: AbortSignal | undefined },
): Promise<{ timestamps: Timestamp[]; pending: PendingAuthority[] }> {
  const outside = timestampers.filter((each) => !each.embedded)
  const timestamps: Timestamp[] = []
  const failed: PendingAuthority[] = []
  for (const timestamper of outside) {
    if (timestamps.length === wanted) break
    try {
      const timestamp = await timestamper.timestamp(digest, signal)
      // Two services of one authority stand and fall together: the second token would add nothing.
      if (!timestamps.some((each) => rootOf(each) === rootOf(timestamp))) timestamps.push(timestamp)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      failed.push({ authority: timestamper.name, code: error.code })
    }
  }
  if (timestamps.length > 0) return { timestamps, pending: timestamps.length < wanted ? failed : [] }
  const own = timestampers.find((each) => each.embedded)
  if (own === undefined) throw new DomainError('unavailable', 'sealing.no_timestamp', { asked: failed.length })
  return { timestamps: [await own.timestamp(digest, signal)], pending: failed }
}

function rootOf(timestamp: Timestamp): string {
  return createHash('sha256')
    .update(timestamp.chain.at(-1) ?? timestamp.certificate)
    .digest('hex')
}
