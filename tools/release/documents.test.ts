/** What operators are told to type, as far as it can be read without a machine of theirs; and that something types it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { readSettingsFile } from '../../platform/config/settings-file.ts'
import { settings } from '../../platform/config/settings/settings.ts'
import { commandsOf } from './document-commands.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const operating = join(root, 'docs/operating')
const units = readdirSync(join(root, 'deploy/systemd'))
const documents = readdirSync(operating).map((file) => basename(file, '.md'))
const textOf = (name: string) => readFileSync(join(operating, `${name}.md`), 'utf8')
const withCommands = documents.filter((name) => /^```sh$/m.test(textOf(name)))

/** Where the commands of each document are run, every one of them; and which program they are taken by. */
const runBy: Readonly<Record<string, string>> = {
  'back-up': 'tools/drill-install.ts',
  configure: 'tools/drill-install.ts',
  containers: 'tools/drill-images.ts',
  grow: 'apps/cli/machine.test.ts',
  install: 'tools/drill-install.ts',
  kubernetes: 'tools/images/deployments.test.ts',
  remove: 'tools/drill-install.ts',
  restore: 'tools/drill-install.ts',
  secure: 'tools/drill-install.ts',
  traces: 'tools/drill-install.ts',
  upgrade: 'tools/drill-install.ts',
  watch: 'tools/drill-install.ts',
}

test('each document that gives commands has something that types them', () => {
  expect(withCommands.toSorted()).toEqual(Object.keys(runBy).toSorted())
  for (const [name, program] of Object.entries(runBy)) {
    expect(existsSync(join(root, program))).toBe(true)
    const code = readFileSync(join(root, program), 'utf8')
    expect(code).toContain('commandsOf(')
    expect(code, `${program} takes ${name}`).toMatch(new RegExp(`['/]${name}(?:\\.md)?'`))
  }
})

/** `backup`, `backup list`, …: what the usage names. */
const knownCommands = ((): ReadonlySet<string> => {
  const usage = execFileSync(process.execPath, [join(root, 'apps/cli/probant.ts'), '--help'], { encoding: 'utf8' })
  const named = usage.matchAll(/\bprobant ([a-z]+)(?: ([a-z]+(?:\|[a-z]+)*))?/g)
  return new Set([...named].flatMap(([, first = '', then = '']) => [first, ...then.split('|').map((each) => `${first} ${each}`)]))
})()

test.each(withCommands)('the commands of %s.md are a shell’s, and name files, units and commands that there are', (name) => {
  for (const commands of commandsOf(join(operating, `${name}.md`))) {
    expect(spawnSync('sh', ['-n'], { input: commands }).status).toBe(0)
    for (const [unit] of commands.matchAll(/\bprobant(?:-[a-z]+)?\.(?:service|target)/g)) expect(units).toContain(unit)
    for (const [, command = ''] of commands.matchAll(/(?:-- |bin\/|^)probant ([a-z]+(?: [a-z]+(?= |$))?)/gm))
      expect(knownCommands).toContain(command)
    for (const [, script = ''] of commands.matchAll(/\bnpm run (\S+)/g)) expect(packageFile.scripts).toHaveProperty([script])
    for (const [, named] of commands.matchAll(/\bprobant[_-](\d[\d.]*\d)/g)) expect(named).toBe(packageFile.version)
  }
})

/** What compose.yaml, the package's scripts and whoever builds a release are told. */
const ofOthers = [
  'PROBANT_RELEASE_KEY',
  'PROBANT_RELEASE_BUILDER',
  'PROBANT_PURGE_DATA',
  'PROBANT_CAPTURE_DIGEST',
  ...['WEB', 'WORKER', 'CAPTURE'].map((role) => `PROBANT_${role}_IMAGE`),
]

test.each(documents)('each setting that %s.md names is one', (name) => {
  const known = new Set<string>(Object.values(settings).map((each) => each.name))
  const named = new Set(textOf(name).match(/\b(?:PROBANT|S3|TSA|DATABASE|SMTP|MAIL)_[A-Z_0-9]*[A-Z0-9]\b/g))
  expect([...named].filter((each) => !known.has(each) && !ofOthers.includes(each))).toEqual([])
})

test('the settings that a package begins with are settings', () => {
  const file = join(root, 'tools/release/debian/probant.env')
  const lines = readFileSync(file, 'utf8').split('\n')
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual(['PROBANT_DATA=/var/lib/probant'])
  // As postinst leaves it: readable by its owner alone, or it is refused.
  expect(() => readSettingsFile(file)).toThrow('chmod 600')
})
