import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { release } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromiumPath } from '../../../../platform/browser/browser-flags.ts'
import { asJailUser, checkIsolation } from '../../../../platform/browser/jail.ts'
import { packageSoftware } from '../../../../platform/config/software.ts'
import type { ImageMeasurement } from '../../domain/servers/image-files.ts'
import type { PreflightMeasurement, ServerItems } from '../../domain/servers/preflight.ts'
import { createFileHashes, type FileHashes } from './hash-files.ts'
import { createImageMeasurement } from './measure-image.ts'

const run = promisify(execFile)

export type ServerProbes = {
  /** Seconds that our clock is ahead of the time servers; null when none answered. */
  readonly measureClockOffset: () => Promise<number | null>
  /** Address that sites see, and its network; null when nobody could be asked. */
  readonly measurePublicAddress: () => Promise<{
    readonly address: string
    readonly asn: number | null
    readonly network: string | null
  } | null>
}

export type ServerSources = {
  readonly browser: string
  readonly resolvConf: string
  readonly osRelease: string
  readonly machineId: string
  readonly packageStatus: string
  /** Files of the system that may name a proxy (pam_env(8)). */
  readonly systemEnvironment: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export const systemSources: ServerSources = {
  browser: chromiumPath,
  resolvConf: '/etc/resolv.conf',
  osRelease: '/etc/os-release',
  machineId: '/etc/machine-id',
  packageStatus: '/var/lib/dpkg/status',
  systemEnvironment: '/etc/environment',
  environment: process.env,
}

export type ServerMeasurement = PreflightMeasurement & {
  readonly measured_at: string
  /** When the slow parts were measured; they are not repeated for each session. */
  readonly clock_measured_at: string | null
  readonly public_address_measured_at: string | null
  readonly isolation_measured_at: string
  readonly network: { readonly asn: number | null; readonly name: string | null } | null
}

export type MeasureServer = (options?: { readonly fresh?: boolean }) => Promise<ServerMeasurement>

/** A slow probe that does not come back counts as not measured. */
const probeTimeoutMs = 4_000

const read = async (path: string) => (await readFile(path, 'utf8').catch(() => null))?.trim() || null
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Measures this machine. The first call reads the browser's files whole; later ones look whether anything changed, which takes
 * milliseconds. `fresh` asks the slow probes again.
 */
export function createServerMeasurement(options: {
  readonly probes: ServerProbes
  readonly isolationOverride: boolean
  /** Digest of the image, as the operator states it. */
  readonly imageDigest?: string | null
  /** Of the image that this process runs from. */
  readonly measureImage?: () => Promise<ImageMeasurement | null>
  readonly sources?: ServerSources
  readonly files?: FileHashes
  /** Milliseconds; the wall clock, and one that nobody can move. */
  readonly wallClock?: () => number
  readonly monotonicClock?: () => number
}): MeasureServer {
  const sources = options.sources ?? systemSources
  const files = options.files ?? createFileHashes()
  const wallClock = options.wallClock ?? Date.now
  const monotonicClock = options.monotonicClock ?? readUptime
  const isoNow = () => new Date(wallClock()).toISOString()
  const program = once(() => files.hash(programFolder, { accept: isProgramFile }))
  const version = keyed(readBrowserVersion)
  const packages = keyed(readPackages)
  let clock: { readonly offset: number | null; readonly drift: number; readonly at: string } | null = null

  const slowClock = kept(async () => {
    const offset = await bounded(options.probes.measureClockOffset())
    // Where nobody tells the time, the clock as it stood at the start is all there is to compare with.
    const drift = offset === null && clock !== null ? clock.drift : wallClock() - monotonicClock()
    clock = { offset, drift, at: isoNow() }
    return clock
  })
  const slowAddress = kept(async () => ({ found: await bounded(options.probes.measurePublicAddress()), at: isoNow() }))
  const slowImage = kept(
    options.measureImage ?? createImageMeasurement({ digestAsStated: options.imageDigest ?? null, now: isoNow }),
  )
  const slowIsolation = kept(async () => ({ available: (await checkIsolation()).available, at: isoNow() }))

  return async ({ fresh = false } = {}) => {
    // How far the wall clock was moved since it was compared: then the comparison no longer holds, and is made again.
    const step = clock === null ? null : (wallClock() - monotonicClock() - clock.drift) / 1000
    const stepped = step !== null && Math.abs(step) > 0.5
    const [
      browserTree,
      programTree,
      address,
      isolation,
      container,
      time,
      osRelease,
      resolvConf,
      machineId,
      statusKey,
      systemText,
    ] = await Promise.all([
      files.hash(dirname(sources.browser)),
      program(),
      slowAddress(fresh),
      slowIsolation(fresh).then(async (tried) => (tried.available ? tried : await slowIsolation(true))),
      slowImage(fresh),
      slowClock(fresh || stepped),
      read(sources.osRelease),
      read(sources.resolvConf),
      read(sources.machineId),
      stat(sources.packageStatus, { bigint: true }).then(
        ({ ino, mtimeNs, ctimeNs }) => `${String(ino)}:${String(mtimeNs)}:${String(ctimeNs)}`,
        () => null,
      ),
      read(sources.systemEnvironment),
    ])
    const image = {
      software: packageSoftware,
      program_sha256: programTree?.sha256 ?? sha256(''),
      node: process.version.slice(1),
      operating_system: `${/^PRETTY_NAME="?(.*?)"?$/m.exec(osRelease ?? '')?.[1] ?? process.platform}, ${release()}`,
      browser: browserTree === null ? null : await version(`${sources.browser} ${browserTree.sha256}`, sources.browser),
      browser_sha256: browserTree?.sha256 ?? null,
      packages: statusKey === null ? null : await packages(statusKey, ''),
    }
    const items: ServerItems = {
      ...image,
      machine_sha256: machineId === null ? null : sha256(machineId),
      image_digest: sha256(JSON.stringify(image)),
      dns_servers: nameServers(resolvConf),
      proxy: proxies(sources.environment, systemText),
      public_address: address.found?.address ?? null,
      isolation: isolation.available ? 'namespaces' : options.isolationOverride ? 'override' : 'unavailable',
      ...(container === null ? {} : { image_files_sha256: container.files_sha256 }),
    }
    const { found } = address
    return {
      items,
      clock_offset: time.offset,
      // Where a time server answered, its answer after the step decides; without one, the step is all we know.
      clock_step: time.offset === null ? step : null,
      image: container,
      measured_at: isoNow(),
      clock_measured_at: time.offset === null ? null : time.at,
      public_address_measured_at: found === null ? null : address.at,
      isolation_measured_at: isolation.at,
      network: found === null || (found.asn ?? found.network) === null ? null : { asn: found.asn, name: found.network },
    }
  }
}

const programFolder = fileURLToPath(new URL('../../../../', import.meta.url))
/** What a capture runs: our sources, or what they were compiled into, their texts and the exact versions of the libraries. */
const programPlaces = ['apps', 'compiled', 'kernel', 'modules', 'platform', 'package.json', 'package-lock.json']
function isProgramFile(path: string): boolean {
  if (!path.includes('/')) return programPlaces.includes(path)
  return !path.slice(path.lastIndexOf('/') + 1).includes('.') || (/\.(?:ts|m?js|json|csv)$/.test(path) && !/\.test\./.test(path))
}

/** resolv.conf(5): `nameserver` lines, in order. */
function nameServers(text: string | null): string | null {
  if (text === null) return null
  const servers = [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].map(([, server]) => server ?? '')
  return servers.length === 0 ? null : servers.slice(0, 16).join(', ')
}

const proxyVariable = /^(?:https?|all|ftp|socks)_proxy$/i

/** Names and, without user and password, values of every proxy variable that applies to our process or to the system. */
function proxies(environment: Readonly<Record<string, string | undefined>>, systemText: string | null): string {
  const system = [...(systemText ?? '').matchAll(/^\s*(?:export\s+)?([A-Za-z_]+)\s*=\s*"?([^"\n]*)"?\s*$/gm)]
  const found = new Map<string, string>()
  for (const [, name = '', value = ''] of system) if (proxyVariable.test(name) && value !== '') found.set(name, value)
  for (const [name, value = ''] of Object.entries(environment))
    if (proxyVariable.test(name) && value !== '') found.set(name, value)
  if (found.size === 0) return 'none'
  const shown = [...found].map(([name, value]) => `${name}=${value.replace(/\/\/[^/@]*@/, '//').slice(0, 200)}`)
  return shown.toSorted().join(', ')
}

async function readBrowserVersion(browser: string): Promise<string | null> {
  const [program, ...args] = asJailUser([browser, '--version', '--no-sandbox'])
  const environment = { PATH: '/usr/bin:/bin', HOME: '/nonexistent' }
  const text = await run(program as string, args, { timeout: 20_000, env: environment }).then(
    ({ stdout }) => stdout,
    () => '',
  )
  return /^Chromium \d+\.[\d.]+/.exec(text.trim())?.[0] ?? null
}

/** The browser, its jail, what draws its letters, and what shows and records a live session. */
async function readPackages(): Promise<string | null> {
  const drawing = [
    'chromium',
    'chromium-common',
    'chromium-l10n',
    'bubblewrap',
    'socat',
    'fontconfig',
    'fontconfig-config',
    'fonts-*',
  ]
  const patterns = [...drawing, 'xvfb', 'pulseaudio', 'ffmpeg', 'xdotool', 'xclip']
  const { stdout } = await run('dpkg-query', ['-W', '-f', '${db:Status-Abbrev}|${Package} ${Version}\n', ...patterns], {
    timeout: 10_000,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  const installed = stdout.split('\n').flatMap((line) => (line.startsWith('ii ') ? [line.slice(line.indexOf('|') + 1)] : []))
  return installed.length === 0 ? null : installed.toSorted().join(', ')
}

/** A probe that fails, or does not answer in time, measured nothing. */
async function bounded<T>(probe: Promise<T | null>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), probeTimeoutMs)
  })
  try {
    return await Promise.race([probe.catch(() => null), late])
  } finally {
    clearTimeout(timer)
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** The value made for the last key. */
function keyed<T>(make: (argument: string) => Promise<T>): (key: string, argument: string) => Promise<T> {
  let last: { readonly key: string; readonly value: Promise<T> } | undefined
  return (key, argument) => {
    if (last?.key !== key) last = { key, value: make(argument) }
    return last.value
  }
}

/** The value made last; made anew when it is wanted fresh, once for all that want it at the same time. */
function kept<T>(make: () => Promise<T>): (fresh: boolean) => Promise<T> {
  let last: Promise<T> | undefined
  let making: Promise<T> | undefined
  return (fresh) => {
    if (last !== undefined && !fresh) return last
    making ??= make().finally(() => {
      making = undefined
    })
    last = making
    return last
  }
}

/** Milliseconds since the machine started, sleep included (proc(5)): a laptop that woke up did not move its clock. */
function readUptime(): number {
  return Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 1000
}
