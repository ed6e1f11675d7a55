import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, withDatabase } from '../../../../testing/database.ts'
import { haveAccount } from '../../../../testing/accounts.ts'
import type { BackupConfig } from '../../../../platform/config/parts/storage.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { emptyInstallation, installation, keyPair, putNamed, testFolder } from '../backup.test-data.ts'
import { listBackups, nightlyBackups, openTarget, readIdentity, readManifest, restoreBackup } from '../index.ts'

const folder = testFolder()
const keys = keyPair(folder)
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 's3'),
  configureBuckets: [{ name: 'backups', configs: [] }],
})
let port = 0
beforeAll(async () => {
  ;({ port } = await server.run())
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const keep = { days: 7, weeks: 4, months: 12 }

describe('what a worker does of itself', { timeout: 120_000 }, () => {
  const database = withDatabase()

  function nightly(name: string, config: Partial<BackupConfig>, now = () => new Date()) {
    const mails: Mail[] = []
    const mailer = {
      async send(mail: Mail) {
        mails.push(mail)
        await Promise.resolve()
      },
      close: () => undefined,
    }
    const deps = { ...installation(folder, name, database.url), clock: { now }, db: database.db, log: silentLog, mailer }
    const set = { to: undefined, recipients: [keys.recipient], at: '02:30', keep, s3: null, ...config }
    const backups = nightlyBackups({ ...deps, config: set })
    const run = async (job: string) => {
      const handler = backups.handlers.find((each) => each.job.name === job)
      await handler?.run({}, { log: silentLog, attempt: 1, maxAttempts: 1, signal: new AbortController().signal })
      return handler !== undefined
    }
    return { ...backups, deps, mails, run }
  }

  test('without a target, nothing; with one, a backup at its time in a bucket, which is put back', async () => {
    expect(nightly('without', {})).toMatchObject({ jobs: [], handlers: [], crontab: '' })
    const s3 = {
      endpoint: `http://127.0.0.1:${String(port)}`,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      forcePathStyle: true,
    }
    const to = 's3://backups/here'
    const night = nightly('bucket', { to, s3, at: '04:07' })
    expect(night.crontab.split('\n')).toContain('7 4 * * * backup.take_backup')
    expect(night.crontab.split('\n').map((line) => line.split(' ').at(-1))).toEqual(night.jobs.map(({ name }) => name))
    const blob = await putNamed(database.db, night.deps.blobs, Buffer.from('in a bucket'))
    expect(await night.run('backup.take_backup')).toBe(true)
    expect(await night.run('backup.carry_since')).toBe(true)
    const target = await openTarget(to, s3)
    const [id = ''] = await listBackups(target)
    const empty = await createTestDatabase({ migrated: false })
    try {
      const elsewhere = emptyInstallation(folder, 'from-bucket', empty.url)
      const decipher = await readIdentity(keys.identity)
      await restoreBackup(elsewhere, { target, manifest: await readManifest(target, id), decipher })
      const scope = (await Array.fromAsync(elsewhere.blobs.scopes()))[0] ?? ''
      expect(String(await elsewhere.blobs.scope(scope).read(blob, { maxBytes: 100 }))).toBe('in a bucket')
    } finally {
      await empty.drop()
    }
    // A store that is gone is an error of the job, which is tried again.
    const gone = nightly('bucket', { to: 's3://no-such-bucket/x', s3 })
    await expect(gone.run('backup.take_backup')).rejects.toThrow()
  })

  test('each administrator is told once a day when the newest is too old, or there is none, and nobody when it is not', async () => {
    const administrator = await haveAccount(database.db)
    await database.db
      .insertInto('user_role')
      .values({ user_id: administrator, role: 'administrator', granted_at: new Date() })
      .execute()
    await database.db
      .insertInto('email_address')
      .values({
        id: administrator,
        user_id: administrator,
        address: 'ops@example.org',
        address_key: 'ops@example.org',
        is_primary: true,
        verified_at: new Date(),
        created_at: new Date(),
      })
      .execute()
    const to = join(folder, 'told')
    mkdirSync(to)
    let now = new Date()
    const night = nightly('told-installation', { to }, () => now)
    await night.run('backup.check_backup')
    expect(night.mails).toMatchObject([{ to: 'ops@example.org', subject: 'Probant: there is no recent backup' }])
    expect(night.mails[0]?.text).toContain(`In ${to} no backup can be found or read.`)
    await night.run('backup.check_backup')
    expect(night.mails[1]?.once).toEqual(night.mails[0]?.once)

    await database.db.deleteFrom('evidence_file').execute()
    await night.run('backup.take_backup')
    await night.run('backup.check_backup')
    expect(night.mails).toHaveLength(2)
    now = new Date(now.getTime() + 37 * 3_600_000)
    await database.db.updateTable('account_user').set({ locale: 'fr' }).where('id', '=', administrator).execute()
    await night.run('backup.check_backup')
    expect(night.mails[2]?.text).toContain('La dernière sauvegarde dans')
    expect(night.mails[2]?.once?.id).not.toBe(night.mails[0]?.once?.id)
    rmSync(to, { recursive: true })
    await night.run('backup.check_backup')
    expect(night.mails[3]?.text).toContain('Aucune sauvegarde n’a pu être trouvée ni lue')
  })
})
