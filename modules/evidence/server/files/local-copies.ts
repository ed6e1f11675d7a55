import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { FileRecord } from './file-store.ts'

/** @throws Error when the path is not one of the files' */
export function fileOf(files: readonly FileRecord[], path: string): FileRecord {
  const file = files.find((one) => one.path === path)
  if (file === undefined) throw new Error(`${path} is not among the stored files`)
  return file
}

/** The blob store may be far away: the report's images are read from a copy, made once. */
export function localCopies(scope: BlobStore, files: readonly FileRecord[], folder: string): (path: string) => Promise<string> {
  const copies = new Map<string, Promise<string>>()
  async function copy(path: string): Promise<string> {
    const file = fileOf(files, path)
    const target = join(folder, file.sha256)
    await pipeline(await scope.open(file.sha256), createWriteStream(target))
    return target
  }
  return async (path) => {
    const known = copies.get(path) ?? copy(path)
    copies.set(path, known)
    return await known
  }
}
