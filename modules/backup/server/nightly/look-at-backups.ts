import type { BackupConfig } from '../../../../platform/config/parts/storage.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { listBackups, readManifest } from '../manifest/manifest.ts'
import { openTarget } from '../target/open-target.ts'

/** What is at the target: how many, and of the newest that is whole and signed, when it was taken and what it could not hold. */
export type BackupsSeen = {
  readonly count: number
  readonly newest: { readonly takenAt: Date; readonly missingBlobs: number } | null
}

/** One that was altered is none. @throws Error when the target cannot be looked at */
export async function lookAtBackups(to: string, s3: BackupConfig['s3']): Promise<BackupsSeen> {
  const target = await openTarget(to, s3)
  const ids = await listBackups(target)
  for (const id of ids)
    try {
      const { taken_at: takenAt, blobs } = await readManifest(target, id)
      return { count: ids.length, newest: { takenAt: new Date(takenAt), missingBlobs: blobs.missing } }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
  return { count: ids.length, newest: null }
}
