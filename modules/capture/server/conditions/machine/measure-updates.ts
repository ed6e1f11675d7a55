import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../../../../kernel/clock.ts'
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

/** What was measured; when it was asked says who keeps it. */
type Updates = Omit<UpdateFacts, 'asked_at'>

/**
 * What the package manager knows without asking anyone: when packages last changed, and which security updates of its lists wait.
 * Costs about a second of processor time; {@link createUpdateMemory} spares it while nothing changed. Never throws.
 */
export async function measureUpdates(signal: AbortSignal, folders: PackageFolders = systemPackages): Promise<Updates> {
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
async function readUpdateDates(folders: PackageFolders): Promise<Updates> {
  const [patched_at, upgraded_at, lists_at] = await Promise.all([
    modified(folders.status),
    lastUpgrade(folders.log),
    listsDate(folders.lists),
  ])
  return { patched_at, upgraded_at, lists_at, pending_security: null, pending_other: null, browser_offered: null }
}

/** What was answered, and of which lists and records: with others it is worth nothing. */
type Answer = { readonly key: string; readonly asked_at: string; readonly facts: Updates }
const answerSchema: z.ZodType<Answer> = z.strictObject({
  key: z.string().max(200),
  asked_at: z.iso.datetime(),
  facts: z.strictObject({
    patched_at: z.iso.datetime().nullable(),
    upgraded_at: z.iso.datetime().nullable(),
    lists_at: z.iso.datetime().nullable(),
    pending_security: z.array(z.string().max(200)).max(10_000).nullable(),
    pending_other: z.int().nonnegative().nullable(),
    browser_offered: z.string().max(200).nullable(),
  }),
})

/** What a lists' date does not tell, a pin or a source that was added say, is seen after this long. */
const answerHoldsMs = 3_600_000

/** @param folder `<data>/servers`: they are of one machine, and have one package manager */
const answerFile = (folder: string): string => join(folder, 'updates.json')

async function readAnswer(folder: string): Promise<Answer | null> {
  try {
    return answerSchema.parse(JSON.parse(await readFile(answerFile(folder), 'utf8')))
  } catch {
    return null
  }
}

async function keepAnswer(folder: string, answer: Answer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${answerFile(folder)}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${JSON.stringify(answer, null, 1)}\n`, { mode: 0o600 })
  await rename(draft, answerFile(folder))
}

/** Where an answer outlives the process that asked: the folder of the installation's servers. */
export type KeptAnswer = { readonly folder: string; readonly clock: Clock }

/**
 * Measures again whenever a list or the record of installed packages changed, and each hour; who asks meanwhile waits for the same
 * measurement, and gets the dates alone when its signal is aborted first. With a folder, a process that starts goes on with the answer of the
 * one before it.
 */
export function createUpdateMemory(
  kept: KeptAnswer | null = null,
  folders: PackageFolders = systemPackages,
): (signal: AbortSignal) => Promise<UpdateFacts> {
  let known: { readonly key: string; askedAt: string; readonly facts: Promise<UpdateFacts> } | null = null
  const now = () => kept?.clock.now() ?? new Date()
  const holds = (askedAt: string) => {
    const ageMs = now().getTime() - Date.parse(askedAt)
    return ageMs >= 0 && ageMs < answerHoldsMs
  }
  const ask = (key: string) => {
    const asking = { key, askedAt: now().toISOString(), facts: answer() }
    return asking
    async function answer(): Promise<UpdateFacts> {
      const before = kept === null ? null : await readAnswer(kept.folder)
      if (before?.key === key && holds(before.asked_at)) {
        asking.askedAt = before.asked_at
        return { ...before.facts, asked_at: before.asked_at }
      }
      // Not ended with one session: the next ones want it too. Its own bound is half a minute.
      const facts = await measureUpdates(new AbortController().signal, folders)
      // Where it cannot be kept, the next process asks itself.
      if (kept !== null && facts.pending_security !== null)
        await keepAnswer(kept.folder, { key, asked_at: asking.askedAt, facts }).catch(() => null)
      return { ...facts, asked_at: facts.pending_security === null ? null : asking.askedAt }
    }
  }
  return async (signal) => {
    const key = JSON.stringify(await Promise.all([modified(folders.status), listsDate(folders.lists)]))
    if (known?.key !== key || !holds(known.askedAt)) known = ask(key)
    const measuring = known
    const facts = await Promise.race([measuring.facts, aborted(signal)])
    if (facts === null) return { ...(await readUpdateDates(folders)), asked_at: null }
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
