import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { withDatabase } from '../../testing/database.ts'
import { runAdminCommand, runInviteCommand } from './admin.ts'
import { askSecret, type Keyboard } from './terminal/ask-secret.ts'
import { withInstallation } from './open-installation.ts'

const database = withDatabase()
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'probant-admin-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const password = 'Correct-horse 7'
/** A keyboard on which that is typed, or none. */
function keyboardOf(...typed: readonly string[]): Keyboard & { readonly raw: boolean[] } {
  const raw: boolean[] = []
  const stream = new PassThrough()
  const lines = [...typed]
  return Object.assign(stream, {
    raw,
    isTTY: typed.length > 0,
    setRawMode(on: boolean) {
      raw.push(on)
      // Who asks gets the next line, in pieces that cut characters in two.
      if (on) for (const byte of Buffer.from(lines.shift() ?? '')) stream.write(Buffer.of(byte))
    },
  })
}

async function run(
  command: typeof runAdminCommand,
  argv: readonly string[],
  options: { env?: Record<string, string>; keyboard?: Keyboard } = {},
): Promise<{ code: number; out: string; said: string }> {
  let [out, said] = ['', '']
  const code = await command(argv, {
    stdout: { write: (text: string) => void (out += text) },
    stderr: { write: (text: string) => void (said += text) },
    env: { PROBANT_DATA: folder, DATABASE_URL: database.url, ...options.env },
    keyboard: options.keyboard ?? keyboardOf(),
  })
  return { code, out, said }
}
const admins = async () =>
  (
    await sql<{ address: string; status: string; name: string }>`select e.address, u.status, u.first_name as name from user_role r
      join account_user u on u.id = r.user_id join email_address e on e.user_id = u.id and e.verified_at is not null
      where r.role = 'administrator' order by 1`.execute(database.db)
  ).rows

test('the first administrator is made at the command line; the password is not shown', async () => {
  const keyboard = keyboardOf('Korrekt-hörse 77\u007F\r', 'Korrekt-hörse 7\r')
  const made = await run(runAdminCommand, ['create', '--email', 'Ada@example.org', '--first-name', 'Ada', '--last-name', 'Lo'], {
    keyboard,
  })
  expect(made).toMatchObject({ code: 0, out: '' })
  expect(made.said).toMatch(/^Password: \nAgain: \nAda@example\.org is an administrator\./)
  expect(keyboard.raw).toEqual([true, false, true, false])
  const env = { PROBANT_ADMIN_PASSWORD: password }
  expect((await run(runAdminCommand, ['create', '--email', 'bob@example.org'], { env })).code).toBe(0)
  expect(await admins()).toEqual([
    { address: 'Ada@example.org', status: 'active', name: 'Ada' },
    { address: 'bob@example.org', status: 'active', name: 'Probant' },
  ])
  const again = await run(runAdminCommand, ['create', '--email', 'ADA@example.org', '--lang', 'fr'], { env })
  expect([again.code, again.said]).toEqual([1, 'Un compte avec cette adresse e-mail existe déjà\n'])
})

test.each([
  [['--email', 'eve'], password, 'Please enter a valid email address\n'],
  [['--email', 'eve@example.org'], 'short', /At least 8 characters\nAt least one uppercase letter\n/],
  [['--email', 'eve@example.org', '--first-name', '<b>'], password, /Only letters/],
])('what is no administrator is refused: %j', async (argv, typed, said) => {
  const answer = await run(runAdminCommand, ['create', ...argv], { env: { PROBANT_ADMIN_PASSWORD: typed } })
  expect(answer.code).toBe(1)
  expect(answer.said).toEqual(typeof said === 'string' ? said : expect.stringMatching(said))
})

test('a password that was mistyped, given up or has no terminal makes nobody', async () => {
  const argv = ['create', '--email', 'eve@example.org']
  const before = await admins()
  expect((await run(runAdminCommand, argv, { keyboard: keyboardOf('Correct-horse 7\r', 'Correct-horse 8\r') })).said).toContain(
    'The two passwords differ',
  )
  expect((await run(runAdminCommand, argv, { keyboard: keyboardOf('Correct\u0003') })).code).toBe(1)
  expect((await run(runAdminCommand, argv)).said).toContain('PROBANT_ADMIN_PASSWORD')
  expect(await admins()).toEqual(before)
  await expect(askSecret('?', { keyboard: keyboardOf(), screen: { write: () => true } })).rejects.toThrow('no terminal')
})

test('the record of acts is recomputed, and a changed line is named', async () => {
  const held = await run(runAdminCommand, ['verify-acts'])
  const state = JSON.parse(held.out) as { lines: number; head: string; broken: null }
  expect(held.code).toBe(0)
  expect(state.lines).toBeGreaterThan(0)
  expect(held.said).toContain(state.head)
  await database.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update act set actor_id = gen_random_uuid() where number = 1`.execute(tx)
  })
  const broken = await run(runAdminCommand, ['verify-acts', '--lang', 'fr'])
  expect([broken.code, JSON.parse(broken.out)]).toEqual([
    1,
    { lines: 0, head: '0'.repeat(64), broken: { number: 1, fault: 'hash' } },
  ])
  expect(broken.said).toContain('altéré')
})

test('an invitation is printed as a link, kept as its hash', async () => {
  const env = { PROBANT_PUBLIC_URL: 'https://probant.example/' }
  const { code, out } = await run(runInviteCommand, ['create', '--days', '3', '--lang', 'fr'], { env })
  expect(code).toBe(0)
  const token = /^https:\/\/probant\.example\/fr\/authentication\/registration\/\?invitation=([\w-]{43})\n$/.exec(out)?.[1]
  const { rows } = await sql<{ good: boolean }>`select token_hash = sha256(${token ?? ''}::bytea) and
    expires_at - created_at = interval '3 days' as good from registration_invitation`.execute(database.db)
  expect(rows).toEqual([{ good: true }])
})

test.each([
  [runAdminCommand, []],
  [runAdminCommand, ['create']],
  [runAdminCommand, ['create', '--email', 'a@example.org', '--role', 'god']],
  [runAdminCommand, ['verify-acts', 'more']],
  [runAdminCommand, ['verify-acts', '--lang', 'de']],
  [runInviteCommand, []],
  [runInviteCommand, ['create', '--days', '0']],
  [runInviteCommand, ['create', '--days', '366']],
  [runInviteCommand, ['create', '--days', '1e2']],
])('wrong use is told, %#: %j', async (command, argv) => {
  const { code, said } = await run(command, argv)
  expect([code, said]).toEqual([3, expect.stringMatching(/^Usage: probant (admin|invite) create/)])
})

test('the embedded database of a product that runs is used as it is', async () => {
  const socketFolder = new URL(inject('postgres').url.replace('@/', '@localhost/')).searchParams.get('host') ?? ''
  symlinkSync(dirname(socketFolder), join(folder, 'postgres'))
  const found = await withInstallation(
    { databaseUrl: undefined, dataFolder: folder },
    async (db) => (await sql<{ folder: string }>`select current_setting('unix_socket_directories') as folder`.execute(db)).rows,
  )
  expect(found).toEqual([{ folder: socketFolder }])
})
