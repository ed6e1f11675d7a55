/** What operators are told to type, as far as it can be read without a machine of theirs. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readSettingsFile } from '../../platform/config/settings-file.ts'
import { commandsOf } from './document-commands.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const units = readdirSync(join(root, 'deploy/systemd'))

test.each(['install', 'configure', 'upgrade', 'secure', 'remove'])(
  'the commands of %s.md are a shell’s, and name files, units and commands that there are',
  (name) => {
    const usage = execFileSync(process.execPath, [join(root, 'apps/cli/probant.ts'), '--help'], { encoding: 'utf8' })
    for (const commands of commandsOf(join(root, 'docs/operating', `${name}.md`))) {
      expect(spawnSync('sh', ['-n'], { input: commands }).status).toBe(0)
      for (const [unit] of commands.matchAll(/\bprobant(?:-[a-z]+)?\.(?:service|target)/g)) expect(units).toContain(unit)
      for (const [, command = ''] of commands.matchAll(/-- probant ([a-z]+(?: (?:create|show|pin))?)/g))
        expect(usage).toContain(command.replace(/^server pin$/, 'server show|pin'))
      for (const [, named] of commands.matchAll(/\bprobant[_-](\d[\d.]*\d)/g)) expect(named).toBe(version)
    }
  },
)

test('the settings that a package begins with are settings', () => {
  const file = join(root, 'tools/release/debian/probant.env')
  const lines = readFileSync(file, 'utf8').split('\n')
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual(['PROBANT_DATA=/var/lib/probant'])
  // As postinst leaves it: readable by its owner alone, or it is refused.
  expect(() => readSettingsFile(file)).toThrow('chmod 600')
})
