import { createReadStream } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { FileRecord, FileSection } from './file-store.ts'

type Described = { path: string; section: FileSection; role: string | null; mediaType: string }

/** Puts the bytes into the evidence's scope of the blob store and says what they are. Putting again changes nothing. */
async function storeChunks(scope: BlobStore, described: Described, chunks: AsyncIterable<Uint8Array>): Promise<FileRecord> {
  let crc = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      crc = crc32(chunk, crc)
      yield chunk
    }
  }
  const stored = await scope.putStream(counted())
  return { ...described, bytes: stored.bytes, sha256: stored.sha256, crc32: crc }
}

export async function storeLocalFile(scope: BlobStore, described: Described, file: string): Promise<FileRecord> {
  return await storeChunks(scope, described, createReadStream(file))
}

export async function storeBytes(scope: BlobStore, described: Described, bytes: Uint8Array): Promise<FileRecord> {
  async function* one(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  return await storeChunks(scope, described, one())
}
