import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'
import { settingsFileOf, settingsLine, withSettingsFile } from './settings-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
const file = join(folder, 'probant.env')
afterAll(() => rmSync(folder, { recursive: true }))
const write = (text: string, mode = 0o600) => {
  writeFileSync(file, text)
  chmodSync(file, mode)
}
const faults = (): readonly string[] => {
  try {
    withSettingsFile({}, file)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

test('what is written is read alike here and by a shell, whatever it holds; the environment goes before the file', () => {
  const values = {
    PROBANT_OPERATOR: "L'Étude & Fils, 1 rue du Port #2",
    SMTP_URL: 'smtps://user:pa$$"w\\`d@mail.example:465',
    PROBANT_PUBLIC_URL: 'https://evidence.example',
    PROBANT_LEGAL_PHONE: '',
  }
  write(
    `# of the operator\n\n${Object.entries(values)
      .map(([name, value]) => settingsLine(name, value))
      .join('\n')}\n`,
  )
  expect(withSettingsFile({}, file)).toEqual(values)
  expect(withSettingsFile({ PROBANT_PUBLIC_URL: 'https://other.example' }, file)).toEqual({
    ...values,
    PROBANT_PUBLIC_URL: 'https://other.example',
  })
  expect(loadConfig(withSettingsFile({}, file))).toMatchObject({
    operator: values.PROBANT_OPERATOR,
    mail: { smtpUrl: values.SMTP_URL },
  })
  for (const [name, value] of Object.entries(values))
    expect(execFileSync('sh', ['-c', `. ${file}; printf %s "$${name}"`]).toString()).toBe(value)
})

test('a file that others may read, that is not there or that is unclear stops the start with its lines', () => {
  write('A=1\n', 0o640)
  expect(faults()).toEqual([expect.stringContaining('may be read by others: chmod 600')])
  write(`A=1\nB=two words\nnothing\nC="a$b"\nexport D=1\nA=2\nE='open\n`)
  expect(faults().map((each) => /line \d+: .{6}/.exec(each)?.[0])).toEqual([
    'line 2: not NA',
    'line 3: not NA',
    'line 4: not NA',
    'line 5: not NA',
    'line 6: A stan',
    'line 7: not NA',
  ])
  expect(() => withSettingsFile({ PROBANT_SETTINGS: join(folder, 'absent') })).toThrow(/absent could not be read: ENOENT/)
  for (const value of [`both ' and "`, 'two\nlines', `'$HOME`]) expect(() => settingsLine('A', value)).toThrow(RangeError)
})

test('without one, or told to have none, there is the environment alone', () => {
  write('A=1\n')
  expect(settingsFileOf({ PROBANT_SETTINGS: 'none' }, file)).toBeNull()
  expect(settingsFileOf({}, join(folder, 'absent'))).toBeNull()
  expect(settingsFileOf({ PROBANT_SETTINGS: '' }, file)).toBe(file)
  expect(withSettingsFile({ PROBANT_SETTINGS: 'none', B: '2' }, file)).toEqual({ PROBANT_SETTINGS: 'none', B: '2' })
})
