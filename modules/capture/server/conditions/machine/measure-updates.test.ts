import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createUpdateMemory, measureUpdates, readSimulation, type PackageFolders } from './measure-updates.ts'

const run = promisify(execFile)
const signal = new AbortController().signal
let folder: string
let folders: PackageFolders

const packageEntry = (name: string, version: string) =>
  `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: a <a@example.org>\nFilename: ./${name}.deb\nSize: 10\nSHA256: ${'e3b0c442'.repeat(8)}\nDescription: x\n`

/** A machine's package records: installed packages, and a security archive of which apt itself makes its lists. */
async function arrange(installed: readonly string[], offered: readonly string[]): Promise<void> {
  const repository = join(folder, 'repository')
  await Promise.all(['repository', 'empty', 'lists/partial'].map((name) => mkdir(join(folder, name), { recursive: true })))
  const packages = `${offered.join('\n')}\n`
  const sum = createHash('sha256').update(packages).digest('hex')
  await writeFile(join(repository, 'Packages'), packages)
  await writeFile(
    join(repository, 'Release'),
    `Origin: Debian\nLabel: Debian-Security\nSuite: stable-security\nVersion: 12\nDate: Sat, 21 Nov 2026 00:00:00 UTC\nArchitectures: all\nSHA256:\n ${sum} ${String(packages.length)} Packages\n`,
  )
  await writeFile(join(folder, 'sources.list'), `deb [trusted=yes] file:${repository} ./\n`)
  await writeFile(
    folders.status,
    installed.map((entry) => entry.replace('\nVersion', '\nStatus: install ok installed\nVersion')).join('\n'),
  )
  const options = [
    `Dir::State::lists=${folders.lists}`,
    `Dir::State::status=${folders.status}`,
    'APT::Sandbox::User=',
    ...(folders.settings ?? []),
  ]
  await run('apt-get', [
    ...options.flatMap((one) => ['-o', one]),
    '-o',
    'Dir::Cache::pkgcache=',
    '-o',
    'Dir::Cache::srcpkgcache=',
    'update',
  ])
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-apt-'))
  folders = {
    lists: join(folder, 'lists'),
    status: join(folder, 'status'),
    log: join(folder, 'history.log'),
    settings: [
      `Dir::Etc::sourcelist=${join(folder, 'sources.list')}`,
      `Dir::Etc::sourceparts=${join(folder, 'empty')}`,
      'Debug::NoLocking=true',
    ],
  }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('K-33 updates of the system', () => {
  test('a security update that waits is named; once installed, none waits', async () => {
    await arrange([packageEntry('openssl', '3.0.16-1')], [packageEntry('openssl', '3.0.17-1'), packageEntry('hello', '2.0')])
    const memory = createUpdateMemory(null, folders)
    const before = await memory(signal)
    expect(before).toMatchObject({ pending_security: ['openssl'], pending_other: 0 })
    expect(before.lists_at).not.toBeNull()
    expect(before.asked_at).not.toBeNull()
    expect(await memory(signal)).toBe(before)
    await writeFile(
      folders.status,
      packageEntry('openssl', '3.0.17-1').replace('\nVersion', '\nStatus: install ok installed\nVersion'),
    )
    // A file system may keep whole seconds only: the change shows all the same.
    await utimes(folders.status, new Date(0), new Date('2026-11-20T10:00:00.000Z'))
    expect(await memory(signal)).toMatchObject({ pending_security: [], patched_at: '2026-11-20T10:00:00.000Z' })
  }, 180_000)

  test('the answer of one process serves the next for an hour, and no other lists or records', async () => {
    await arrange([packageEntry('openssl', '3.0.16-1')], [packageEntry('openssl', '3.0.17-1')])
    const data = join(folder, 'servers')
    let now = new Date('2026-11-23T10:00:00.000Z')
    const another = () => createUpdateMemory({ folder: data, clock: { now: () => now } }, folders)
    const asked = async () => (JSON.parse(await readFile(join(data, 'updates.json'), 'utf8')) as { asked_at: string }).asked_at
    const first = another()
    const before = await first(signal)
    expect(before).toMatchObject({ pending_security: ['openssl'], asked_at: '2026-11-23T10:00:00.000Z' })
    // Its settings name another record of what is installed: whoever asks again hears that nothing waits.
    const elsewhere = [...(folders.settings ?? []), `Dir::State::status=${join(folder, 'no-status')}`]
    const next = createUpdateMemory({ folder: data, clock: { now: () => now } }, { ...folders, settings: elsewhere })
    now = new Date('2026-11-23T10:59:59.999Z')
    expect(await next(signal)).toEqual(before)
    expect(await asked()).toBe('2026-11-23T10:00:00.000Z')
    now = new Date('2026-11-23T11:00:00.000Z')
    expect((await next(signal)).pending_security).toEqual([])
    expect(await asked()).toBe('2026-11-23T11:00:00.000Z')
    now = new Date('2026-11-23T12:00:00.000Z')
    expect(await first(signal)).toEqual({ ...before, asked_at: '2026-11-23T12:00:00.000Z' })
    expect(await asked()).toBe('2026-11-23T12:00:00.000Z')
    // A clock that was put back tells nothing of how old it is.
    now = new Date('2026-11-23T10:30:00.000Z')
    await another()(signal)
    expect(await asked()).toBe('2026-11-23T10:30:00.000Z')
    await utimes(folders.status, new Date(0), new Date('2026-11-20T10:00:00.000Z'))
    now = new Date('2026-11-23T10:31:00.000Z')
    expect((await another()(signal)).patched_at).toBe('2026-11-20T10:00:00.000Z')
    expect(await asked()).toBe('2026-11-23T10:31:00.000Z')
    await writeFile(join(data, 'updates.json'), '{"key": 1')
    expect((await another()(signal)).pending_security).toEqual(['openssl'])
  }, 180_000)

  test('the version of the browser that is offered is read, installed or not', async () => {
    await arrange([packageEntry('chromium', '150.0.7871.100-1~deb12u1')], [packageEntry('chromium', '156.0.8078.79-1~deb12u1')])
    expect(await measureUpdates(signal, folders)).toMatchObject({
      pending_security: ['chromium'],
      browser_offered: '156.0.8078.79-1~deb12u1',
    })
    await arrange([packageEntry('hello', '2.0')], [packageEntry('hello', '2.0')])
    expect(await measureUpdates(signal, folders)).toMatchObject({ pending_security: [], browser_offered: null })
  })

  test('without lists nothing is known of updates; without records, nothing at all', async () => {
    expect(await measureUpdates(signal, folders)).toEqual({
      patched_at: null,
      upgraded_at: null,
      lists_at: null,
      pending_security: null,
      pending_other: null,
      browser_offered: null,
    })
  })

  test('the last upgrade is read from apt’s own log', async () => {
    await writeFile(
      folders.log,
      '\nStart-Date: 2026-11-01  08:00:00\nUpgrade: openssl:amd64 (1, 2)\nEnd-Date: 2026-11-01  08:00:05\n\nStart-Date: 2026-11-02  08:00:00\nInstall: hello:amd64 (1)\nEnd-Date: 2026-11-02  08:00:01\n',
    )
    expect((await measureUpdates(signal, folders)).upgraded_at).toBe(new Date('2026-11-01T08:00:05').toISOString())
  })

  test('a session that ends does not wait: it has the dates', async () => {
    await arrange([packageEntry('openssl', '3.0.16-1')], [packageEntry('openssl', '3.0.17-1')])
    const facts = await createUpdateMemory(null, folders)(AbortSignal.abort())
    expect(facts.pending_security).toBeNull()
    expect(facts.patched_at).not.toBeNull()
    expect(facts.lists_at).not.toBeNull()
  })

  test('origins that are and are not security archives', () => {
    const lines = [
      'Inst bash [5.2.15-2+b8] (5.2.15-2+b13 Debian:12.15/oldstable [amd64])',
      'Inst libssl3 [3.0] (3.1 Debian-Security:12/oldstable-security [amd64]) []',
      'Inst new-one (1.0 Ubuntu:24.04/noble-security [amd64])',
      'Conf bash (5.2 Debian:12.15/oldstable [amd64])',
    ]
    expect(readSimulation(lines.join('\n'))).toEqual([
      { name: 'bash', security: false },
      { name: 'libssl3', security: true },
      { name: 'new-one', security: true },
    ])
  })
})
