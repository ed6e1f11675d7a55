import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const run = promisify(execFile)
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-set-up-'))
  await chmod(folder, 0o755)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Set-up is plain JavaScript for whatever Node there is: it is run as such. Returns what it printed and what the script answers. */
async function ask(module: string, script: string, env: Record<string, string> = {}): Promise<{ text: string; answer: unknown }> {
  const url = pathToFileURL(join(import.meta.dirname, module)).href
  const source = `import * as it from ${JSON.stringify(url)}\nconst answer = await (${script})\nprocess.stdout.write('\\n' + JSON.stringify(answer ?? null))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { env: { ...process.env, ...env } })
  const at = stdout.lastIndexOf('\n')
  return { text: stdout.slice(0, at), answer: JSON.parse(stdout.slice(at + 1)) as unknown }
}

async function program(name: string, script: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}
const playedPath = () => `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`

describe('missing packages', () => {
  const install = () => `it.installSystemPackages([[${JSON.stringify(join(folder, 'tool'))}, 'a-tool']])`

  test('the lists are refreshed, and it is said, before anything is installed; without a network what they offered has to do', async () => {
    for (const network of [true, false]) {
      const log = join(folder, `asked-${String(network)}`)
      await rm(join(folder, 'tool'), { force: true })
      await program('sudo', 'while [ "$1" != apt-get ] && [ "$1" != true ]; do shift; done; exec "$@"')
      await program(
        'apt-get',
        `echo "$@" >> ${log}\ncase "$1" in update) exit ${network ? 0 : 100};; install) touch ${folder}/tool;; esac`,
      )
      const { text } = await ask('set-up.mjs', install(), { PATH: playedPath() })
      expect((await readFile(log, 'utf8')).split('\n').map((line) => line.split(' ')[0])).toEqual(['update', 'install', ''])
      expect(text).toMatch(/^Reading the package lists…\n/)
      expect(text.includes('could not be refreshed')).toBe(!network)
      expect(text).toContain('Installing system packages: a-tool…')
    }
  })

  test('where nothing is missing the package manager is not called', async () => {
    await writeFile(join(folder, 'tool'), '')
    await program('apt-get', `touch ${folder}/called`)
    expect((await ask('set-up.mjs', install(), { PATH: playedPath() })).text).toBe('')
    await expect(stat(join(folder, 'called'))).rejects.toThrow('ENOENT')
  })
})

describe('the pinned Node', () => {
  test('is brought with an npm of its own where npm runs on a Node that leaves packages out', async () => {
    const versions = ['18.20.4', '20.18.1', '21.7.0', '22.11.0', '20.19.0', '22.12.0', '24.0.0', '26.9.0']
    const { answer } = await ask('set-up.mjs', `${JSON.stringify(versions)}.map(it.installsAll)`)
    expect(answer).toEqual([false, false, false, false, true, true, true, true])
    const read = async (file: string) =>
      JSON.parse(await readFile(join(import.meta.dirname, file), 'utf8')) as Record<string, unknown>
    const [first, ours] = [await read('first-node/package.json'), await read('../package.json')]
    expect(ours['optionalDependencies']).toMatchObject(first['optionalDependencies'] as object)
  })

  const command = () => readFile(join(folder, '.bin', 'node'), 'utf8')
  const link = () => `it.linkNode(${JSON.stringify(folder)})`

  test('is a command though npm took its link away; what npm linked, and a machine without the package, are left as they are', async () => {
    await mkdir(join(folder, '.bin'))
    await ask('set-up.mjs', link())
    await expect(command()).rejects.toThrow('ENOENT')
    const packaged = join(folder, `node-${process.platform}-${process.arch}`, 'bin')
    await mkdir(packaged, { recursive: true })
    await writeFile(join(packaged, 'node'), 'packaged')
    await symlink('../gone/bin/node', join(folder, '.bin', 'node'))
    await ask('set-up.mjs', link())
    expect(await command()).toBe('packaged')
    await rm(join(folder, '.bin', 'node'))
    await writeFile(join(folder, '.bin', 'node'), 'linked by npm')
    await ask('set-up.mjs', link())
    expect(await command()).toBe('linked by npm')
  })
})

/** An archive that offers these versions of the browser as packages, `installed` being on the machine; apt itself reads it. */
async function arrange(installed: string, offered: readonly string[]): Promise<Record<string, string>> {
  const archive = join(folder, 'archive')
  for (const name of ['archive', 'empty', 'lists/partial', 'cache']) await mkdir(join(folder, name), { recursive: true })
  let listed = ''
  for (const version of offered) {
    for (const name of ['chromium', 'chromium-common', 'chromium-l10n']) {
      const root = join(folder, 'made', `${name}-${version}`)
      await mkdir(join(root, 'DEBIAN'), { recursive: true })
      const control = `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: a <a@example.org>\nDescription: x\n`
      await writeFile(join(root, 'DEBIAN', 'control'), control)
      await mkdir(join(root, 'usr/lib/chromium'), { recursive: true })
      if (name === 'chromium')
        await writeFile(join(root, 'usr/lib/chromium/chromium'), `#!/bin/sh\necho "Chromium ${version}"\n`, { mode: 0o755 })
      const file = `${name}_${version}.deb`
      await run('dpkg-deb', ['--root-owner-group', '-b', root, join(archive, file)])
      const bytes = await readFile(join(archive, file))
      listed += `${control}Filename: ./${file}\nSize: ${String(bytes.length)}\nSHA256: ${createHash('sha256').update(bytes).digest('hex')}\n\n`
    }
  }
  await writeFile(join(archive, 'Packages'), listed)
  const sum = createHash('sha256').update(listed).digest('hex')
  await writeFile(
    join(archive, 'Release'),
    `Suite: stable\nDate: Sat, 21 Nov 2026 00:00:00 UTC\nArchitectures: all\nSHA256:\n ${sum} ${String(listed.length)} Packages\n`,
  )
  await writeFile(join(folder, 'sources.list'), `deb [trusted=yes] copy:${archive} ./\n`)
  const entry = `Package: chromium\nStatus: install ok installed\nVersion: ${installed}\nArchitecture: all\nMaintainer: a <a@example.org>\nDescription: x\n`
  await writeFile(join(folder, 'status'), entry)
  const settings = {
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': join(folder, 'empty'),
    'APT::Sandbox::User': '',
    'Debug::NoLocking': 'true',
  }
  const file = join(folder, 'apt.conf')
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  )
  const env = { APT_CONFIG: file }
  await run('apt-get', ['update', '-qq'], { env: { ...process.env, ...env } })
  return env
}

