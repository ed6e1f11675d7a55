import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { BlobStore } from './blob-store.ts'
import { createFolderBlobStore, sweepLeftovers, sweepOldFiles } from './folder-blob-store.ts'
import { createS3BlobStore } from './s3-blob-store.ts'

/** Where streams wait for their hash on the way to S3. */
const uploads = (config: Pick<Config, 'dataFolder'>) => join(config.dataFolder, 'uploads')

export function createBlobStore(config: Pick<Config, 'blobs' | 'dataFolder'>): BlobStore {
  return config.blobs.driver === 'folder'
    ? createFolderBlobStore(config.blobs.folder)
    : createS3BlobStore(config.blobs, uploads(config))
}

/** Removes local files of writes that were killed more than a day ago. @returns how many */
export async function sweepBlobLeftovers(config: Pick<Config, 'blobs' | 'dataFolder'>, now: Date): Promise<number> {
  return config.blobs.driver === 'folder'
    ? await sweepLeftovers(config.blobs.folder, now)
    : await sweepOldFiles(uploads(config), now)
}
