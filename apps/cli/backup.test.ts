import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { openKeyring, openPublicLog } from '../../modules/sealing/server/index.ts'
import { recordAct } from '../../platform/acts/record-act.ts'
import { createFolderBlobStore } from '../../platform/blobs/folder-blob-store.ts'
import { openDatabase, type Db } from '../../platform/db/database.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { readSettingsFile } from '../../platform/config/settings-file.ts'
import { silentLog } from '../../platform/log/log.ts'
import { haveAccount } from '../../testing/accounts.ts'
import { createTestDatabase, withDatabase } from '../../testing/database.ts'
import { carrySince, openTarget } from '../../modules/backup/server/index.ts'
import { runBackupCommand, runRestoreCommand } from './backup.ts'
import { runLogCommand } from './log.ts'

const program = fileURLToPath(new URL('probant.ts', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'probant-backup-command-'))
afterAll(() => rmSync(folder, { recursive: true }))
execFileSync('age-keygen', ['-o', 'identity'], { cwd: folder, stdio: 'ignore' })
const identity = join(folder, 'identity')
const recipient = execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim()

const drops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const drop of drops.splice(0)) await drop()
})
async function emptyDatabase(): Promise<string> {
  const database = await createTestDatabase({ migrated: false })
  drops.push(async () => await database.drop())
  return database.url
}

function newFolder(name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  return path
}

async function call(command: typeof runBackupCommand, argv: readonly string[], env: Record<string, string>) {
  const [out, said] = [[] as string[], [] as string[]]
  const io = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => said.push(text) },
    env,
  }
  return { code: await command(argv, io), out: out.join(''), said: said.join('') }
}

async function useDatabase<T>(url: string, use: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(url, { max: 2, log: silentLog })
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}

const openLogOf = async (db: Db, dataFolder: string) =>
  await openPublicLog({
    db,
    keyring: await openKeyring({ dir: join(dataFolder, 'keys'), clock: systemClock, log: silentLog }),
    clock: systemClock,
    origin: 'proofs.example/log',
    folder: join(dataFolder, 'log'),
  })