describe('the age of the browser', () => {
  const installed = async (version: string) => {
    await program('chromium', `echo "Chromium ${version} "`)
    return join(folder, 'bin', 'chromium')
  }
  const describeAge = async (version: string, env: Record<string, string>, now: Date) => {
    const about = { browser: await installed(version), lists: join(folder, 'lists'), now: '' }
    return (
      await ask(
        'offered-browser.mjs',
        `it.describeBrowserAge({ ...${JSON.stringify(about)}, now: new Date(${now.getTime()}) })`,
        env,
      )
    ).answer as string[]
  }

  test('one older than what is offered is told with both versions and the command; the newest is not mentioned', async () => {
    const env = await arrange('150.0.7871.100-1~deb12u1', ['150.0.7871.100-1~deb12u1', '156.0.8078.79-1~deb12u1'])
    const now = new Date()
    const told = await describeAge('150.0.7871.100', env, now)
    expect(told[0]).toMatch(/older .* Chromium 150\.0\.7871\.100, offered 156\.0\.8078\.79 \(lists of \d{4}-\d\d-\d\d\)/)
    expect(told[1]).toBe(
      'To renew it: sudo apt-get update && sudo apt-get install --only-upgrade chromium chromium-common chromium-l10n',
    )
    expect(await describeAge('156.0.8078.79', env, now)).toEqual([])
    expect(await describeAge('157.0.1.0', env, now)).toEqual([])
    // Lists of last month tell nothing about today, unless they already offer a newer one.
    const later = new Date(now.getTime() + 30 * 86_400_000)
    expect((await describeAge('156.0.8078.79', env, later)).join()).toMatch(/is not known: its lists are of \d{4}/)
    expect((await describeAge('150.0.7871.100', env, later))[0]).toContain('offered 156.0.8078.79')
  })

  test('lists that were never read make it unknown, and that is said', async () => {
    const env = await arrange('156.0.8078.79-1', [])
    await rm(join(folder, 'lists'), { recursive: true })
    expect((await describeAge('156.0.8078.79', env, new Date())).join()).toContain('the package lists were never read')
    // One that fails, or that the machine does not have, was not asked.
    await program('apt-cache', 'exit 100')
    expect((await describeAge('156.0.8078.79', { ...env, PATH: playedPath() }, new Date())).join()).toContain('did not answer')
  })
})

describe('the browser that the tests run on besides', () => {
  const unpack = async (env: Record<string, string>) => {
    const kept = join(folder, 'kept')
    await mkdir(kept, { recursive: true })
    const { text } = await ask('offered-browser.mjs', `it.unpackOtherBrowser(${JSON.stringify(kept)}, console.log)`, env)
    return { text, other: JSON.parse(await readFile(join(kept, '.cache/other-chromium.json'), 'utf8')) as Record<string, string> }
  }

  test('is the oldest that the archive offers beside the installed one, unpacked once', async () => {
    const env = await arrange('156.0.8078.79-1', ['149.0.1.2-1', '150.0.7871.100-1', '156.0.8078.79-1', '99.0.1.1-1'])
    const first = await unpack(env)
    expect(first.other).toEqual({
      program: join(folder, 'kept/.cache/chromium/99.0.1.1/usr/lib/chromium/chromium'),
      version: '99.0.1.1',
    })
    expect((await run(first.other['program'] ?? '', ['--version'])).stdout).toBe('Chromium 99.0.1.1-1\n')
    expect(first.text).toContain('Unpacking Chromium 99.0.1.1')
    await rm(join(folder, 'archive'), { recursive: true })
    expect(await unpack(env)).toEqual({ text: '', other: first.other })
  })

  test('is none where the archive offers one version, and the reason is kept', async () => {
    const { other } = await unpack(await arrange('156.0.8078.79-1', ['156.0.8078.79-1']))
    expect(other).toEqual({ reason: 'the archive offers no version of Chromium besides 156.0.8078.79-1' })
  })
})
