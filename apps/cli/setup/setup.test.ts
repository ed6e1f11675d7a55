import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/database.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'setup-'))
const file = join(folder, 'probant.env')
afterAll(() => rmSync(folder, { recursive: true }))

/** The command as it is typed at a terminal, of util-linux; what is typed is what the last question asks for. */
async function atTerminal(
  args: string,
  answers: Readonly<Record<string, string>>,
): Promise<{ code: number | null; shown: string }> {
  const program = fileURLToPath(new URL('../probant.ts', import.meta.url))
  const command = `exec ${process.execPath} --disable-warning=ExperimentalWarning ${program} setup ${args}`
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder },
  })
  let [shown, answered] = ['', 0]
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    // A question is a line that has not ended.
    const question = /^[^\n]*$/m.exec(shown.slice(answered).split('\n').at(-1) ?? '')?.[0] ?? ''
    if (!/(?:\]|:) $/.test(question)) return
    answered = shown.length
    const found = Object.entries(answers).find(([part]) => question.includes(part))
    terminal.stdin.write(found?.[1] ?? '\r')
  })
  const code = await new Promise<number | null>((resolve) => terminal.once('exit', resolve))
  return { code, shown }
}

test('an installation is set up at a terminal: the file is its owner’s alone, secrets are not shown, and there is an administrator', async () => {
  const password = 'Korrekt-horse 7'
  const { code, shown } = await atTerminal(`--file ${file}`, {
    'Address that visitors type': 'http://localhost:8080\r',
    'PostgreSQL, postgres': `${database.url}\r`,
    'Folder of what it keeps': `${join(folder, 'data')}\r`,
    'Mail server': '-\r',
    'OpenTimestamps calendars': 'none\r',
    'E-mail address, or Enter': 'ada@example.org\r',
    Password: `${password}\r`,
    Again: `${password}\r`,
  })
  expect({ code, shown }).toMatchObject({ code: 0, shown: expect.stringContaining('To start it: npm start') })
  expect(readFileSync(file, 'utf8').split('\n').slice(1)).toEqual([
    expect.stringMatching(/^DATABASE_URL=/),
    `PROBANT_DATA=${join(folder, 'data')}`,
    'PROBANT_OTS_CALENDARS=none',
    'PROBANT_PUBLIC_URL=http://localhost:8080',
    '',
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  for (const secret of [database.url, password]) expect(shown).not.toContain(secret)
  const { rows } = await sql<{ address: string }>`select e.address from user_role r join email_address e on e.user_id = r.user_id
    where r.role = 'administrator'`.execute(database.db)
  expect(rows).toEqual([{ address: 'ada@example.org' }])
})

test('given up in the middle nothing is written; what was set before is what is offered', async () => {
  writeFileSync(file, "PROBANT_OPERATOR='Example SARL'\n", { mode: 0o600 })
  const { code, shown } = await atTerminal(`--file ${file} --lang fr`, { 'Adresse que tapent': '\u0003' })
  expect({ code, shown }).toMatchObject({
    code: 1,
    shown: expect.stringContaining('Ce qui n’était pas encore écrit ne l’a pas été'),
  })
  expect(readFileSync(file, 'utf8')).toBe("PROBANT_OPERATOR='Example SARL'\n")
  const later = await atTerminal(`--file ${file}`, { 'Who ends TLS': '\u0003' })
  expect(later.shown).toContain('[Example SARL]')
  const none = join(folder, 'none.env')
  expect((await atTerminal(`--file ${none}`, { Address: '\u0004' })).code).toBe(1)
  expect(existsSync(none)).toBe(false)
})

test('without a terminal, and used wrongly, it says so', async () => {
  const program = fileURLToPath(new URL('../probant.ts', import.meta.url))
  for (const [args, code, words] of [
    [['setup'], 1, 'asks at a terminal'],
    [['setup', '--lang', 'de'], 3, 'probant setup [--file FILE]'],
  ] as const) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], PROBANT_SETTINGS: 'none' },
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(code)
    expect(said).toContain(words)
  }
})
