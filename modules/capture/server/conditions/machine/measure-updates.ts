import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { UpdateFacts } from '../../../domain/conditions/machine-facts.ts'

/** Where the package manager keeps what it knows. */
export type PackageFolders = {
  readonly lists: string
  readonly status: string
  readonly log: string
  /** Further settings of apt (apt.conf(5)). */
  readonly settings?: readonly string[]
}
export const systemPackages: PackageFolders = {
  lists: '/var/lib/apt/lists',
  status: '/var/lib/dpkg/status',
  log: '/var/log/apt/history.log',
}

const modified = (path: string): Promise<string | null> =>
  stat(path).then(
    ({ mtime }) => mtime.toISOString(),
    () => null,
  )

/** When the lists of what there is to install were last fetched: the newest signed list. Null where there are none. */
async function listsDate(folder: string): Promise<string | null> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /_(?:In)?Release$/.test(name))
  const dates = await Promise.all(names.map((name) => modified(join(folder, name))))
  return (
    dates
      .filter((date) => date !== null)
      .toSorted()
      .at(-1) ?? null
  )
}

/** End of the last run that upgraded packages; null where the log does not tell (rotated, or never). */
async function lastUpgrade(log: string): Promise<string | null> {
  const text = await readFile(log, 'utf8').catch(() => '')
  const runs = text
    .slice(-256 * 1024)
    .split(/\n\n+/)
    .filter((run) => /^Upgrade:/m.test(run))
  const [, day, time] = /^End-Date: (\d{4}-\d\d-\d\d)\s+(\d\d:\d\d:\d\d)/m.exec(runs.at(-1) ?? '') ?? []
  // apt writes local time without a zone.
  const date = day === undefined ? Number.NaN : new Date(`${day}T${time}`).getTime()
  return Number.isNaN(date) ? null : new Date(date).toISOString()
}

/** Lines `Inst name [old] (new Origin:version/suite-security [arch])` of a simulated upgrade: what it would install. */
export function readSimulation(output: string): readonly { readonly name: string; readonly security: boolean }[] {
  return output.split('\n').flatMap((line) => {
    const match = /^Inst (\S+)(?: \[[^\]]*\])? \(([^)]*)\)/.exec(line)
    // Debian's own mark: the suite of its security archive ends so, and its label says so.
    return match === null ? [] : [{ name: match[1] ?? '', security: /-security\b|Debian-Security/i.test(match[2] ?? '') }]
  })
}

function askPackageManager(
  program: 'apt-get' | 'apt-cache',
  args: readonly string[],
  folders: PackageFolders,
  signal: AbortSignal,
): Promise<string | null> {
  const at = (name: string, value: string) => ['-o', `${name}=${value}`]
  return new Promise((resolve) => {
    execFile(
      'nice',
      [
        '-n',
        '15',
        program,
        ...at('Debug::NoLocking', 'true'),
        // Nothing is written: neither lists nor caches, whoever we are.
        ...at('Dir::Cache::pkgcache', ''),
        ...at('Dir::Cache::srcpkgcache', ''),
        ...at('Dir::State::lists', folders.lists),
        ...at('Dir::State::status', folders.status),
        ...(folders.settings ?? []).flatMap((one) => ['-o', one]),
        ...args,
      ],
      {
        timeout: 30_000,
        killSignal: 'SIGKILL',
        maxBuffer: 4 * 1024 * 1024,
        signal,
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
      },
      (error, stdout) => resolve(error === null ? stdout : null),
    )
  })
}

/**
 * What the package manager knows without asking anyone: when packages last changed, and which security updates of its lists wait.
 * Costs about a second of processor time; {@link createUpdateMemory} spares it while nothing changed. Never throws.
 */
export async function measureUpdates(signal: AbortSignal, folders: PackageFolders = systemPackages): Promise<UpdateFacts> {
  const dates = await readUpdateDates(folders)
  const [output, policy] =
    dates.lists_at === null
      ? [null, null]
      : await Promise.all([
          askPackageManager('apt-get', ['--simulate', '-qq', 'dist-upgrade'], folders, signal),
          askPackageManager('apt-cache', ['policy', 'chromium'], folders, signal),
        ])
  const pending = output === null ? null : readSimulation(output)
  return {
    ...dates,
    pending_security: pending?.filter(({ security }) => security).map(({ name }) => name) ?? null,
    pending_other: pending?.filter(({ security }) => !security).length ?? null,
    browser_offered: /^ +Candidate: (\d\S*)$/m.exec(policy ?? '')?.[1] ?? null,
  }
}

/** The part that costs nothing: what waits is not looked for. */
async function readUpdateDates(folders: PackageFolders): Promise<UpdateFacts> {
  const [patched_at, upgraded_at, lists_at] = await Promise.all([
    modified(folders.status),
    lastUpgrade(folders.log),
    listsDate(folders.lists),
  ])
  return { patched_at, upgraded_at, lists_at, pending_security: null, pending_other: null, browser_offered: null }
}

/**
 * Measures again whenever a list or the record of installed packages changed; who asks meanwhile waits for the same measurement,
 * and gets the dates alone when its signal is aborted first.
 */
export function createUpdateMemory(folders: PackageFolders = systemPackages): (signal: AbortSignal) => Promise<UpdateFacts> {
  let known: { readonly key: string; readonly facts: Promise<UpdateFacts> } | null = null
  return async (signal) => {
    const key = JSON.stringify(await Promise.all([modified(folders.status), listsDate(folders.lists)]))
    // Not ended with one session: the next ones want it too. Its own bound is half a minute.
    if (known?.key !== key) known = { key, facts: measureUpdates(new AbortController().signal, folders) }
    const measuring = known
    const facts = await Promise.race([measuring.facts, aborted(signal)])
    if (facts === null) return await readUpdateDates(folders)
    if (facts.lists_at !== null && facts.pending_security === null && known === measuring) known = null
    return facts
  }
}

/** Null once the signal is. */
function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}
