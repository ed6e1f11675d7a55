import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { comparePreflight, type ServerManifest } from '../../domain/servers/preflight.ts'
import { createFileHashes } from './hash-files.ts'
import { createServerMeasurement, type MeasureServer, type ServerSources } from './measure-server.ts'

const root = mkdtempSync(join(tmpdir(), 'probant-measure-'))
chmodSync(root, 0o755)
afterAll(() => rmSync(root, { recursive: true }))

let sources: ServerSources
let environment: Record<string, string>
const file = (name: string, text: string, mode = 0o644): void => {
  writeFileSync(join(root, name), text)
  chmodSync(join(root, name), mode)
}
const browserOf = (version: string) => `#!/bin/sh\necho 'Chromium ${version} built on Debian'\n`

beforeEach(() => {
  mkdirSync(join(root, 'chromium', 'locales'), { recursive: true })
  file('chromium/chromium', browserOf('156.0.8078.79'), 0o755)
  file('chromium/locales/fr.pak', 'mots')
  file('resolv.conf', '# made by hand\nnameserver 192.0.2.53\n nameserver 2001:db8::53\noptions edns0\n')
  file('os-release', 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
  file('machine-id', '0123456789abcdef0123456789abcdef\n')
  file('status', 'Package: chromium\n')
  file('environment', '')
  environment = {}
  sources = {
    browser: join(root, 'chromium/chromium'),
    resolvConf: join(root, 'resolv.conf'),
    osRelease: join(root, 'os-release'),
    machineId: join(root, 'machine-id'),
    packageStatus: join(root, 'status'),
    systemEnvironment: join(root, 'environment'),
    environment,
  }
})

const silent = { measureClockOffset: () => Promise.resolve(null), measurePublicAddress: () => Promise.resolve(null) }
const measurement = (options: Partial<Parameters<typeof createServerMeasurement>[0]> = {}): MeasureServer =>
  createServerMeasurement({ probes: silent, isolationOverride: false, sources, ...options })

test('H-11 every item is what the machine says', async () => {
  const measured = await measurement()()
  expect(measured.items).toMatchObject({
    browser: 'Chromium 156.0.8078.79',
    dns_servers: '192.0.2.53, 2001:db8::53',
    proxy: 'none',
    public_address: null,
    node: process.version.slice(1),
  })
  expect(measured.items.operating_system).toMatch(/^Debian GNU\/Linux 12 \(bookworm\), \d/)
  expect(measured.items.machine_sha256).toBe(createHash('sha256').update('0123456789abcdef0123456789abcdef').digest('hex'))
  expect(measured.items.program_sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(measured).toMatchObject({ clock_offset: null, clock_step: null, clock_measured_at: null, network: null })
  // The same digest as the tools that every Debian has.
  const listed: { readonly stdout: string } = spawnSync(
    'sh',
    ['-c', 'find . -type f | sed s,^./,, | LC_ALL=C sort | xargs sha256sum | sha256sum'],
    {
      cwd: join(root, 'chromium'),
      encoding: 'utf8',
    },
  )
  expect(measured.items.browser_sha256).toBe(listed.stdout.slice(0, 64))
})

test.each<[string, () => void, readonly string[]]>([
  ['dns_servers', () => file('resolv.conf', 'nameserver 198.51.100.53\n'), ['dns_servers']],
  ['system proxy', () => file('environment', 'https_proxy="http://user:secret@192.0.2.9:3128"\n'), ['proxy']],
  ['proxy of our own environment', () => void (environment['ALL_PROXY'] = 'socks5://192.0.2.9'), ['proxy']],
  ['other machine', () => file('machine-id', 'f'.repeat(32)), ['machine_sha256']],
  ['file of the browser', () => file('chromium/locales/fr.pak', 'maux'), ['browser_sha256', 'image_digest']],
  ['file added to the browser', () => file('chromium/preload.so', 'x'), ['browser_sha256', 'image_digest']],
  [
    'newer browser',
    () => file('chromium/chromium', browserOf('157.0.1.2'), 0o755),
    ['browser', 'browser_sha256', 'image_digest'],
  ],
  ['operating system', () => file('os-release', 'PRETTY_NAME="Debian GNU/Linux 13"\n'), ['operating_system', 'image_digest']],
])('H-11 a planted difference is seen: %s', async (_name, plant, expected) => {
  const measure = measurement()
  const before = await measure()
  const manifest: ServerManifest = {
    format: 'probant-capture-server/1',
    server_id: 'one',
    pinned_at: before.measured_at,
    pinned_by: 'first_start',
    replaces: null,
    items: before.items,
  }
  expect(comparePreflight(manifest, await measure())).toEqual([])
  plant()
  try {
    const found = comparePreflight(manifest, await measure())
    expect(found.map(({ item }) => item)).toEqual(expect.arrayContaining([...expected]))
    expect(found).toHaveLength(expected.length)
    expect(JSON.stringify(found)).not.toContain('secret')
  } finally {
    rmSync(join(root, 'chromium/preload.so'), { force: true })
  }
})

test('H-11 a file that was swapped is read again, though size and date are set back', async () => {
  const hashes = createFileHashes()
  const target = join(root, 'chromium/locales/fr.pak')
  const before = await hashes.hash(join(root, 'chromium'))
  const { atime, mtime } = statSync(target)
  file('swap', 'maux')
  renameSync(join(root, 'swap'), target)
  utimesSync(target, atime, mtime)
  const after = await hashes.hash(join(root, 'chromium'))
  expect(after?.sha256).not.toBe(before?.sha256)
  // Written in place, with the date set back: the change time tells.
  writeFileSync(target, 'mixe')
  utimesSync(target, atime, mtime)
  expect((await hashes.hash(join(root, 'chromium')))?.sha256).not.toBe(after?.sha256)
  expect(await hashes.hash(join(root, 'nothing'))).toBeNull()
})

test('H-11 the clock: its offset, a step in between, and probes that fail or say nothing', async () => {
  let [wall, uptime, offset] = [1_000_000, 0, 0.25 as number | null]
  let asked = 0
  const measure = measurement({
    wallClock: () => wall,
    monotonicClock: () => uptime,
    probes: {
      measureClockOffset: () => {
        asked += 1
        return Promise.resolve(offset)
      },
      measurePublicAddress: () => Promise.reject(new Error('no way out')),
    },
  })
  expect(await measure()).toMatchObject({ clock_offset: 0.25, clock_step: null })
  ;[wall, uptime] = [wall + 60_000, uptime + 60_000]
  expect(await measure()).toMatchObject({ clock_offset: 0.25 })
  expect(asked).toBe(1)
  // Somebody moves the clock: the offset is asked for again at once.
  wall += 7_000
  offset = 7.25
  expect(await measure()).toMatchObject({ clock_offset: 7.25, clock_step: null })
  expect(asked).toBe(2)
  // Nobody answers any more, and it is moved again: the step is what is known, for as long as nobody tells better.
  offset = null
  wall += 3_000
  expect(await measure()).toMatchObject({ clock_offset: null, clock_step: 3, clock_measured_at: null })
  expect(await measure()).toMatchObject({ clock_offset: null, clock_step: 3, items: { public_address: null } })
})
