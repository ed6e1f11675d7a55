import { assessProofHealth, readStamps } from '../../../sealing/server/index.ts'
import type { NewSeal } from '../file-store.ts'

/** Until when the stamps of a seal hold, and when they should be renewed; null when none holds. @param files of `seal/`, by path */
export function healthOf(files: ReadonlyMap<string, Uint8Array>, root: Uint8Array, now: Date): NonNullable<NewSeal['health']> | null {
  const stamps = readStamps(files, root, now)
  const { stamped_until: stampedUntil, renew_at: renewAt } = assessProofHealth(
    { stamps, pending_authorities: 0, log: null, anchor: null },
    now,
  )
  return stampedUntil === null || renewAt === null ? null : { stampedUntil, renewAt }
}