describe('backups from the command line', { timeout: 240_000 }, () => {
  const database = withDatabase()

  test('the commands of the documents do what these say, from a backup to a log that goes on', async () => {
    const place = newFolder('documents')
    const [before, after] = [join(place, 'before'), join(place, 'after')]
    for (const each of [before, after]) for (const name of ['data', 'settings']) mkdirSync(join(each, name), { recursive: true })
    writeFileSync(join(before, 'settings/probant.env'), 'PROBANT_DATA=/var/lib/probant\n', { mode: 0o600 })
    writeFileSync(join(before, 'data/master-key'), `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
    const target = newFolder('documents/srv')
    const log = await openLogOf(database.db, join(before, 'data'))
    await log.include(randomBytes(32))
    const url = await emptyDatabase()
    // As the documents have it typed on a machine that the package was installed on; what is not of backups is the drill's to try (drill:install).
    const machine = `probant() { ${process.execPath} ${program} "$@"; }
runuser() { shift 3; "$@"; }
apt-get() { :; }
chown() { :; }
systemctl() { :; }
`
    const run = (command: string, cwd: string, databaseUrl: string) =>
      execFileSync(
        'bash',
        [
          '-euc',
          `${machine}${command
            .replaceAll('/srv/backup', target)
            .replaceAll('age1RECIPIENT', readRecipient(before))
            .replaceAll('/var/lib/probant', 'data')
            .replaceAll('/etc/probant', 'settings')
            .replaceAll('/run/', `${cwd}/run-`)
            .replaceAll(' -o probant -g probant', '')}`,
        ],
        {
          cwd,
          encoding: 'utf8',
          env: { ...process.env, DATABASE_URL: databaseUrl, PROBANT_DATA: join(cwd, 'data') },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
    const ran: string[] = []
    for (const command of commandsOf('back-up.md')) {
      run(command, before, database.url)
      ran.push(command)
    }
    // Carried to where one restores: the identity, the key and the checkpoint that somebody kept.
    for (const name of ['backup-identity.txt', 'master-key.age', 'probant.env.age'])
      writeFileSync(join(after, name), readFileSync(join(before, name)), { mode: 0o600 })
    const checkpoint = await log.checkpoint()
    writeFileSync(join(after, 'checkpoint.txt'), checkpoint?.note ?? '')
    for (const command of commandsOf('restore.md')) {
      // The doctor of a machine that nothing runs on finds what is wrong: drill:install asks it where all of it runs.
      run(command.replace(/^.* probant doctor$/m, ''), after, url)
      ran.push(command)
    }
    expect(ran).toHaveLength(12)
    expect(readFileSync(join(after, 'settings/probant.env'), 'utf8')).toBe('PROBANT_DATA=/var/lib/probant\n')
    // What the night is told stands where settings do, and is read as such.
    const told = readSettingsFile(join(before, 'settings/probant.env'))
    expect(loadConfig(told).backup).toMatchObject({ to: target, at: '02:30', recipients: [readRecipient(before)] })
    expect(readFileSync(join(after, 'data/master-key'), 'utf8')).toBe(readFileSync(join(before, 'data/master-key'), 'utf8'))
    await useDatabase(url, async (db) => {
      const again = await openLogOf(db, join(after, 'data'))
      const { logged } = await again.include(randomBytes(32))
      expect(logged.index).toBe(1)
    })
  })

  test('killed in the middle of a backup and of a restore, each goes on to the same end', async () => {
    const dataFolder = newFolder('killed')
    const target = newFolder('killed-target')
    const blobs = createFolderBlobStore(join(dataFolder, 'blobs'))
    const kept: string[] = []
    for (let i = 0; i < 40; i += 1) kept.push((await blobs.scope(`s-${String(i)}`).putBytes(randomBytes(400_000))).sha256)
    const take = ['backup', '--to', target, '--recipient', recipient]
    const env = { ...process.env, PROBANT_DATA: dataFolder, DATABASE_URL: database.url }
    const pieces = () =>
      existsSync(join(target, 'pieces')) ? readdirSync(join(target, 'pieces'), { recursive: true }).length : 0
    await killWhen(take, env, () => pieces() > 30)
    expect(readdirSync(target)).toEqual(['pieces'])
    const sent = pieces()
    const { code, out } = await call(runBackupCommand, take.slice(1), { PROBANT_DATA: dataFolder, DATABASE_URL: database.url })
    expect(code).toBe(0)
    const taken = JSON.parse(out) as { pieces: number; sent_pieces: number; blobs: { count: number } }
    expect(taken.blobs.count).toBe(40)
    // What was there was not sent again: the folders of the pieces are among what was counted.
    expect(taken.pieces - taken.sent_pieces).toBeGreaterThan(5)
    expect(sent).toBeGreaterThan(30)

    const url = await emptyDatabase()
    const again = newFolder('killed-again')
    const restore = ['restore', '--from', target, '--identity', identity]
    const there = { ...process.env, PROBANT_DATA: again, DATABASE_URL: url }
    const other = [...restore.slice(1), '--installation', '0'.repeat(64)]
    const refused = await call(runRestoreCommand, other, { PROBANT_DATA: again, DATABASE_URL: url })
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('signed by another installation')])
    await killWhen(
      restore,
      there,
      () => existsSync(join(again, 'blobs/scopes')) && readdirSync(join(again, 'blobs/scopes')).length > 10,
    )
    // Nothing else begins on half of an installation.
    expect((await call(runBackupCommand, take.slice(1), { PROBANT_DATA: again, DATABASE_URL: url })).said).toContain(
      'is being put back',
    )
    const done = await call(runRestoreCommand, restore.slice(1), { PROBANT_DATA: again, DATABASE_URL: url })
    expect([done.code, readdirSync(again).includes('restoring.json')]).toEqual([0, false])
    const restored = createFolderBlobStore(join(again, 'blobs'))
    for (const [i, sha256] of kept.entries())
      expect((await restored.scope(`s-${String(i)}`).read(sha256, { maxBytes: 1e6 })).length).toBe(400_000)
  })

  test('what was taken away after the backup is taken away again, and the log holds what was published since', async () => {
    const dataFolder = newFolder('since')
    const target = newFolder('since-target')
    const env = { PROBANT_DATA: dataFolder, DATABASE_URL: database.url }
    const { db } = database
    const [leaving, staying, careful] = [await haveAccount(db), await haveAccount(db), await haveAccount(db)]
    const log = await openLogOf(db, dataFolder)
    await log.include(randomBytes(32))
    const argv = ['--to', target, '--recipient', recipient]
    expect((await call(runBackupCommand, argv, env)).code).toBe(0)

    const at = new Date('2026-11-22T10:00:00Z')
    const act = async (action: `${string}.${string}`, id: string) =>
      await db
        .transaction()
        .execute(async (tx) => await recordAct(tx, at, { action, actor: null, subject: { type: 'user', id } }))
    await act('account.closed_account', leaving)
    await act('account.closed_account', staying)
    await act('account.kept_account', staying)
    await act('identity.changed_password', careful)
    const first = await log.include(randomBytes(32))
    const opened = await openTarget(target, null)
    const deps = { databaseUrl: database.url, dataFolder }
    expect(await carrySince(deps, { target: opened, recipients: [recipient] })).toBe(true)
    expect(await carrySince(deps, { target: opened, recipients: [recipient] })).toBe(false)
    await log.include(randomBytes(32))
    expect(await carrySince(deps, { target: opened, recipients: [recipient] })).toBe(true)
    const published = await log.checkpoint()
    const later = await log.include(randomBytes(32))
    const tooNew = await log.checkpoint()
    expect([first.logged.index, later.logged.index]).toEqual([first.logged.index, first.logged.index + 2])

    const url = await emptyDatabase()
    const again = newFolder('since-again')
    const there = { PROBANT_DATA: again, DATABASE_URL: url }
    const restored = await call(runRestoreCommand, ['--from', target, '--identity', identity], there)
    expect([restored.code, JSON.parse(restored.out)]).toMatchObject([0, { takenAway: 4, logEntries: 2 }])
    await useDatabase(url, async (db) => {
      const people = await db.selectFrom('account_user').select(['id', 'status', 'erase_after', 'password_hash']).execute()
      const of = (id: string) => people.find((person) => person.id === id)
      expect([of(leaving)?.status, of(leaving)?.erase_after?.toISOString()]).toEqual(['closing', '2026-11-23T10:00:00.000Z'])
      expect([of(staying)?.status, of(staying)?.password_hash]).toEqual(['active', '$argon2id$of-no-password'])
      expect(of(careful)?.password_hash).not.toBe('$argon2id$of-no-password')

      const resumed = await openLogOf(db, again)
      await expect(resumed.include(randomBytes(32))).rejects.toThrow('sealing.log_held')
      const file = (name: string, note: Uint8Array | undefined) => {
        writeFileSync(join(folder, name), note ?? '')
        return join(folder, name)
      }
      const say = async (...argv: string[]) => await call(runLogCommand, ['resume', ...argv], there)
      const lacking = await say('--newest', file('too-new', tooNew?.note))
      expect([lacking.code, lacking.said]).toEqual([1, expect.stringContaining(`up to size ${String(tooNew?.size)}`)])
      expect((await say('--newest', file('none', Buffer.from('nothing\n')))).said).toContain(
        'no checkpoint that this installation signed',
      )
      await expect(resumed.include(randomBytes(32))).rejects.toThrow('sealing.log_held')
      const done = await say('--newest', file('published', published?.note))
      expect([done.code, JSON.parse(done.out)]).toEqual([0, { size: published?.size, added: 2 }])
      const next = await resumed.include(randomBytes(32))
      expect(next.logged.index).toBe(published?.size)
      // Acts are counted on from the backup, as before: what is taken away now is carried all the same.
      await db.transaction().execute(async (tx) => {
        await recordAct(tx, new Date(), { action: 'account.closed_account', actor: null, subject: { type: 'user', id: careful } })
      })
    })
    expect(await carrySince({ databaseUrl: url, dataFolder: again }, { target: opened, recipients: [recipient] })).toBe(true)
    const third = { PROBANT_DATA: newFolder('since-third'), DATABASE_URL: await emptyDatabase() }
    const restoredAgain = await call(runRestoreCommand, ['--from', target, '--identity', identity], third)
    expect(JSON.parse(restoredAgain.out)).toMatchObject({ takenAway: 5, logEntries: 3 })
    await useDatabase(third.DATABASE_URL, async (db) => {
      const people = await db.selectFrom('account_user').select(['id', 'status']).execute()
      expect(people.find(({ id }) => id === careful)?.status).toBe('closing')
    })
  })

  test('a full disk ends it with a sentence, and no backup is there that is not whole', async () => {
    const dataFolder = newFolder('full')
    const target = newFolder('full-target')
    const blobs = createFolderBlobStore(join(dataFolder, 'blobs'))
    for (let i = 0; i < 6; i += 1) await blobs.scope('heavy').putBytes(randomBytes(1_500_000))
    const script = `mount -t tmpfs -o size=4m tmpfs ${target}
      ${process.execPath} ${program} backup --to ${target} --recipient ${recipient} && code=0 || code=$?
      echo "code $code"; find ${target} -name '*.backup' -o -name '.new-*'`
    // An ordinary user mounts where he is root; root as he is, whom the database's socket lets in.
    const alone = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']
    const ended = spawnSync('unshare', [...alone, 'bash', '--norc', '-uc', script], {
      encoding: 'utf8',
      env: { ...process.env, PROBANT_DATA: dataFolder, DATABASE_URL: database.url },
    })
    expect([ended.stdout, ended.stderr]).toEqual(['code 1\n', expect.stringMatching(/^There is no room left in /)])
  })

  test('says in both languages what is wrong, and how it is used', async () => {
    const dataFolder = newFolder('words')
    const env = { PROBANT_DATA: dataFolder, DATABASE_URL: database.url }
    const said = async (command: typeof runBackupCommand, ...argv: string[]) => {
      const { code, said } = await call(command, argv, env)
      return `${String(code)} ${said.split('\n')[0] ?? ''}`
    }
    expect(await said(runBackupCommand, '--nonsense')).toMatch(/^3 probant backup \[--to/)
    expect(await said(runRestoreCommand, '--from', folder)).toMatch(/^3 probant restore --from/)
    expect(await said(runBackupCommand, 'list', '--identity', 'x')).toMatch(/^3 /)
    expect(await said(runLogCommand, 'resume')).toMatch(/^3 probant log resume/)
    expect(await said(runBackupCommand, '--recipient', recipient)).toBe('1 Where to is not told: --to, or PROBANT_BACKUP_TO.')
    expect(await said(runBackupCommand, '--recipient', recipient, '--lang', 'fr')).toMatch(/^1 La destination n’est pas indiquée/)
    expect(await said(runBackupCommand, '--to', '/not/there', '--lang', 'fr')).toMatch(/^1 Le dossier \/not\/there n’existe pas/)
    const full = newFolder('words-target')
    expect(await said(runRestoreCommand, '--from', full, '--identity', identity)).toMatch(/^1 There is no backup in/)
    expect(await said(runBackupCommand, 'verify', '--to', full, '--backup', 'x', '--lang', 'fr')).toBe(
      '1 La sauvegarde x n’existe pas.',
    )
  })
})

/** Shell commands of a document of `docs/operating`, block by block. */
function commandsOf(document: string): string[] {
  const text = readFileSync(join(root, 'docs/operating', document), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
}

function readRecipient(place: string): string {
  const file = join(place, 'backup-identity.txt')
  return existsSync(file) ? execFileSync('age-keygen', ['-y', file], { encoding: 'utf8' }).trim() : recipient
}

/** Runs the program until that holds, then kills it. */
async function killWhen(argv: readonly string[], env: NodeJS.ProcessEnv, isSo: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [program, ...argv], { env, stdio: 'ignore' })
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals | null>()
  child.once('exit', (_, signal) => resolve(signal))
  const timer = setInterval(() => {
    if (isSo()) child.kill('SIGKILL')
  }, 1)
  const signal = await promise
  clearInterval(timer)
  expect(signal).toBe('SIGKILL')
}
