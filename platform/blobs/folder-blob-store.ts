import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, opendir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { assertBlobName, assertScopeName, BlobMissing, type BlobStore, type ListedBlob, type StoredBlob } from './blob-store.ts'
import { assertRange, readAtMost } from './read-blob.ts'

/** A write that has not moved for this long belongs to a process that died. */
const leftoverAgeMs = 24 * 60 * 60 * 1000

function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Blobs as files `objects/ab/abcd…`, scopes as `scopes/<name>/…`. A blob appears whole or not at all, and survives a power
 * cut once the promise resolved: temporary file, fsync, rename, fsync of the folder (design/security.md §2).
 */
export function createFolderBlobStore(root: string): BlobStore {
  const objects = join(root, 'objects')
  const incoming = join(root, 'incoming')
  const pathOf = (sha256: string) => {
    assertBlobName(sha256)
    return join(objects, sha256.slice(0, 2), sha256)
  }

  async function writeTo(temporary: string, chunks: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    const hash = createHash('sha256')
    let bytes = 0
    const file = await open(temporary, 'wx', 0o600)
    try {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        let offset = 0
        while (offset < chunk.length) offset += (await file.write(chunk, offset)).bytesWritten
      }
      await file.sync()
    } finally {
      await file.close()
    }
    return { sha256: hash.digest('hex'), bytes }
  }

  async function putStream(chunks: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    const temporary = join(incoming, randomUUID())
    try {
      const stored = await writeTo(temporary, chunks)
      const path = pathOf(stored.sha256)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Over an equal blob this changes nothing but mends one that a failing disk damaged.
      await rename(temporary, path)
      await syncFolder(dirname(path))
      await syncFolder(objects)
      return stored
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  async function sizeOf(sha256: string): Promise<number> {
    try {
      return (await stat(pathOf(sha256))).size
    } catch (error) {
      throw isCode(error, 'ENOENT') ? new BlobMissing(sha256, error) : error
    }
  }

  const store: BlobStore = {
    putStream,
    putFile: async (path) => await putStream(createReadStream(path)),
    async putBytes(bytes) {
      async function* one(): AsyncGenerator<Uint8Array> {
        yield bytes
      }
      return await putStream(one())
    },
    async open(sha256, range): Promise<Readable> {
      assertRange(range, await sizeOf(sha256))
      // Opened here, so that a blob removed meanwhile is an error of this call and not of the first read.
      const file = await open(pathOf(sha256), 'r').catch((error: unknown) => {
        throw isCode(error, 'ENOENT') ? new BlobMissing(sha256, error) : error
      })
      return file.createReadStream({ ...range, highWaterMark: 256 * 1024 })
    },
    read: async (sha256, { maxBytes }) => await readAtMost(sha256, await sizeOf(sha256), maxBytes, store),
    async has(sha256) {
      const path = pathOf(sha256)
      try {
        await access(path)
        return true
      } catch (error) {
        if (isCode(error, 'ENOENT')) return false
        throw error
      }
    },
    async remove(sha256) {
      await rm(pathOf(sha256), { force: true })
    },
    async *list(): AsyncGenerator<ListedBlob> {
      for await (const folder of entriesOf(objects)) {
        for await (const sha256 of entriesOf(join(objects, folder))) {
          const found = await stat(join(objects, folder, sha256)).catch((error: unknown) => {
            if (isCode(error, 'ENOENT')) return undefined
            throw error
          })
          if (found !== undefined) yield { sha256, bytes: found.size, modifiedAt: found.mtime }
        }
      }
    },
    scope(name) {
      assertScopeName(name)
      return createFolderBlobStore(join(root, 'scopes', name))
    },
    scopes: () => entriesOf(join(root, 'scopes')),
    async room() {
      await mkdir(root, { recursive: true, mode: 0o700 })
      const { bavail, bsize } = await statfs(root)
      return bavail * bsize
    },
    async clear() {
      await rm(objects, { recursive: true, force: true })
      await rm(incoming, { recursive: true, force: true })
      // Kept when it holds scopes.
      await rmdir(root).catch((error: unknown) => {
        if (!isCode(error, 'ENOENT', 'ENOTEMPTY')) throw error
      })
    },
  }
  return store
}

async function* entriesOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) yield entry.name
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

/** Removes what killed writers left, in the store and in its scopes. @returns how many files went */
export async function sweepLeftovers(root: string, now: Date): Promise<number> {
  let removed = await sweepOldFiles(join(root, 'incoming'), now)
  for await (const name of entriesOf(join(root, 'scopes'))) removed += await sweepLeftovers(join(root, 'scopes', name), now)
  return removed
}

export async function sweepOldFiles(folder: string, now: Date): Promise<number> {
  let removed = 0
  for await (const name of entriesOf(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || now.getTime() - found.mtimeMs <= leftoverAgeMs) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}
