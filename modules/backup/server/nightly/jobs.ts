import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { BackupConfig } from '../../../../platform/config/parts/storage.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { defineJob, handle, type Job, type JobHandler } from '../../../../platform/jobs/jobs.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import { composeMail } from '../../../../platform/mail/compose-mail.ts'
import type { Mail, Mailer } from '../../../../platform/mail/mailer.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { carrySince } from '../since/carry-since.ts'
import { removePast } from '../take/keep.ts'
import { takeBackup } from '../take/take-backup.ts'
import { openTarget } from '../target/open-target.ts'
import { listAdministrators } from './administrators-store.ts'
import { lookAtBackups } from './look-at-backups.ts'

const nothing = z.object({}).loose()

/** Each night. */
export const takeBackupJob = defineJob('backup.take_backup', nothing)
/** Every five minutes. */
export const carrySinceJob = defineJob('backup.carry_since', nothing)
/** Each morning. */
export const checkBackupJob = defineJob('backup.check_backup', nothing)

/** A night that failed is told the morning after the next: whoever restarts a machine at night is not written to. */
const tooOldMs = 36 * 3_600_000

export type NightlyDeps = {
  readonly config: BackupConfig
  readonly databaseUrl: string
  readonly dataFolder: string
  readonly db: Db
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Notes
  readonly mailer: Mailer
}

/** What a worker does of itself where a target is set; else nothing. */
export function nightlyBackups(deps: NightlyDeps): { jobs: readonly Job[]; handlers: readonly JobHandler[]; crontab: string } {
  const { config } = deps
  const { to, recipients, keep } = config
  if (to === undefined) return { jobs: [], handlers: [], crontab: '' }
  const [hour = '', minute = ''] = config.at.split(':')
  const open = async () => await openTarget(to, config.s3)
  return {
    jobs: [takeBackupJob, carrySinceJob, checkBackupJob],
    handlers: [
      handle(takeBackupJob, async () => {
        const target = await open()
        const { manifest, sent, missing } = await takeBackup(deps, { target, recipients, withMasterKey: false })
        const removed = await removePast(deps.databaseUrl, target, keep)
        const said = { backup: manifest.id, bytes: manifest.pieces.bytes, sent: sent.bytes, removed: removed.backups.length }
        deps.log.info({ ...said, missing: missing.length }, 'a backup was taken')
      }),
      handle(carrySinceJob, async () => {
        await carrySince(deps, { target: await open(), recipients })
      }),
      handle(checkBackupJob, async () => {
        await tellOfOldBackups(deps, to)
      }),
    ],
    crontab: `${Number(minute)} ${Number(hour)} * * * ${takeBackupJob.name}\n*/5 * * * * ${carrySinceJob.name}\n3 8 * * * ${checkBackupJob.name}`,
  }
}

/** When the newest backup was taken; null: there is none, or nobody can tell. */
async function newestBackup({ config, log }: NightlyDeps, to: string): Promise<Date | null> {
  try {
    return (await lookAtBackups(to, config.s3)).newest?.takenAt ?? null
  } catch (error) {
    log.warn({ err: error }, 'the backups cannot be looked at')
    return null
  }
}

/** Writes to every administrator where the newest backup is too old. Once a day: a second run of a day makes the same mails again. */
export async function tellOfOldBackups(deps: NightlyDeps, to: string): Promise<void> {
  const { clock, db, mailer } = deps
  const now = clock.now()
  const newest = await newestBackup(deps, to)
  if (newest !== null && now.getTime() - newest.getTime() < tooOldMs) return
  const day = now.toISOString().slice(0, 10)
  for (const { id, email, locale } of await listAdministrators(db)) {
    await mailer.send({
      ...writeBackupWarning({ email, locale }, { to, newest }),
      once: { id: uuidOf(`${day} ${id}`), at: new Date(`${day}T00:00:00Z`) },
    })
  }
}

/** @param about.newest when the newest backup was taken */
export function writeBackupWarning(
  { email, locale }: { readonly email: string; readonly locale: Locale },
  { to, newest }: { readonly to: string; readonly newest: Date | null },
): Mail {
  const messages = createMessages(locale)
  const text =
    newest === null ? messages.format('backup.mail.none', { to }) : messages.format('backup.mail.old', { to, at: newest })
  return composeMail({
    to: email,
    locale,
    subject: messages.format('backup.mail.subject'),
    parts: [{ text }, { text: messages.format('backup.mail.what_to_do') }],
  })
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(`probant backup notice ${text}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
