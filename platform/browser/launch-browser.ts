import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, connect as connectSocket, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { browserFlags, browserPolicies, chromiumPath, relayPort } from './browser-flags.ts'
import { connectCdp, type CdpConnection } from './cdp-connection.ts'
import {
  asJailUser,
  checkIsolation,
  jailCommand,
  jailFiles,
  jailHome,
  jailSession,
  programInJail,
  type JailOptions,
} from './jail.ts'
import { killStrays, killTree } from './process-tree.ts'
import type { SessionFolder } from './session-folder.ts'
import { watchMemory } from './watch-memory.ts'

export type LaunchOptions = {
  /** Made by `createSessionFolder`; when it holds a socket `egress.sock`, that is the browser's only way out, else it has none. */
  readonly folder: SessionFolder
  /** Write TLS session keys to `tls-keys.log` in the folder. */
  readonly writeKeyLog: boolean
  /** BCP 47, `fr-FR`; and IANA, `Europe/Paris`. */
  readonly language: string
  readonly timeZone: string
  readonly window: { readonly width: number; readonly height: number }
  /** Memory of all the browser's processes together, in bytes. */
  readonly memoryBytes: number
  /** `override` also runs without namespaces, and says so; only on the operator's explicit word. */
  readonly isolation: 'required' | 'override'
  /** The browser's program, absolute; that of this process (`chromiumPath`) unless told. */
  readonly program?: string
  readonly signal: AbortSignal
}

/** `display_ended`: the X server of a headful browser ended, and the browser with it. */
export type EndReason = 'killed' | 'out_of_memory' | 'exited' | 'display_ended'

export type LaunchedBrowser = {
  readonly cdp: CdpConnection
  /** `Chromium 156.0.8078.79`, as the binary says of itself. */
  readonly product: string
  /** What pages see: the browser's own user agent without the word Headless. */
  readonly userAgent: string
  readonly flags: readonly string[]
  readonly policies: Readonly<Record<string, unknown>>
  /** What the profile's folder held before the browser started, one entry a line, and the SHA-256 of that list. */
  readonly profile: { readonly entries: readonly string[]; readonly sha256: string }
  readonly isolation: { readonly kind: 'namespaces' | 'override'; readonly tool: string | null; readonly reason: string | null }
  readonly keyLogFile: string | null
  readonly pid: number
  /** Settles when the browser's processes have ended, for whatever reason. */
  readonly ended: Promise<{
    readonly reason: EndReason
    readonly peakBytes: number
    readonly stderr: string
  }>
  peakBytes(): number
  /** How often its memory is looked at; every 250 ms unless told. One that only waits needs less. */
  watchMemoryEvery(intervalMs: number): void
  /** Why it ended or is ending; `exited` while it runs. */
  endReason(): EndReason
  /** Ends every process of the browser; nothing is left when it resolves. Idempotent. */
  kill(): Promise<void>
}

export class IsolationUnavailable extends Error {
  override readonly name = 'IsolationUnavailable'
}

/** The browser did not come up; `message` holds the end of what it printed. */
export class LaunchFailed extends Error {
  override readonly name = 'LaunchFailed'
}

const stderrKept = 16 * 1024

