import { join, resolve } from 'node:path'
import { settings } from '../settings/settings.ts'
import type { Keep } from '../settings/backup.ts'
import type { Values } from '../settings/values.ts'

export type BlobConfig =
  | { readonly driver: 'folder'; readonly folder: string }
  | {
      readonly driver: 's3'
      readonly endpoint: string | undefined
      readonly region: string
      readonly bucket: string
      readonly prefix: string
      readonly accessKeyId: string
      readonly secretAccessKey: string
      readonly forcePathStyle: boolean
    }

export type S3BackupConfig = Pick<
  Extract<BlobConfig, { driver: 's3' }>,
  'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey' | 'forcePathStyle'
>

export type BackupConfig = {
  /** A folder or `s3://bucket/prefix`; `undefined`: a worker takes none. */
  readonly to: string | undefined
  readonly recipients: readonly string[]
  /** `HH:MM`, UTC. */
  readonly at: string
  readonly keep: Keep
  readonly s3: S3BackupConfig | null
}

/** Where what is kept is kept. */
export type StorageConfig = {
  /** Absolute. */
  readonly dataFolder: string
  /** `undefined`: the embedded PostgreSQL, which the supervisor starts and then sets. */
  readonly databaseUrl: string | undefined
  readonly blobs: BlobConfig
  readonly backup: BackupConfig
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: string; readonly folder: string }
  /** Signs links. Read through {@link installationSecret} when the variable is absent. */
  readonly secret: string | undefined
  /** 32 bytes; `undefined`: made once and kept in the data folder (platform/vault). */
  readonly masterKey: Buffer | undefined
  /** Copies of deposited documents: bytes of the largest, of all of an account, days, and bytes of the disk that they leave free. */
  readonly documentCopies: {
    readonly largestBytes: number
    readonly accountBytes: number
    readonly days: number
    readonly spareBytes: number
  }
}

export function storageOf(values: Values, faults: string[]): StorageConfig {
  const blobs = blobsOf(values, faults)
  const backup = backupOf(values, faults)
  return {
    dataFolder: resolve(values.data),
    databaseUrl: values.databaseUrl,
    blobs,
    backup,
    mail: { smtpUrl: values.smtpUrl, from: values.mailFrom, folder: join(resolve(values.data), 'mail') },
    secret: values.secret,
    masterKey: values.masterKey,
    documentCopies: {
      largestBytes: values.documentCopyBytes,
      accountBytes: values.documentCopyAccountBytes,
      days: values.documentCopyDays,
      spareBytes: values.documentCopySpareBytes,
    },
  }
}

function blobsOf(values: Values, faults: string[]): BlobConfig {
  if (values.blobs === 'folder') return { driver: 'folder', folder: join(resolve(values.data), 'blobs') }
  const required = (key: 's3Bucket' | 's3AccessKeyId' | 's3SecretAccessKey'): string => {
    const value = values[key]
    if (value === undefined) faults.push(`${settings[key].name} is required with PROBANT_BLOBS=s3`)
    return value ?? ''
  }
  return {
    driver: 's3',
    endpoint: values.s3Endpoint,
    region: values.s3Region,
    bucket: required('s3Bucket'),
    prefix: values.s3Prefix,
    accessKeyId: required('s3AccessKeyId'),
    secretAccessKey: required('s3SecretAccessKey'),
    forcePathStyle: values.s3ForcePathStyle === 'true',
  }
}

function backupOf(values: Values, faults: string[]): BackupConfig {
  const { backupTo: to, backupRecipients: recipients, backupS3AccessKeyId: id, backupS3SecretAccessKey: secret } = values
  if (to !== undefined && recipients.length === 0) faults.push('PROBANT_BACKUP_RECIPIENTS is required with PROBANT_BACKUP_TO')
  if ((id === undefined) !== (secret === undefined))
    faults.push('PROBANT_BACKUP_S3_ACCESS_KEY_ID and PROBANT_BACKUP_S3_SECRET_ACCESS_KEY are given together')
  if (to?.startsWith('s3://') === true && id === undefined)
    faults.push('PROBANT_BACKUP_S3_ACCESS_KEY_ID is required with PROBANT_BACKUP_TO=s3://…')
  return {
    to,
    recipients,
    at: values.backupAt,
    keep: values.backupKeep,
    s3:
      id === undefined || secret === undefined
        ? null
        : {
            endpoint: values.backupS3Endpoint,
            region: values.backupS3Region,
            accessKeyId: id,
            secretAccessKey: secret,
            forcePathStyle: values.backupS3ForcePathStyle === 'true',
          },
  }
}
