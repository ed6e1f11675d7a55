import { assessProofHealth, readStamps } from '../../../sealing/server/index.ts'
import type { NewSeal } from './seal-store.ts'

/**
 * Until when the stamps of a seal hold, or held, and when they should be renewed; null when there is none that can be read.
 * @param files of `seal/`, by path
 */
export function healthOf(
  files: ReadonlyMap<string, Uint8Array>,
  root: Uint8Array,
  now: Date,
): NonNullable<NewSeal['health']> | null {
  const stamps = readStamps(files, root, now)
  if (stamps.length === 0) return null
  const health = assessProofHealth({ stamps, pending_authorities: 0, log: null, anchor: null }, now)
  const last = new Date(Math.max(...stamps.map(({ until }) => until.getTime())))
  return { stampedUntil: health.stamped_until ?? last, renewAt: health.renew_at }
}
