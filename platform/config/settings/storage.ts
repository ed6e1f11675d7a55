/** What it keeps, and with which secrets. */
import { address, oneOf, text } from './parsers.ts'
import { setting } from './setting.ts'

export const storage = {
  data: setting({
    name: 'PROBANT_DATA',
    ...text(),
    fallback: './data',
    fallbackText: '`./data`',
    meaning: 'Folder of everything the installation keeps: embedded database, blobs, keys, mails, logs.',
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    ...address(['postgres:', 'postgresql:']),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'embedded PostgreSQL 18 in the data folder',
    meaning: 'PostgreSQL 16 or later to use instead of the embedded one.',
  }),
  blobs: setting({
    name: 'PROBANT_BLOBS',
    ...oneOf('folder', 's3'),
    fallback: 'folder',
    fallbackText: '`folder`',
    meaning: 'Where blobs are kept: the data folder, or an S3-compatible store.',
  }),
  s3Endpoint: setting({
    name: 'S3_ENDPOINT',
    ...address(['http:', 'https:']),
    fallback: undefined as string | undefined,
    fallbackText: "the region's own",
    meaning: 'Address of the S3-compatible store.',
  }),
  s3Region: setting({
    name: 'S3_REGION',
    ...text(60),
    fallback: 'us-east-1',
    fallbackText: '`us-east-1`',
    meaning: 'Region of the store.',
  }),
  s3Bucket: setting({
    name: 'S3_BUCKET',
    accepts: 'bucket name',
    parse(this: void, value: string): string {
      if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value)) throw new RangeError('must be a bucket name')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_BLOBS=s3`',
    meaning: 'Bucket, which exists already.',
  }),
  s3Prefix: setting({
    name: 'S3_PREFIX',
    ...text(200),
    fallback: '',
    fallbackText: 'empty',
    meaning: 'Put before every key, for a bucket that is shared.',
  }),
  s3AccessKeyId: setting({
    name: 'S3_ACCESS_KEY_ID',
    ...text(200),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_BLOBS=s3`',
    meaning: 'Access key of the store.',
  }),
  s3SecretAccessKey: setting({
    name: 'S3_SECRET_ACCESS_KEY',
    ...text(200),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_BLOBS=s3`',
    meaning: 'Secret of that key.',
  }),
  s3ForcePathStyle: setting({
    name: 'S3_FORCE_PATH_STYLE',
    ...oneOf('true', 'false'),
    fallback: 'true',
    fallbackText: '`true`',
    meaning: 'Whether the bucket stands in the path instead of the host name.',
  }),
  secret: setting({
    name: 'PROBANT_SECRET',
    accepts: 'at least 32 characters',
    secret: true,
    parse(this: void, value: string): string {
      if (value.length < 32 || value.length > 500) throw new RangeError('must have from 32 to 500 characters')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: 'made once, kept in the data folder with mode 0600',
    meaning: 'Signs expiring links. The same for every process of an installation.',
  }),
  masterKey: setting({
    name: 'PROBANT_MASTER_KEY',
    accepts: '32 bytes in base64 or base64url',
    secret: true,
    parse(this: void, value: string): Buffer {
      const key = /^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? Buffer.from(value, 'base64') : null
      if (key?.length !== 32) throw new RangeError('must be 32 bytes in base64 or base64url')
      return key
    },
    fallback: undefined as Buffer | undefined,
    fallbackText: 'made once, kept in the data folder with mode 0600',
    meaning:
      'Enciphers what the database keeps secret of people, such as second factors. The same for every process of an installation; without it those are lost. `openssl rand -base64 32` makes one.',
  }),
} as const
