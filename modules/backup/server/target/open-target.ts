import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DomainError } from '../../../../kernel/errors.ts'
import type { S3BackupConfig } from '../../../../platform/config/parts/storage.ts'
import type { BackupTarget } from './backup-target.ts'
import { createFolderTarget } from './folder-target.ts'
import { createS3Target } from './s3-target.ts'

/**
 * `s3://bucket/prefix`, or a folder that is there: where a disk is not mounted, nothing is written beneath its place.
 * @throws DomainError `backup.no_such_folder`, `backup.no_s3_access`, `backup.no_target`
 */
export async function openTarget(address: string, s3: S3BackupConfig | null): Promise<BackupTarget> {
  if (address.startsWith('s3://')) {
    const [, bucket = '', prefix = ''] =
      /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]{0,200}))?$/.exec(address) ?? []
    if (bucket === '') throw new DomainError('invalid', 'backup.no_target', { address })
    if (s3 === null) throw new DomainError('invalid', 'backup.no_s3_access')
    return createS3Target(s3, bucket, prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`)
  }
  const path = resolve(address)
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory() !== true) throw new DomainError('invalid', 'backup.no_such_folder', { path })
  return createFolderTarget(path)
}
