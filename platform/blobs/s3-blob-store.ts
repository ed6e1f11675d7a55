import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { hashFile } from '../files/hash-file.ts'
import { DeleteObjectsCommand, GetObjectCommand, HeadObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { BlobConfig } from '../config/parts/storage.ts'
import {
  assertBlobName,
  assertScopeName,
  BlobMissing,
  type BlobStore,
  type ByteRange,
  type ListedBlob,
  type StoredBlob,
} from './blob-store.ts'
import { assertRange, readAtMost } from './read-blob.ts'

export type S3BlobConfig = Extract<BlobConfig, { driver: 's3' }>

function isMissing(error: unknown): boolean {
  return error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name)
}

/**
 * Blobs as objects `<prefix>objects/<sha256>`, scopes as `<prefix>scopes/<name>/…`. An object's key is its hash, which is
 * known only after the last byte: a stream goes through a local file first, so that nothing is ever stored under a wrong name.
 * @param workFolder for those files
 */
export function createS3BlobStore(config: S3BlobConfig, workFolder: string): BlobStore {
  const client = new S3Client({
    region: config.region,
    forcePathStyle: config.forcePathStyle,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    // The default wraps bodies in trailing-checksum chunks, which stores that do not know them keep as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return storeUnder(client, config.bucket, config.prefix, workFolder)
}

function storeUnder(client: S3Client, bucket: string, prefix: string, workFolder: string): BlobStore {
  const objects = `${prefix}objects/`
  const keyOf = (sha256: string) => {
    assertBlobName(sha256)
    return objects + sha256
  }

  async function sizeOf(sha256: string): Promise<number> {
    try {
      const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(sha256) }))
      return head.ContentLength ?? 0
    } catch (error) {
      throw isMissing(error) ? new BlobMissing(sha256, error) : error
    }
  }

  async function has(sha256: string): Promise<boolean> {
    try {
      await sizeOf(sha256)
      return true
    } catch (error) {
      if (error instanceof BlobMissing) return false
      throw error
    }
  }

  async function putFile(path: string): Promise<StoredBlob> {
    const sha256 = await hashFile(path)
    const { size } = await stat(path)
    if (!(await has(sha256))) {
      const upload = new Upload({
        client,
        params: { Bucket: bucket, Key: keyOf(sha256), Body: createReadStream(path), ContentType: 'application/octet-stream' },
      })
      await upload.done()
    }
    return { sha256, bytes: size }
  }

  async function putStream(chunks: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    await mkdir(workFolder, { recursive: true, mode: 0o700 })
    const temporary = join(workFolder, randomUUID())
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        for await (const chunk of chunks) {
          let offset = 0
          while (offset < chunk.length) offset += (await file.write(chunk, offset)).bytesWritten
        }
      } finally {
        await file.close()
      }
      return await putFile(temporary)
    } finally {
      await rm(temporary, { force: true })
    }
  }

  const store: BlobStore = {
    putFile,
    putStream,
    async putBytes(bytes) {
      async function* one(): AsyncGenerator<Uint8Array> {
        yield bytes
      }
      return await putStream(one())
    },
    async open(sha256, range) {
      const size = range === undefined ? undefined : await sizeOf(sha256)
      if (size !== undefined) assertRange(range, size)
      try {
        const bytes = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
        const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(sha256), ...bytes }))
        if (!(Body instanceof Readable)) throw new Error('the store answered without a body')
        if (range === undefined || ContentLength === range.end - range.start + 1) return Body
        // RFC 9110 §14.2: a server may ignore Range. Anything else than the part or the whole is a fault.
        if (ContentLength !== size)
          throw new Error(`the store answered ${ContentLength ?? 'an unknown number of'} bytes for a range`)
        return Readable.from(cut(Body, range))
      } catch (error) {
        throw isMissing(error) ? new BlobMissing(sha256, error) : error
      }
    },
    read: async (sha256, { maxBytes }) => await readAtMost(sha256, await sizeOf(sha256), maxBytes, store),
    has,
    async remove(sha256) {
      await deleteAll(client, bucket, [keyOf(sha256)])
    },
    async *list(): AsyncGenerator<ListedBlob> {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: objects })) {
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const sha256 = Key.slice(objects.length)
          if (/^[0-9a-f]{64}$/.test(sha256)) yield { sha256, bytes: Size, modifiedAt: LastModified ?? new Date(0) }
        }
      }
    },
    scope(name) {
      assertScopeName(name)
      return storeUnder(client, bucket, `${prefix}scopes/${name}/`, workFolder)
    },
    async *scopes(): AsyncGenerator<string> {
      const under = `${prefix}scopes/`
      let last = ''
      // In the order of keys, those of a scope are together. By a delimiter some stores skip what lies deeper.
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: under })) {
        for (const { Key = '' } of page.Contents ?? []) {
          const name = Key.slice(under.length).split('/', 1)[0] ?? ''
          if (name !== last) yield name
          last = name
        }
      }
    },
    // Its end is a matter of its contract.
    room: async () => await Promise.resolve(null),
    async clear() {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: objects })) {
        await deleteAll(
          client,
          bucket,
          (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key])),
        )
      }
    },
  }
  return store
}

async function* cut(body: Readable, range: ByteRange): AsyncGenerator<Buffer> {
  let offset = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const part = chunk.subarray(Math.max(0, range.start - offset), Math.max(0, range.end + 1 - offset))
    offset += chunk.length
    if (part.length > 0) yield part
    if (offset > range.end) return
  }
}

/** At most 1,000 keys, as one page of a listing has. */
async function deleteAll(client: S3Client, bucket: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const { Errors = [] } = await client.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true } }),
  )
  const [first] = Errors.filter((error) => error.Code !== 'NoSuchKey')
  if (first !== undefined) throw new Error(`the store did not delete ${Errors.length} objects: ${first.Code ?? ''}`)
}
