import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { DomainError } from '../../../kernel/errors.ts'
import { enqueue } from '../../../platform/jobs/jobs.ts'
import { haveAccount } from '../../../testing/accounts.ts'
import { createTestDatabase, withDatabase } from '../../../testing/database.ts'
import {
  emptyInstallation,
  evidenceId,
  installation,
  keyPair,
  putNamed,
  readEverything,
  readRules,
  replaceNamed,
  sizesOfCuts,
  testFolder,
  textOf,
} from './backup.test-data.ts'
import { blobColumns } from './database/dump-store.ts'
import {
  listBackups,
  openTarget,
  readIdentity,
  readManifest,
  removePast,
  restoreBackup,
  takeBackup,
  verifyBackup,
} from './index.ts'
import { checkCopyKeysJob } from '../../document/server/index.ts'
import { pastKeeping } from './take/keep.ts'

const folder = testFolder()
const keys = keyPair(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const drops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const drop of drops.splice(0)) await drop()
})
async function emptyDatabase(): Promise<string> {
  const database = await createTestDatabase({ migrated: false })
  drops.push(async () => await database.drop())
  return database.url
}

let number = 0
async function newTarget() {
  const path = join(folder, `target-${String((number += 1))}`)
  mkdirSync(path)
  return { path, target: await openTarget(path, null) }
}
const options = { recipients: [keys.recipient], withMasterKey: false }
const failure = async (promise: Promise<unknown>) =>
  await promise.then(
    () => 'nothing',
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  )

