import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3BackupConfig } from '../../../../platform/config/parts/storage.ts'
import { assertObjectName, type BackupTarget, type TargetFolder, type TargetObject } from './backup-target.ts'

/** Objects as `<prefix>pieces/<name>` and so on. A piece is small enough to go in one request, which makes it whole or not at all. */
export function createS3Target(config: S3BackupConfig, bucket: string, prefix: string): BackupTarget {
  const client = new S3Client({
    region: config.region,
    forcePathStyle: config.forcePathStyle,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    // The default wraps bodies in trailing-checksum chunks, which stores that do not know them keep as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const keyOf = (folder: TargetFolder, name: string) => {
    assertObjectName(name)
    return `${prefix}${folder}/${name}`
  }
  return {
    address: `s3://${bucket}/${prefix}`,
    async *list(folder): AsyncGenerator<TargetObject> {
      const under = `${prefix}${folder}/`
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: under })) {
        for (const { Key = '', Size = 0 } of page.Contents ?? []) yield { name: Key.slice(under.length), bytes: Size }
      }
    },
    async read(folder, name) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(folder, name) }))
        if (Body === undefined) throw new Error('the store answered without a body')
        return Buffer.from(await Body.transformToByteArray())
      } catch (error) {
        if (error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name)) return null
        throw error
      }
    },
    async write(folder, name, bytes) {
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: keyOf(folder, name), Body: bytes, ContentType: 'application/octet-stream' }),
      )
    },
    async remove(folder, name) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(folder, name) }))
    },
  }
}
