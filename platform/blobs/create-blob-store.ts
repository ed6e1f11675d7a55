import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { BlobStore } from './blob-store.ts'
import { createFolderBlobStore } from './folder-blob-store.ts'
import { createS3BlobStore } from './s3-blob-store.ts'

export function createBlobStore(config: Pick<Config, 'blobs' | 'dataFolder'>): BlobStore {
  return config.blobs.driver === 'folder'
    ? createFolderBlobStore(config.blobs.folder)
    : createS3BlobStore(config.blobs, join(config.dataFolder, 'uploads'))
}
