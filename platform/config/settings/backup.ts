/** Backups: where they go, for whom they are enciphered, when, and how long they are kept. */
import { address, commaSeparated, oneOf, text } from './parsers.ts'
import { setting } from './setting.ts'

/** How many days, weeks and months that have a backup keep their newest. */
export type Keep = { readonly days: number; readonly weeks: number; readonly months: number }

/** `7d,4w,12m`. @throws RangeError */
export function parseKeep(value: string): Keep {
  const [, days, weeks, months] = /^(?:(\d{1,3})d)?,?(?:(\d{1,3})w)?,?(?:(\d{1,3})m)?$/.exec(value) ?? []
  if (value === '' || value.endsWith(',') || value.startsWith(',') || (days ?? weeks ?? months) === undefined)
    throw new RangeError('must be days, weeks and months such as 7d,4w,12m')
  return { days: Number(days ?? 0), weeks: Number(weeks ?? 0), months: Number(months ?? 0) }
}

/** @throws RangeError */
function parseRecipient(item: string): string {
  if (!/^age1[a-z0-9]{20,3000}$/.test(item))
    // Not shown: it may be the identity itself, by mistake.
    throw new RangeError('must list public keys of age, which start with age1')
  return item
}

export const backup = {
  backupTo: setting({
    name: 'PROBANT_BACKUP_TO',
    ...text(400),
    fallback: undefined as string | undefined,
    fallbackText: 'none: a worker takes no backups',
    meaning:
      'Where a worker puts a backup each night: a folder, on another disk than the data folder, or `s3://bucket/prefix`. Also where `npx probant backup` looks when it is not told.',
  }),
  backupRecipients: setting({
    name: 'PROBANT_BACKUP_RECIPIENTS',
    accepts: 'comma-separated public keys of age (`age1…`)',
    parse: commaSeparated(parseRecipient),
    fallback: [] as readonly string[],
    fallbackText: 'none; required with `PROBANT_BACKUP_TO`',
    meaning:
      'For whom backups are enciphered. Their identities belong elsewhere: this machine then cannot read its own backups. `age-keygen` makes a pair.',
  }),
  backupAt: setting({
    name: 'PROBANT_BACKUP_AT',
    accepts: 'time of day, `HH:MM`, UTC',
    parse(this: void, value: string): string {
      if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)) throw new RangeError('must be a time of day such as 02:30')
      return value
    },
    fallback: '02:30',
    fallbackText: '`02:30`',
    meaning: 'When a worker takes the backup of the night.',
  }),
  backupKeep: setting({
    name: 'PROBANT_BACKUP_KEEP',
    accepts: 'days, weeks and months, such as `7d,4w,12m`',
    parse: parseKeep,
    fallback: { days: 7, weeks: 4, months: 12 },
    fallbackText: '`7d,4w,12m`',
    meaning:
      'How many days, weeks and months keep the newest backup that they have. No piece is removed that a kept backup needs.',
  }),
  backupS3Endpoint: setting({
    name: 'PROBANT_BACKUP_S3_ENDPOINT',
    ...address(['http:', 'https:']),
    fallback: undefined as string | undefined,
    fallbackText: "the region's own",
    meaning: 'Address of the S3-compatible store of the backups, which should be another than that of the blobs.',
  }),
  backupS3Region: setting({
    name: 'PROBANT_BACKUP_S3_REGION',
    ...text(60),
    fallback: 'us-east-1',
    fallbackText: '`us-east-1`',
    meaning: 'Region of that store.',
  }),
  backupS3AccessKeyId: setting({
    name: 'PROBANT_BACKUP_S3_ACCESS_KEY_ID',
    ...text(200),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'none; required for `s3://`',
    meaning: 'Access key of that store.',
  }),
  backupS3SecretAccessKey: setting({
    name: 'PROBANT_BACKUP_S3_SECRET_ACCESS_KEY',
    ...text(200),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'none; required for `s3://`',
    meaning: 'Secret of that key.',
  }),
  backupS3ForcePathStyle: setting({
    name: 'PROBANT_BACKUP_S3_FORCE_PATH_STYLE',
    ...oneOf('true', 'false'),
    fallback: 'true',
    fallbackText: '`true`',
    meaning: 'Whether the bucket stands in the path instead of the host name.',
  }),
} as const
