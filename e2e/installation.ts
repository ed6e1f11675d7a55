/** A whole installation for tests: `apps/server/supervise.ts` with its own data folder and port, and its process tree. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bequeathSilence, inheritSilence } from '../testing/kept-silence.ts'

export type Installation = {
  readonly origin: string
  readonly dataFolder: string
  /** Process ids of the supervisor's descendants whose command line matches. */
  processes(pattern: RegExp): number[]
  /** Everything printed so far. */
  output(): string
  /** Kills the supervisor with SIGKILL and starts a new one over the same data. */
  crashAndRestart(): Promise<void>
  /** Stops as Ctrl-C does; resolves with the exit code. */
  stop(): Promise<number | null>
  /** After `stop`. */
  removeData(): void
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port'))
        else resolve(address.port)
      })
    })
  })
}

/** Captures of tests ask nobody on the Internet. */
const nobodyOutside = {
  PROBANT_NTP_SERVERS: 'none',
  PROBANT_STUN_SERVERS: 'none',
  PROBANT_RDAP_BOOTSTRAP: 'none',
  PROBANT_WHOIS_SERVER: 'none',
  PROBANT_OTS_CALENDARS: 'none',
  PROBANT_ESPLORA: 'none',
}

/** Where the machine is busy with other tests, a session waits for no other reason than its own; and no test pays for a browser on a display that it does not use. */
const sessionsForTests = { PROBANT_INTERACTIVE_MAX_LOAD: '1000', PROBANT_WARM_SESSIONS: '0' }

/** One account makes what all the tests need, of one host; that it may not is a test of its own. */
const quotasForTests = { PROBANT_DRAFTS_PER_ACCOUNT: '0', PROBANT_TARGET_AT_ONCE: '0', PROBANT_TARGET_PER_MINUTE: '0' }

type Process = { readonly pid: number; readonly parent: number; readonly command: string }

function allProcesses(): Process[] {
  const found: Process[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      // A zombie has ended; only its parent has not asked yet.
      if (fields[0] === 'Z') continue
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      found.push({ pid: Number(name), parent: Number(fields[1]), command })
    } catch {
      // It ended while we looked.
    }
  }
  return found
}

export function descendantsOf(root: number): Process[] {
  const processes = allProcesses()
  const inside = new Set([root])
  for (let grown = true; grown;) {
    grown = false
    for (const process of processes) {
      if (inside.has(process.parent) && !inside.has(process.pid)) {
        inside.add(process.pid)
        grown = true
      }
    }
  }
  return processes.filter((process) => inside.has(process.pid) && process.pid !== root)
}

/** @param environment settings, which may name the address that it is given */
export async function startInstallation(
  environment: Readonly<Record<string, string>> | ((origin: string) => Readonly<Record<string, string>>),
): Promise<Installation> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'probant-e2e-'))
  inheritSilence(dataFolder)
  const port = await freePort()
  const origin = `http://127.0.0.1:${String(port)}`
  let printed = ''
  let supervisor: ChildProcess

  async function start(): Promise<void> {
    // It ends with the process that runs the tests, however that ends.
    supervisor = spawn('setpriv', ['--pdeathsig', 'TERM', process.execPath, 'apps/server/supervise.ts'], {
      env: {
        ...process.env,
        PROBANT_DATA: dataFolder,
        PORT: String(port),
        PROBANT_HOST: '127.0.0.1',
        ...nobodyOutside,
        ...sessionsForTests,
        ...quotasForTests,
        ...(typeof environment === 'function' ? environment(origin) : environment),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const started = supervisor
    await new Promise<void>((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        printed += chunk.toString()
        if (/Probant is ready at/.test(printed)) resolve()
      }
      started.stdout?.on('data', hear)
      started.stderr?.on('data', hear)
      started.once('exit', (code) => reject(new Error(`the supervisor ended with ${String(code)}:\n${printed}`)))
      started.once('error', reject)
    })
  }

  await start()
  return {
    origin,
    dataFolder,
    processes(pattern) {
      return descendantsOf(supervisor.pid ?? 0)
        .filter((process) => pattern.test(process.command))
        .map((process) => process.pid)
    },
    output: () => printed,
    async crashAndRestart() {
      const ended = new Promise((resolve) => supervisor.once('exit', resolve))
      supervisor.kill('SIGKILL')
      await ended
      printed = ''
      await start()
    },
    async stop() {
      if (supervisor.exitCode !== null) return supervisor.exitCode
      const ended = new Promise<number | null>((resolve) => supervisor.once('exit', resolve))
      supervisor.kill('SIGINT')
      return await ended
    },
    removeData() {
      bequeathSilence(dataFolder)
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
