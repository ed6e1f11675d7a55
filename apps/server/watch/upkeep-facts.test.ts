import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { installation, keyPair, putNamed, testFolder } from '../../../modules/backup/server/backup.test-data.ts'
import { openTarget, takeBackup } from '../../../modules/backup/server/index.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { keepCertificate, takeTurn } from '../../../platform/tls/tls-store.ts'
import { withDatabase } from '../../../testing/database.ts'
import { parseExposition } from '../../../testing/metrics/parse-exposition.ts'
import { createReadInTime } from './read-in-time.ts'
import { tellUpkeep } from './upkeep-facts.ts'

const database = withDatabase()
const folder = testFolder()
afterAll(() => rmSync(folder, { recursive: true }))

let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }
const minutes = (count: number) => count * 60_000

function telling(settings: Record<string, string>) {
  const registry = new Registry()
  const readInTime = createReadInTime(registry, silentLog)
  const tell = tellUpkeep(registry, {
    config: loadConfig({ PROBANT_DATA: folder, ...settings }),
    db: database.db,
    clock,
    readInTime,
  })
  return async (): Promise<Record<string, number>> => {
    await tell()
    return Object.fromEntries(
      parseExposition(await registry.metrics())
        .flatMap(({ samples }) => samples)
        .map(({ name, labels, value }): [string, number] => [[name, ...Object.values(labels)].join(' '), value]),
    )
  }
}

test('how old the newest whole backup is, and what it could not hold; what was altered is none', async () => {
  expect(await telling({})()).toEqual({})
  const keys = keyPair(folder)
  const to = join(folder, 'backups-of-here')
  const read = telling({ PROBANT_BACKUP_TO: to, PROBANT_BACKUP_RECIPIENTS: keys.recipient })
  // A disk that is not mounted: told as unread, and as no number.
  expect(await read()).toEqual({ 'probant_facts_failures_total backup': 1 })
  mkdirSync(to)
  expect(await read()).toEqual({ 'probant_facts_failures_total backup': 1, probant_backups: 0 })
  const deps = installation(folder, 'here', database.url)
  const taking = async () =>
    await takeBackup(deps, { target: await openTarget(to, null), recipients: [keys.recipient], withMasterKey: false })
  await taking()
  // Seen at the next look.
  expect(await read()).toMatchObject({ probant_backups: 0 })
  ahead += minutes(5)
  const first = await read()
  expect(first).toMatchObject({ probant_backups: 1, probant_backup_missing_blobs: 0 })
  expect(first['probant_backup_age_seconds']).toBeGreaterThanOrEqual(300)
  const lost = await putNamed(database.db, deps.blobs, Buffer.from('to be lost'))
  const scope = (await Array.fromAsync(deps.blobs.scopes()))[0] ?? ''
  await deps.blobs.scope(scope).remove(lost)
  const { manifest: taken } = await taking()
  ahead += minutes(5)
  const ageNow = () => (clock.now().getTime() - Date.parse(taken.taken_at)) / 1000
  const atLeast = ageNow()
  const second = await read()
  expect(second).toMatchObject({ probant_backups: 2, probant_backup_missing_blobs: 1 })
  // Of the newer one, not of the other.
  expect(second['probant_backup_age_seconds']).toBeGreaterThanOrEqual(atLeast)
  expect(second['probant_backup_age_seconds']).toBeLessThanOrEqual(ageNow())
  const newest = readdirSync(join(to, 'backups'))
    .filter((name) => name.endsWith('.backup'))
    .toSorted()
    .at(-1)
  const manifest = join(to, 'backups', newest ?? '')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"missing":1', '"missing":0'))
  ahead += minutes(5)
  const third = await read()
  expect(third).toMatchObject({ probant_backups: 2, probant_backup_missing_blobs: 0 })
  expect(third['probant_backup_age_seconds']).toBeGreaterThan(second['probant_backup_age_seconds']! + 299)
})

test('how long certificates hold: of files as they are, of ordered ones as they are kept, of a proxy nothing', async () => {
  expect(await telling({ PROBANT_PUBLIC_URL: 'https://evidence.example', PROBANT_TLS: 'proxy' })()).toEqual({})
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 10 -subj /CN=evidence.example
      -addext subjectAltName=DNS:evidence.example -keyout ${keyFile} -out ${certificateFile}`.split(/\s+/),
    { stdio: 'ignore' },
  )
  const production = { PROBANT_ENV: 'production', PROBANT_PUBLIC_URL: 'https://evidence.example', PROBANT_TLS: 'files' }
  const ofFiles = telling({ ...production, PROBANT_TLS_CERTIFICATE: certificateFile, PROBANT_TLS_KEY: keyFile })
  const { validToDate } = new X509Certificate(readFileSync(certificateFile))
  const left = 'probant_tls_certificate_left_seconds evidence.example'
  const life = 'probant_tls_certificate_life_seconds evidence.example'
  const told = await ofFiles()
  expect(told[life]).toBe(864_000)
  expect(Math.abs((told[left] ?? 0) - (validToDate.getTime() - clock.now().getTime()) / 1000)).toBeLessThan(60)
  ahead += minutes(11 * 24 * 60)
  expect((await ofFiles())[left]).toBe(0)
  rmSync(keyFile)
  expect((await ofFiles())['probant_facts_failures_total tls']).toBe(1)

  const byAcme = telling({ ...production, PROBANT_TLS: 'acme', PROBANT_ACME_TERMS: 'i-agree' })
  const { db } = database
  const day = 86_400_000
  const now = clock.now()
  for (const host of ['evidence.example', 'partner.example']) await takeTurn(db, host, now, now)
  const kept = { host: 'partner.example', chain: 'chain', key: Buffer.from('key'), nextAt: now }
  await keepCertificate(db, { ...kept, notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + 5 * day) })
  const ordered = await byAcme()
  // None was had for it yet.
  expect(ordered[left]).toBe(0)
  expect(Object.keys(ordered)).not.toContain(life)
  expect(ordered['probant_tls_certificate_life_seconds partner.example']).toBe(6 * 86_400)
  expect(ordered['probant_tls_certificate_left_seconds partner.example']).toBeGreaterThan(4.9 * 86_400)
})
