import { readManifest, listBackups, readPieces, removeBackup, type Manifest } from '../manifest/manifest.ts'
import { removeOldSince } from '../since/since.ts'
import { withBackupLock } from './lock.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { pieceObject } from '../pieces/piece-store.ts'
import type { Keep } from '../../../../platform/config/settings/backup.ts'

/** Monday of the week, as a day. */
function weekOf(at: Date): string {
  const day = (at.getUTCDay() + 6) % 7
  return new Date(at.getTime() - day * 86_400_000).toISOString().slice(0, 10)
}

/**
 * Which backups are no longer wanted: of the last so many days, weeks and months that have any, the newest of each is kept, and the newest
 * of all whatever is said.
 * @param backups the newest first
 */
export function pastKeeping<Backup extends { readonly taken_at: string }>(backups: readonly Backup[], keep: Keep): Backup[] {
  const kept = new Set<Backup>(backups.slice(0, 1))
  const periods: readonly [number, (at: Date) => string][] = [
    [keep.days, (at) => at.toISOString().slice(0, 10)],
    [keep.weeks, weekOf],
    [keep.months, (at) => at.toISOString().slice(0, 7)],
  ]
  for (const [count, periodOf] of periods) {
    const seen = new Set<string>()
    for (const backup of backups) {
      const period = periodOf(new Date(backup.taken_at))
      if (seen.has(period)) continue
      if (seen.size >= count) break
      seen.add(period)
      kept.add(backup)
    }
  }
  return backups.filter((backup) => !kept.has(backup))
}

/**
 * Removes backups that are past keeping, then every piece that none of the kept ones names, also those that an interrupted backup sent and
 * none took up. Where a kept backup cannot be read, nothing is removed: it may need anything.
 */
export async function removePast(databaseUrl: string, target: BackupTarget, keep: Keep): Promise<RemovedBackups> {
  // A backup that is under way names pieces only at its end.
  return await withBackupLock(databaseUrl, async () => await removeUnneeded(target, keep))
}

export type RemovedBackups = { readonly backups: readonly string[]; readonly pieces: number; readonly bytes: number }

async function removeUnneeded(target: BackupTarget, keep: Keep): Promise<RemovedBackups> {
  const backups: Manifest[] = []
  for (const id of await listBackups(target)) backups.push(await readManifest(target, id))
  const past = new Set(pastKeeping(backups, keep))
  const needed = new Set<string>()
  const kept = backups.filter((backup) => !past.has(backup))
  for (const backup of kept) for (const { object } of await readPieces(target, backup)) needed.add(object)
  for (const { id } of past) await removeBackup(target, id)
  const oldest = kept.at(-1)
  if (oldest !== undefined) await removeOldSince(target, oldest)
  const removed = { backups: [...past].map(({ id }) => id), pieces: 0, bytes: 0 }
  for await (const { name, bytes } of target.list('pieces')) {
    if (needed.has(name) || !pieceObject.test(name)) continue
    await target.remove('pieces', name)
    removed.pieces += 1
    removed.bytes += bytes
  }
  return removed
}
