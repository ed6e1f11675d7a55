// Which versions of the browser the package manager offers, by the lists that it has on disk: nobody is asked over a network but for a
// download. Plain JavaScript without dependencies, as set-up runs before anything is installed.
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const english = { ...process.env, LC_ALL: 'C' }
const packages = ['chromium', 'chromium-common', 'chromium-l10n']
const program = 'usr/lib/chromium/chromium'
/** Lists say nothing about today when they are older. As the report's own point on updates. Milliseconds. */
const listsAge = 14 * 86_400_000

/** `1:156.0.8078.79-1~deb12u1` is version 156.0.8078.79 of the browser (deb-version(7)). */
const upstream = (version) => version.replace(/^\d+:/, '').replace(/-[^-]*$/, '')
const parts = (version) => upstream(version).split('.').map(Number)

/** Negative when `a` is older. Both are versions of a browser or of a package of it. */
export function compareVersions(a, b) {
  const [left, right] = [parts(a), parts(b)]
  const at = left.findIndex((part, i) => part !== right[i])
  return at === -1 ? left.length - right.length : left[at] - (right[at] ?? 0)
}

/** When the lists were last fetched; null: never, or by no package manager that we know. */
function listsDate(folder) {
  if (!existsSync(folder)) return null
  const dates = readdirSync(folder).flatMap((name) => (/_(?:In)?Release$/.test(name) ? [statSync(join(folder, name)).mtime] : []))
  return dates.length === 0 ? null : new Date(Math.max(...dates.map(Number)))
}

/**
 * What is worth saying of the browser at a start, as lines for whoever started it; empty when it is the newest that is offered.
 * @param {{browser: string, lists?: string, now?: Date}} about the browser's program; the folder of the lists
 * @returns {Promise<string[]>}
 */
export async function describeBrowserAge({ browser, lists = '/var/lib/apt/lists', now = new Date() }) {
  const run = async (command, args) =>
    await promisify(execFile)(command, args, { env: english, timeout: 20_000 }).then(
      ({ stdout }) => stdout,
      () => null,
    )
  const [policy, told] = await Promise.all([
    run('apt-cache', ['policy', 'chromium']),
    run(browser, ['--version', '--no-sandbox']),
  ])
  const candidate = /^\s+Candidate: (\d\S*)$/m.exec(policy ?? '')?.[1]
  const version = /^Chromium (\d[\d.]*)/.exec(told ?? '')?.[1]
  const renew = `sudo apt-get update && sudo apt-get install --only-upgrade ${packages.join(' ')}`
  const read = listsDate(lists)
  const day = read?.toISOString().slice(0, 10)
  if (version === undefined) return []
  if (candidate !== undefined && compareVersions(version, candidate) < 0)
    return [
      `The browser is older than what the package manager offers: Chromium ${version}, offered ${upstream(candidate)} (lists of ${day ?? 'an unknown day'}).`,
      `To renew it: ${renew}`,
    ]
  if (candidate !== undefined && read !== null && now - read <= listsAge) return []
  const why =
    policy === null
      ? 'the package manager did not answer'
      : read === null
        ? 'the package lists were never read'
        : candidate === undefined
          ? 'its lists name none'
          : `its lists are of ${day}`
  return [`Whether the package manager offers a newer browser than Chromium ${version} is not known: ${why}. To ask: ${renew}`]
}

/**
 * Downloads packages and lays their files into a folder: nothing is installed, nothing of theirs starts.
 * @param {string[]} names as `apt-get download` takes them
 * @param {string} folder that everybody may write to: who downloads is a user of the package manager's own
 * @returns {'downloaded' | 'unpacked' | null} what could not be done
 */
export function unpackPackages(names, folder) {
  if (spawnSync('apt-get', ['download', '-qq', ...names], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
    return 'downloaded'
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    if (spawnSync('dpkg-deb', ['-x', file, '.'], { cwd: folder, stdio: 'inherit' }).status !== 0) return 'unpacked'
    rmSync(join(folder, file))
  }
  return null
}

/**
 * The oldest version that the archive offers beside the installed one, for the tests: unpacked once, never installed. What became of it
 * stands in `.cache/other-chromium.json`: `{program, version}`, or `{reason}` when there is none.
 * @param {string} root the project's folder
 * @param {(text: string) => void} say
 */
export function unpackOtherBrowser(root, say) {
  const folder = otherBrowserFolder(root)
  const conclude = (found) => {
    mkdirSync(join(root, '.cache'), { recursive: true })
    writeFileSync(join(root, '.cache', 'other-chromium.json'), `${JSON.stringify(found)}\n`)
  }
  const ask = (command, args) => spawnSync(command, args, { encoding: 'utf8', env: english, timeout: 20_000 }).stdout ?? ''
  const installed = /^\s+Installed: (\d\S*)$/m.exec(ask('apt-cache', ['policy', 'chromium']))?.[1]
  const offered = ask('apt-cache', ['madison', 'chromium'])
    .split('\n')
    .map((line) => line.split('|')[1]?.trim() ?? '')
    .filter((version) => /^\d/.test(version) && (installed === undefined || compareVersions(version, installed) !== 0))
    .sort(compareVersions)
  const version = offered[0]
  if (version === undefined)
    return conclude({ reason: `the archive offers no version of Chromium besides ${installed ?? 'that which is installed'}` })
  const place = join(folder, upstream(version))
  if (!existsSync(join(place, program))) {
    say(`Unpacking Chromium ${upstream(version)} beside the installed one, for the tests (110 MB, once)…`)
    const draft = `${place}.${process.pid}`
    mkdirSync(draft, { recursive: true })
    // Who downloads is a user of the package manager's own.
    chmodSync(draft, 0o777)
    const failed = (what) => {
      rmSync(draft, { recursive: true, force: true })
      conclude({ reason: `Chromium ${upstream(version)} could not be ${what}` })
    }
    const names = packages.map((name) => `${name}=${version}`)
    const fault = unpackPackages(names, draft)
    if (fault !== null) return failed(fault)
    if (!existsSync(join(draft, program))) return failed('found in its packages')
    chmodSync(draft, 0o755)
    // One that was unpacked before is another version by now.
    for (const name of readdirSync(folder))
      if (join(folder, name) !== draft) rmSync(join(folder, name), { recursive: true, force: true })
    renameSync(draft, place)
  }
  conclude({ program: join(place, program), version: upstream(version) })
}

/**
 * Where the other browser is kept: with the project, unless its folder is closed to others, as browsers run as a user of their own when we are root.
 * @param {string} root
 */
function otherBrowserFolder(root) {
  const isOpen = (folder) => (statSync(folder).mode & 0o001) !== 0 && (folder === dirname(folder) || isOpen(dirname(folder)))
  return process.getuid?.() !== 0 || isOpen(root) ? join(root, '.cache', 'chromium') : '/var/cache/probant/chromium'
}
