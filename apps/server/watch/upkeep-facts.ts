/** What somebody has to look after: the backups, and the certificates that visitors are shown. */
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../kernel/clock.ts'
import { lookAtBackups, type BackupsSeen } from '../../../modules/backup/server/index.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { hostName } from '../../../platform/http/request/host-name.ts'
import { readCertificateLives } from '../../../platform/tls/certificate-lives.ts'
import type { ReadInTime } from './read-in-time.ts'

/** The target may be another's machine: it is not asked at each scrape. Milliseconds. */
const lookEveryMs = 5 * 60_000

type UpkeepDeps = {
  readonly config: Pick<Config, 'backup' | 'tls' | 'publicUrl'>
  readonly db: Db
  readonly clock: Clock
  readonly readInTime: ReadInTime
}

/** @returns what is called before each scrape */
export function tellUpkeep(registry: Registry, deps: UpkeepDeps): () => Promise<void> {
  const backups = tellBackups(registry, deps)
  const certificates = tellCertificates(registry, deps)
  return async () => {
    await Promise.all([backups(), certificates()])
  }
}

function tellBackups(registry: Registry, { config, clock, readInTime }: UpkeepDeps): () => Promise<void> {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `probant_${name}`, help, labelNames: [], registers: [registry] })
  const count = gauge('backups', 'Backups at the target that each night’s are taken to.')
  const age = gauge('backup_age_seconds', 'Time since the newest whole backup was taken.')
  const missing = gauge(
    'backup_missing_blobs',
    'Blobs that the newest backup names and could not hold: they were not in the store.',
  )
  // Without labels they would begin as zero, which nobody measured.
  for (const each of [count, age, missing]) each.remove()
  const { to, s3 } = config.backup
  if (to === undefined) return () => Promise.resolve()
  let looked: { readonly atMs: number; readonly seen: BackupsSeen } | undefined
  return async () => {
    const now = clock.now().getTime()
    if (looked === undefined || now - looked.atMs >= lookEveryMs)
      await readInTime('backup', async () => {
        looked = { seen: await lookAtBackups(to, s3), atMs: clock.now().getTime() }
      })
    if (looked === undefined) return
    const { seen } = looked
    count.set(seen.count)
    if (seen.newest === null) {
      age.remove()
      missing.remove()
    } else {
      age.set(Math.max(0, (now - seen.newest.takenAt.getTime()) / 1000))
      missing.set(seen.newest.missingBlobs)
    }
  }
}

function tellCertificates(registry: Registry, { config, db, clock, readInTime }: UpkeepDeps): () => Promise<void> {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `probant_tls_certificate_${name}`, help, labelNames: ['host'], registers: [registry] })
  const left = gauge('left_seconds', 'Time until the certificate that visitors are shown ends; 0: it ended, or none was had yet.')
  const life = gauge('life_seconds', 'From the beginning of that certificate to its end.')
  const ownHost = hostName(new URL(config.publicUrl).host) ?? ''
  return async () => {
    if (config.tls.by === 'proxy') return
    await readInTime('tls', async () => {
      const lives = await readCertificateLives(config.tls, db, ownHost)
      left.reset()
      life.reset()
      for (const { host, life: of } of lives) {
        left.set({ host }, of === null ? 0 : Math.max(0, (of.notAfter.getTime() - clock.now().getTime()) / 1000))
        if (of !== null) life.set({ host }, (of.notAfter.getTime() - of.notBefore.getTime()) / 1000)
      }
    })
  }
}
