import { createHash } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import { buildHashTree } from '../../../verification/server/index.ts'
import { obtainTimestamps } from '../timestamps/obtain-timestamps.ts'
import type { Timestamp, Timestamper } from '../timestamps/timestamper.ts'

/**
 * Renews many time stamps by one (RFC 4998 §5.2, timestamp renewal): the hash of each is a leaf of one hash tree, whose root is stamped.
 * @param leaves 32 octets each. @returns the token, and the way of each leaf to the root, in the order given
 * @throws DomainError `sealing.…`
 */
export async function renewChains(
  leaves: readonly Uint8Array[],
  { timestampers, signal }: { readonly timestampers: readonly Timestamper[]; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly timestamp: Timestamp; readonly paths: readonly (readonly Uint8Array[])[] }> {
  const tree = buildHashTree(leaves, (bytes) => createHash('sha256').update(bytes).digest())
  const { timestamps } = await obtainTimestamps(tree.root, timestampers, { wanted: 1, signal })
  const [timestamp] = timestamps
  if (timestamp === undefined) throw new DomainError('unavailable', 'sealing.no_timestamp', { asked: timestampers.length })
  return { timestamp, paths: leaves.map((_, index) => tree.path(index)) }
}