/** Relay for browsers without a network namespace: a port of loopback to the tunnel's socket. */
async function relayOnLoopback(socketPath: string): Promise<{ port: number; close(): void }> {
  const server = createServer((client) => {
    const tunnel = connectSocket(socketPath)
    client.pipe(tunnel).pipe(client)
    client.on('error', () => tunnel.destroy()).on('close', () => tunnel.destroy())
    tunnel.on('error', () => client.destroy()).on('close', () => client.destroy())
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

/** What differs between a browser without a screen and one with a display of its own. */
export type BrowserStage = {
  readonly headless: boolean
  readonly policies: Readonly<Record<string, unknown>>
  /** Beside `jailFiles`, or in their place. */
  readonly files: Readonly<Record<string, string>>
  readonly jail: Pick<JailOptions, 'shell' | 'readOnly' | 'environment'>
  /** Descriptors from 5 on that the first process inherits, each a socket to this process. */
  readonly pipes: number
  /** It cannot run without namespaces. */
  readonly needsJail: boolean
  /** Called at once with the process, before anything can be said by it. */
  started(child: ChildProcess): void
  /** After the end of the process: why it was, if the stage knows. */
  whyEnded(): Promise<EndReason | null>
}

const headless: BrowserStage = {
  headless: true,
  policies: browserPolicies,
  files: {},
  jail: {},
  pipes: 0,
  needsJail: false,
  started: () => undefined,
  whyEnded: () => Promise.resolve(null),
}

/**
 * Starts Chromium in its jail (design/security.md §1) and connects to it. One browser, one session, one folder.
 * @throws IsolationUnavailable, LaunchFailed; the signal's reason when aborted.
 */
export const launchBrowser = (options: LaunchOptions): Promise<LaunchedBrowser> => startBrowser(options, headless)

/** The same on a stage. @throws as `launchBrowser` */
export async function startBrowser(options: LaunchOptions, stage: BrowserStage): Promise<LaunchedBrowser> {
  options.signal.throwIfAborted()
  const chromium = options.program ?? chromiumPath
  // One after the other: a browser that does not tell its version must not leave the trial of the jail running behind its failure.
  const check = await checkIsolation()
  if (!check.available && (stage.needsJail || options.isolation !== 'override'))
    throw new IsolationUnavailable(check.reason ?? 'no namespaces')
  const { product, userAgent } = await readVersion(chromium)
  const jailed = check.available
  const { path: folder, uid } = options.folder
  await Promise.all(
    Object.entries({ ...jailFiles, ...stage.files, 'policies.json': JSON.stringify(stage.policies) }).map(([name, text]) =>
      writeFile(join(folder, name), text, { mode: 0o644 }),
    ),
  )
  const relay = jailed ? null : await relayOnLoopback(join(folder, 'egress.sock'))
  const home = jailed ? jailHome : join(folder, 'home')
  if (!jailed) {
    await mkdir(home, { mode: 0o700 })
    if (process.getuid?.() === 0) await chown(home, uid, uid)
    await writeFile(join(folder, 'profile-before.txt'), '')
  }
  const flags = browserFlags({
    headless: stage.headless,
    proxyPort: relay?.port ?? relayPort,
    profile: `${home}/profile`,
    keyLogFile: options.writeKeyLog ? `${jailed ? jailSession : folder}/tls-keys.log` : null,
    locale: options.language,
    window: options.window,
    userAgent,
    ownSandbox: jailed,
  })
  const inside = programInJail(chromium)
  const [program, ...args] = jailed
    ? jailCommand(
        {
          ...stage.jail,
          readOnly: [...(stage.jail.readOnly ?? []), ...inside.readOnly],
          sessionFolder: folder,
          timeZone: options.timeZone,
          language: options.language,
        },
        [inside.path, ...flags],
      )
    : asJailUser([chromium, ...flags])
  const child = spawn(program as string, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', ...Array.from({ length: stage.pipes }, () => 'pipe' as const)],
    ...(jailed
      ? {}
      : { env: { HOME: home, PATH: '/usr/bin:/bin', TZ: options.timeZone, LANG: 'C.UTF-8', LANGUAGE: options.language } }),
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrKept)
  })
  let reason: EndReason = 'exited'
  const pid = child.pid
  if (pid === undefined) {
    relay?.close()
    throw await new Promise<Error>((resolve) => void child.once('error', (error) => resolve(new LaunchFailed(error.message))))
  }
  stage.started(child)
  const cdp = connectCdp(child.stdio[3] as Writable, child.stdio[4] as Readable)
  const memory = watchMemory(pid, options.memoryBytes, () => {
    reason = 'out_of_memory'
    void killTree(pid)
  })
  const ended = new Promise<Awaited<LaunchedBrowser['ended']>>((resolve) => {
    child.once('exit', () => {
      memory.stop()
      relay?.close()
      options.signal.removeEventListener('abort', abort)
      cdp.close('the browser has ended')
      void (async () => {
        // What survives it is said by whoever counts processes; the end itself is not held up.
        await killStrays(folder).catch(() => undefined)
        const why = await stage.whyEnded()
        if (reason === 'exited' && why !== null) reason = why
        resolve({ reason, peakBytes: memory.peakBytes(), stderr })
      })()
    })
  })
  let killing: Promise<void> | undefined
  const kill = () => {
    killing ??= (async () => {
      if (child.exitCode === null && child.signalCode === null && reason === 'exited') reason = 'killed'
      await killTree(pid)
      await ended
    })()
    return killing
  }
  const abort = () => void kill()
  options.signal.addEventListener('abort', abort, { once: true })
  if (options.signal.aborted) abort()

  try {
    const version = await cdp.browser.send('Browser.getVersion', {}, { timeoutMs: 60_000 })
    const before = await readFile(join(folder, 'profile-before.txt'), 'utf8')
    return {
      cdp,
      product,
      userAgent: version.userAgent,
      flags,
      policies: stage.policies,
      profile: {
        entries: before.split('\n').filter((line) => line !== ''),
        sha256: createHash('sha256').update(before).digest('hex'),
      },
      isolation: { kind: jailed ? 'namespaces' : 'override', tool: check.tool, reason: check.reason },
      keyLogFile: options.writeKeyLog ? join(folder, 'tls-keys.log') : null,
      pid,
      ended,
      peakBytes: () => memory.peakBytes(),
      watchMemoryEvery: (intervalMs) => memory.every(intervalMs),
      endReason: () => reason,
      kill,
    }
  } catch (cause) {
    await kill()
    options.signal.throwIfAborted()
    throw new LaunchFailed(`the browser did not start: ${stderr.slice(-600)}`, { cause })
  }
}

type Version = { readonly product: string; readonly userAgent: string }
let known: { readonly file: string; readonly version: Promise<Version> } | null = null

/** Asked of each browser once: a file that was replaced is another one. */
async function readVersion(program: string): Promise<Version> {
  const { ino, size, mtimeMs, ctimeMs } = await stat(program).catch((error: Error) => {
    throw new LaunchFailed(`${program}: ${error.message}`)
  })
  const file = [program, ino, size, mtimeMs, ctimeMs].join(' ')
  if (known?.file === file) return await known.version
  const asked = { file, version: askVersion(program) }
  known = asked
  asked.version.catch(() => {
    if (known === asked) known = null
  })
  return await asked.version
}

/** Name and version of the installed browser, and the user agent that its desktop build sends (Chromium reduces it to the major version). */
async function askVersion(browser: string): Promise<Version> {
  const [program, ...args] = asJailUser([browser, '--version', '--no-sandbox'])
  const text = await new Promise<string>((resolve, reject) => {
    execFile(
      program as string,
      args,
      { timeout: 20_000, env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' } },
      (error, stdout) => (error ? reject(new LaunchFailed(`${browser} --version: ${error.message}`)) : resolve(stdout)),
    )
  })
  const [product, major] = /^Chromium (\d+)\.[\d.]+/.exec(text.trim()) ?? []
  if (product === undefined || major === undefined)
    throw new LaunchFailed(`the version of ${browser} cannot be read: ${text.slice(0, 100)}`)
  return {
    product,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
  }
}