describe('a backup', { timeout: 120_000 }, () => {
  const database = withDatabase()
  const world = (name: string) => installation(folder, name, database.url)

  test('brings back every row, blob and key, every rule of the schema, and what nobody may go on with', async () => {
    const deps = world('whole')
    const { target, path } = await newTarget()
    const person = await haveAccount(database.db)
    await database.db
      .insertInto('user_session')
      .values({
        id: person,
        user_id: person,
        token_hash: randomBytes(32),
        created_at: new Date(),
        seen_at: new Date(),
        expires_at: new Date(Date.now() + 1e6),
        remembered: true,
        browser: 'Firefox',
        network: '192.0.2.0/24',
      })
      .execute()
    await enqueue(database.db, checkCopyKeysJob, {}, { runAt: new Date('2030-01-01') })
    const large = randomBytes(20 * 1024 * 1024 + 7)
    const names = [
      await putNamed(database.db, deps.blobs, large),
      await putNamed(database.db, deps.blobs, Buffer.from('a\\b\tc\né\0')),
      await putNamed(database.db, deps.blobs, Buffer.alloc(0)),
    ]
    const taken = await takeBackup(deps, { ...options, target })
    expect(taken.missing).toEqual([])
    const manifest = await readManifest(target, taken.manifest.id)
    const url = await emptyDatabase()
    const elsewhere = emptyInstallation(folder, 'whole-again', url)
    const decipher = await readIdentity(keys.identity)
    const before = await readEverything(database.url)
    const restored = await restoreBackup(elsewhere, { target, manifest, decipher })
    expect(restored).toMatchObject({ blobs: 3, bytes: large.length + 9 })

    const after = await readEverything(url)
    const differs = [...before].filter(([name, rows]) => after.get(name) !== rows).map(([name]) => name)
    // Sessions end; what else differs would be a loss.
    expect(differs).toEqual(['public.user_session'])
    expect(after.get('graphile_worker._private_jobs')).toMatch(/^1 /)
    expect(await readRules(url)).toEqual(await readRules(database.url))
    for (const name of names) {
      const found = await elsewhere.blobs.scope(await evidenceId(database.db)).read(name, { maxBytes: 1e9 })
      expect(createHash('sha256').update(found).digest('hex')).toBe(name)
    }
    const key = join(elsewhere.dataFolder, 'keys/platform-ca.1.pem')
    expect([textOf(key), statSync(key).mode & 0o777]).toEqual(['a key of whole\n', 0o600])
    expect(readdirSync(elsewhere.dataFolder).toSorted()).toEqual(['backup-secret', 'blobs', 'keys', 'log'])
    // What leaves the machine names and shows nothing.
    const stored = spawnSync('grep', ['-rlaE', `Byron|${names.join('|')}|a key of`, path], { encoding: 'utf8' })
    expect([stored.status, stored.stdout]).toEqual([1, ''])
  })

  test('is deciphered and checked by tools that are not ours', async () => {
    const deps = world('oracle')
    const { target, path } = await newTarget()
    await putNamed(database.db, deps.blobs, Buffer.from('for an oracle\n'))
    const { manifest } = await takeBackup(deps, { ...options, target })
    let found = 0
    for (const line of textOf(join(path, 'backups', `${manifest.id}.pieces`))
      .trim()
      .split('\n')) {
      const [object = '', bytes] = line.split(' ')
      const file = join(path, 'pieces', object.slice(0, 2), object)
      expect(execFileSync('sha256sum', [file], { encoding: 'utf8' }).slice(0, 64)).toBe(object.slice(65))
      expect(statSync(file).size).toBe(Number(bytes))
      if (execFileSync('age', ['-d', '-i', keys.identity, file]).toString() === 'for an oracle\n') found += 1
    }
    expect(found).toBe(1)
    // The signature, with the key that the manifest names.
    const [text = '', signature = ''] = textOf(join(path, 'backups', `${manifest.id}.backup`)).split('\n')
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(manifest.key, 'base64')])
    writeFileSync(join(folder, 'key.der'), spki)
    writeFileSync(join(folder, 'text'), text)
    writeFileSync(join(folder, 'signature'), Buffer.from(signature, 'base64'))
    const said = execFileSync(
      'openssl',
      ['pkeyutl', '-verify', '-pubin', '-inkey', 'key.der', '-keyform', 'DER', '-rawin', '-in', 'text', '-sigfile', 'signature'],
      { cwd: folder, encoding: 'utf8' },
    )
    expect(said).toContain('Signature Verified Successfully')
  })

  test('sends once what is there already, and again what is for somebody else', async () => {
    const deps = world('again')
    const { target } = await newTarget()
    for (let i = 0; i < 5; i += 1) await putNamed(database.db, deps.blobs, randomBytes(3000))
    const first = await takeBackup(deps, { ...options, target })
    await putNamed(database.db, deps.blobs, randomBytes(700_000))
    const second = await takeBackup(deps, { ...options, target })
    expect(first.sent.pieces).toBe(first.manifest.pieces.count)
    // The blob, the rows that changed, and what says so.
    expect(second.sent.pieces).toBeLessThan(6)
    expect(second.sent.bytes).toBeLessThan(1_000_000)
    const other = keyPair(folder, `other-${String(number)}`)
    const third = await takeBackup(deps, { ...options, recipients: [keys.recipient, other.recipient], target })
    expect(third.sent.pieces).toBe(third.manifest.pieces.count)
    const verified = await verifyBackup(target, third.manifest, await readIdentity(other.identity))
    expect([verified.faults, verified.opened?.blobs]).toEqual([[], third.manifest.blobs.count])
  })

  test('has every blob that a row of it names, while others write, replace and remove', async () => {
    const deps = world('writers')
    const { target } = await newTarget()
    await database.db.deleteFrom('evidence_file').execute()
    for (let i = 0; i < 10; i += 1) await putNamed(database.db, deps.blobs, randomBytes(2000), `start-${String(i)}`)
    const enough = new AbortController()
    const writers = [0, 1].map(async (writer) => {
      for (let i = 0; !enough.signal.aborted; i += 1) {
        const name = `w-${String(writer)}-${String(i)}`
        await putNamed(database.db, deps.blobs, randomBytes(1500), name)
        // Each has its own: whoever replaces knows what he replaces.
        if (i % 4 === 0) await replaceNamed(database.db, deps.blobs, `start-${String(writer)}`, randomBytes(1800))
        if (i >= 8) await replaceNamed(database.db, deps.blobs, `w-${String(writer)}-${String(i - 8)}`, randomBytes(1600))
      }
      return 1
    })
    const taken = []
    for (let i = 0; i < 3; i += 1) taken.push(await takeBackup(deps, { ...options, target }))
    enough.abort()
    expect(await Promise.all(writers)).toEqual([1, 1])
    const decipher = await readIdentity(keys.identity)
    for (const { manifest, missing } of taken) {
      expect(missing).toEqual([])
      const url = await emptyDatabase()
      const elsewhere = emptyInstallation(folder, `writers-${manifest.id}`, url)
      await restoreBackup(elsewhere, { target, manifest, decipher })
      const named = await createdFiles(url)
      expect(named.length).toBeGreaterThan(9)
      for (const sha256 of named) expect(await elsewhere.blobs.scope(await evidenceId(database.db)).has(sha256)).toBe(true)
    }
  })

  test('is refused beside another, for nobody, to a place that is not there, and beside the backups of others', async () => {
    const deps = world('refused')
    const { target } = await newTarget()
    const [first, second] = await Promise.all([
      failure(takeBackup(deps, { ...options, target })),
      failure(takeBackup(deps, { ...options, target })),
    ])
    expect([first, second].toSorted()).toEqual(['backup.under_way', 'nothing'])
    expect(await failure(takeBackup(deps, { ...options, recipients: [], target }))).toBe('backup.no_recipient')
    expect(await failure(takeBackup(deps, { ...options, recipients: ['age1nobody'], target }))).toBe('backup.wrong_recipient')
    expect(await failure(takeBackup(world('stranger'), { ...options, target }))).toBe('backup.other_installation')
    expect(await failure(openTarget(join(folder, 'not-mounted'), null))).toBe('backup.no_such_folder')
    expect(await failure(openTarget('s3://bucket/prefix', null))).toBe('backup.no_s3_access')
    expect(await failure(openTarget('s3://', null))).toBe('backup.no_target')
  })

  test('tells which blob is gone or damaged at its source, and has all others', async () => {
    const deps = world('damaged')
    const { target } = await newTarget()
    await database.db.deleteFrom('evidence_file').execute()
    const [gone, bad, good] = [
      await putNamed(database.db, deps.blobs, randomBytes(100)),
      await putNamed(database.db, deps.blobs, randomBytes(9_000_000)),
      await putNamed(database.db, deps.blobs, randomBytes(100)),
    ]
    await deps.blobs.scope(await evidenceId(database.db)).remove(gone)
    const file = join(deps.dataFolder, 'blobs/scopes', await evidenceId(database.db), 'objects', bad.slice(0, 2), bad)
    const bytes = readFileSync(file)
    bytes[8_900_000] = (bytes[8_900_000] ?? 0) ^ 1
    writeFileSync(file, bytes)
    const taken = await takeBackup(deps, { ...options, target })
    expect(taken.missing.map(({ sha256 }) => sha256).toSorted()).toEqual([gone, bad].toSorted())
    expect(taken.manifest.blobs).toMatchObject({ count: 1, missing: 2 })
    const elsewhere = emptyInstallation(folder, 'damaged-again', await emptyDatabase())
    await restoreBackup(elsewhere, { target, manifest: taken.manifest, decipher: await readIdentity(keys.identity) })
    expect(await elsewhere.blobs.scope(await evidenceId(database.db)).has(good)).toBe(true)
  })

  test('with the master key only when that is asked for', async () => {
    const deps = world('master')
    const { target } = await newTarget()
    await database.db.deleteFrom('evidence_file').execute()
    const { manifest } = await takeBackup(deps, { ...options, withMasterKey: true, target })
    expect(manifest.with_master_key).toBe(true)
    const elsewhere = emptyInstallation(folder, 'master-again', await emptyDatabase())
    await restoreBackup(elsewhere, { target, manifest, decipher: await readIdentity(keys.identity) })
    expect(textOf(join(elsewhere.dataFolder, 'master-key'))).toBe(textOf(join(deps.dataFolder, 'master-key')))
  })

  test('altered, truncated, forged or of a later version, it is not put back, and nothing was written', async () => {
    const deps = world('hostile')
    const { target, path } = await newTarget()
    await database.db.deleteFrom('evidence_file').execute()
    await putNamed(database.db, deps.blobs, randomBytes(5000))
    const { manifest } = await takeBackup(deps, { ...options, target })
    const decipher = await readIdentity(keys.identity)
    const elsewhere = emptyInstallation(folder, 'hostile-again', await emptyDatabase())
    const restore = async () => await failure(restoreBackup(elsewhere, { target, manifest, decipher }))
    const objects = textOf(join(path, 'backups', `${manifest.id}.pieces`))
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '')
    const data = objects.find((object) => !manifest.contents.includes(object)) ?? ''
    const file = join(path, 'pieces', data.slice(0, 2), data)
    const kept = readFileSync(file)
    const broken: readonly [string, () => void][] = [
      ['altered', () => writeFileSync(file, kept.with(200, (kept[200] ?? 0) ^ 1))],
      ['truncated', () => writeFileSync(file, kept.subarray(0, -1))],
      ['gone', () => rmSync(file)],
    ]
    for (const [how, breakIt] of broken) {
      breakIt()
      expect([how, await restore()]).toEqual([how, 'backup.faults'])
      expect((await verifyBackup(target, manifest, null)).faults).toHaveLength(1)
      writeFileSync(file, kept)
    }
    const [contents = ''] = manifest.contents
    const contentsFile = join(path, 'pieces', contents.slice(0, 2), contents)
    const keptContents = readFileSync(contentsFile)
    writeFileSync(contentsFile, keptContents.subarray(1))
    expect(await restore()).toBe('backup.piece_altered')
    writeFileSync(contentsFile, keptContents)

    const listFile = join(path, 'backups', `${manifest.id}.pieces`)
    const list = textOf(listFile)
    writeFileSync(listFile, list.split('\n').slice(1).join('\n'))
    expect(await restore()).toBe('backup.altered')
    writeFileSync(listFile, list)

    const manifestFile = join(path, 'backups', `${manifest.id}.backup`)
    const whole = textOf(manifestFile)
    writeFileSync(manifestFile, whole.replace('"rows":', '"rows":1'))
    expect(await failure(readManifest(target, manifest.id))).toBe('backup.altered')
    writeFileSync(manifestFile, whole.slice(0, 100))
    expect(await failure(readManifest(target, manifest.id))).toBe('backup.altered')
    writeFileSync(manifestFile, whole)
    expect(await failure(readManifest(target, '../../etc/passwd'))).toBe('backup.not_there')

    const stranger = await readIdentity(keyPair(folder, 'stranger-identity').identity)
    expect(await failure(restoreBackup(elsewhere, { target, manifest, decipher: stranger }))).toBe('backup.wrong_identity')
    writeFileSync(join(folder, 'no-identity'), 'nothing\n')
    expect(await failure(readIdentity(join(folder, 'no-identity')))).toBe('backup.no_identity')
    expect(await failure(readIdentity(join(folder, 'not-there')))).toBe('backup.no_identity')

    expect(readdirSync(folder)).not.toContain('hostile-again')
    expect(await restore()).toBe('nothing')
    // Never over what is there.
    expect(await restore()).toBe('backup.not_empty')
    const other = emptyInstallation(folder, 'other-place', database.url)
    expect(await failure(restoreBackup(other, { target, manifest, decipher }))).toBe('backup.not_empty')
    // Nor where an interrupted one goes on, and is given the database of somebody else.
    mkdirSync(other.dataFolder)
    writeFileSync(join(other.dataFolder, 'restoring.json'), JSON.stringify({ backup: manifest.id }))
    expect(await failure(restoreBackup(other, { target, manifest, decipher }))).toBe('backup.not_empty')
    expect((await readEverything(database.url)).get('public.evidence')).toMatch(/^1 /)
  })

  test('goes on where it was killed between the schema and the rows', async () => {
    const deps = world('half')
    const { target } = await newTarget()
    await database.db.deleteFrom('evidence_file').execute()
    const { manifest } = await takeBackup(deps, { ...options, target })
    const url = await emptyDatabase()
    await execute(url, 'create schema probant_restoring')
    await execute(url, `create table probant_restoring.backup as select '${manifest.id}'::text as id`)
    await execute(url, 'create table evidence (half text)')
    const elsewhere = emptyInstallation(folder, 'half-again', url)
    mkdirSync(elsewhere.dataFolder)
    writeFileSync(join(elsewhere.dataFolder, 'restoring.json'), JSON.stringify({ backup: manifest.id }))
    await restoreBackup(elsewhere, { target, manifest, decipher: await readIdentity(keys.identity) })
    const [before, after] = [await readEverything(database.url), await readEverything(url)]
    expect(after.get('public.evidence')).toBe(before.get('public.evidence'))
    const left = await execute(url, `select nspname as name from pg_namespace where nspname = 'probant_restoring'`)
    expect(left.rows).toEqual([])
  })

  test('of a schema that this version does not know is not put back', async () => {
    const deps = world('newer')
    const { target } = await newTarget()
    await database.db.deleteFrom('evidence_file').execute()
    await database.db
      .insertInto('platform_migration')
      .values({ name: '9999_later.sql', sha256: '0'.repeat(64), applied_at: new Date() })
      .execute()
    const { manifest } = await takeBackup(deps, { ...options, target })
    await database.db.deleteFrom('platform_migration').where('name', '=', '9999_later.sql').execute()
    const elsewhere = emptyInstallation(folder, 'newer-again', await emptyDatabase())
    const decipher = await readIdentity(keys.identity)
    expect(await failure(restoreBackup(elsewhere, { target, manifest, decipher }))).toBe('backup.newer_version')
    expect(readdirSync(folder)).not.toContain('newer-again')
  })

  test('keeps pieces that a kept backup needs, and no others', async () => {
    const deps = world('keep')
    const { target, path } = await newTarget()
    await database.db.deleteFrom('evidence_file').execute()
    await putNamed(database.db, deps.blobs, Buffer.from('stays'), 'stays')
    await putNamed(database.db, deps.blobs, randomBytes(500_000), 'goes')
    await takeBackup(deps, { ...options, target })
    await replaceNamed(database.db, deps.blobs, 'goes', Buffer.from('short'))
    const last = await takeBackup(deps, { ...options, target })
    // Sent by a backup that was killed.
    const stray = `${'a'.repeat(64)}.${'b'.repeat(64)}`
    await target.write('pieces', stray, Buffer.from('stray'))
    const removed = await removePast(database.url, target, { days: 1, weeks: 0, months: 0 })
    expect(removed.backups).toHaveLength(1)
    expect(removed.bytes).toBeGreaterThan(500_000)
    expect(await listBackups(target)).toEqual([last.manifest.id])
    expect(readdirSync(join(path, 'pieces/aa'))).not.toContain(stray)
    const verified = await verifyBackup(target, last.manifest, await readIdentity(keys.identity))
    expect([verified.faults, verified.opened?.blobs]).toEqual([[], 2])
  })

  test('does not take a store that cannot be written for one that was', async () => {
    const deps = world('unwritable')
    const { target, path } = await newTarget()
    writeFileSync(join(path, 'backups'), 'no folder')
    expect(await failure(takeBackup(deps, { ...options, target }))).not.toBe('nothing')
    rmSync(join(path, 'backups'))
    expect(await listBackups(target)).toEqual([])
  })

  test('every column that may name a blob is known to it', async () => {
    const { rows } = await execute(
      database.url,
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and (column_name like '%sha256%' or column_name like '%blob%') order by 1`,
    )
    /** Digests of what is no blob of ours: of manifests, files of others, entries and programs. */
    const others = [
      'capture_server.manifest_sha256',
      'capture_server_event.manifest_sha256',
      'capture_server_state.manifest_sha256',
      'document.sha256',
      'document_copy.found_sha256',
      'invoice.sha256',
      'number_series.last_sha256',
      'payout_invoice.sha256',
      'platform_migration.sha256',
    ]
    const inJson = 'evidence_vantage.files'
    const known = [...blobColumns.map(({ column }) => column), ...others].filter((column) => column !== inJson)
    expect(rows.map(({ name }) => name)).toEqual(known.toSorted())
  })
})

test('of days, weeks and months the newest is kept, and the newest of all', () => {
  const at = (day: string) => ({ taken_at: `${day}T02:30:00.000Z` })
  const days = ['2026-11-23', '2026-11-22', '2026-11-21', '2026-11-15', '2026-11-14', '2026-10-31', '2026-10-30', '2025-01-01']
  const left = (keep: { days: number; weeks: number; months: number }) => {
    const all = days.map(at)
    const past = new Set(pastKeeping(all, keep))
    return all.flatMap((backup) => (past.has(backup) ? [] : [backup.taken_at.slice(5, 10)]))
  }
  expect(left({ days: 0, weeks: 0, months: 0 })).toEqual(['11-23'])
  expect(left({ days: 2, weeks: 0, months: 0 })).toEqual(['11-23', '11-22'])
  expect(left({ days: 1, weeks: 3, months: 0 })).toEqual(['11-23', '11-22', '11-15'])
  expect(left({ days: 1, weeks: 1, months: 3 })).toEqual(['11-23', '10-31', '01-01'])
})

test('a row more changes the pieces around it, and no others', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => createHash('sha512').update(String(i)).digest())
  const before = await sizesOfCuts(rows)
  const after = await sizesOfCuts(rows.toSpliced(9000, 0, Buffer.from('a row more')))
  expect(before.length).toBeGreaterThan(3)
  expect(after.filter((cut) => !before.includes(cut)).length).toBeLessThanOrEqual(2)
})

async function execute(url: string, statement: string): Promise<{ rows: { name: string }[] }> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query<{ name: string }>(statement)
  } finally {
    await client.end()
  }
}

const createdFiles = async (url: string): Promise<string[]> =>
  (await execute(url, 'select sha256 as name from evidence_file')).rows.map(({ name }) => name)
