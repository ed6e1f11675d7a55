/** The units of systemd, as systemd's own tool reads them. That captures are made under them, the drill of the installation shows. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roleNames } from '../../apps/server/roles/role.ts'

const run = promisify(execFile)
const units = fileURLToPath(new URL('../../deploy/systemd/', import.meta.url))
const names = await readdir(units)
const services = names.filter((name) => name.endsWith('.service'))
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'probant-units-'))
  await mkdir(join(root, 'usr/lib/probant/bin'), { recursive: true })
  await writeFile(join(root, 'usr/lib/probant/bin/node'), '', { mode: 0o755 })
  await cp(units, join(root, 'etc/systemd/system'), { recursive: true })
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('each role has a unit, and the database; the target wants them all', async () => {
  expect(services.toSorted()).toEqual(['database', ...roleNames].map((name) => `probant-${name}.service`).toSorted())
  const target = await readFile(join(units, 'probant.target'), 'utf8')
  for (const name of services) expect(target).toContain(name)
  for (const role of roleNames)
    expect(await readFile(join(units, `probant-${role}.service`), 'utf8')).toContain(`compiled/serve.js --role ${role}\n`)
})

test('systemd finds nothing wrong in them', async () => {
  const said = await run('systemd-analyze', ['verify', '--recursive-errors=no', `--root=${root}`, ...names])
  expect(`${said.stdout}${said.stderr}`).toBe('')
})

test.each(services)('%s is exposed less than 3.0, as systemd-analyze counts', async (name) => {
  const { stdout } = await run('systemd-analyze', [
    'security',
    '--offline=true',
    '--no-pager',
    '--threshold=30',
    `--root=${root}`,
    name,
  ])
  const level = Number(/Overall exposure level for \S+: (\d+\.\d)/.exec(stdout)?.[1])
  expect(level).toBeGreaterThan(0)
  expect(level).toBeLessThan(3)
})
