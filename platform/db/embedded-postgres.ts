import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '../log/log.ts'
import { embeddedPostgresFolder } from './embedded-binaries.ts'
import { choosePostgresAccount, type PostgresAccount } from './postgres-account.ts'
import { endOrphans, signalQuietly } from './postgres-processes.ts'

export type EmbeddedPostgres = {
  /** Address of database `probant` over a Unix socket; the same at every start with the same folder. */
  readonly url: string
  /** Resolves when the postmaster ends, by `stop` or otherwise. */
  readonly exited: Promise<void>
  /** Fast shutdown: open transactions are rolled back, what was committed is on disk. */
  stop(): Promise<void>
}

/** sockaddr_un holds 108 bytes with the final zero (unix(7)). */
const longestSocketPath = 107
const startTimeoutMs = 300_000
const user = 'probant'

/**
 * Starts PostgreSQL 18 on `dataDir`, made on first use. Unix socket only, in a folder that its owner alone may enter.
 * Processes left by a launcher that was killed are ended first; data survives any kill.
 * @throws Error when another live process holds the folder, or the server does not come up
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Log
  /** Server settings beyond ours. */
  settings?: Readonly<Record<string, string>>
}): Promise<EmbeddedPostgres> {
  const { log } = options
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const dataDir = realpathSync(options.dataDir)
  const claim = await claimFolder(dataDir)
  try {
    const binFolder = join(embeddedPostgresFolder(), 'bin')
    const cluster = join(dataDir, 'cluster')
    await endOrphans(cluster, log)
    const account = choosePostgresAccount(binFolder, dataDir)
    if (!existsSync(cluster)) await initialise(binFolder, dataDir, cluster, account, log)
    const socketFolder = prepareSocketFolder(dataDir, account)
    const settings = {
      listen_addresses: '',
      unix_socket_directories: socketFolder,
      unix_socket_permissions: '0700',
      max_connections: '200',
      log_min_messages: 'warning',
      jit: 'off',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...options.settings,
    }
    const args = ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const server = run(account, join(binFolder, 'postgres'), args, logLine(log))
    const exited = server.ended.then(() => {
      if (!socketFolder.startsWith(dataDir)) rmSync(socketFolder, { recursive: true, force: true })
      claim.close()
    })
    const url = (database: string) => urlOf(database, socketFolder)
    const stop = async () => {
      // The postmaster is the process we started: setpriv and unshare replace themselves by it.
      if (server.process.pid !== undefined && server.process.exitCode === null && server.process.signalCode === null) {
        signalQuietly(server.process.pid, 'SIGINT')
      }
      await exited
    }
    try {
      await waitUntilReady(url('postgres'), server)
      await ensureDatabase(url('postgres'))
    } catch (error) {
      await stop()
      throw error
    }
    return { url: url(user), exited: exited.then(() => undefined), stop }
  } catch (error) {
    claim.close()
    throw error
  }
}

/**
 * The exclusive claim is an abstract Unix socket: the kernel frees it at the very moment its holder dies, so it is never
 * stale, as a lock file can be.
 */
async function claimFolder(folder: string): Promise<Server> {
  const { dev, ino } = statSync(folder)
  const name = createHash('sha256').update(`${dev}:${ino}:${folder}`).digest('hex').slice(0, 32)
  const server = createServer((socket) => socket.destroy())
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) => {
    const held = 'code' in error && error.code === 'EADDRINUSE'
    reject(held ? new Error(`the data in ${folder} is in use by another running process`) : error)
  })
  server.listen(`\0probant-postgres-${name}`, resolve)
  await promise
  server.unref()
  return server
}

type Running = { readonly process: ReturnType<typeof spawn>; readonly ended: Promise<number | null>; tail(): string }

function run(account: PostgresAccount, program: string, args: readonly string[], onLine?: (line: string) => void): Running {
  const [command = program, ...rest] = [...account.prefix, program, ...args]
  // A group of its own: the terminal's Ctrl-C reaches the launcher only, which stops the roles before their database.
  const child = spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    detached: true,
  })
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  const last: string[] = []
  const lines = createInterface({ input: child.stderr })
  lines.on('line', (line) => {
    last.push(line)
    if (last.length > 20) last.shift()
    onLine?.(line)
  })
  child.once('error', (error) => {
    last.push(error.message)
    resolve(null)
  })
  child.once('close', (code) => resolve(code))
  return { process: child, ended, tail: () => last.join('\n') }
}

function logLine(log: Log): (line: string) => void {
  return (line) => {
    // The error of a statement is its client's to report; being asked too early is our own doing.
    const grave = /\b(?:WARNING|FATAL|PANIC):/.test(line) && !/the database system is (?:starting up|shutting down)/.test(line)
    log[grave ? 'warn' : 'debug'](`PostgreSQL: ${line.replace(/^\S+ \S+ UTC \[\d+\] /, '')}`)
  }
}

/** Into a folder of another name, renamed when complete: a kill in the middle leaves nothing that looks like a cluster. */
async function initialise(
  binFolder: string,
  dataDir: string,
  cluster: string,
  account: PostgresAccount,
  log: Log,
): Promise<void> {
  log.info('creating the embedded database')
  for (const name of readdirSync(dataDir)) if (name.startsWith('cluster.new')) rmSync(join(dataDir, name), { recursive: true })
  const fresh = join(dataDir, 'cluster.new')
  // Byte order for sorting, Unicode for case: the same on every machine, whatever its C library.
  const locale = ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8']
  const args = ['-D', fresh, '-U', user, '--auth', 'trust', '--no-instructions', ...locale]
  const initdb = run(account, join(binFolder, 'initdb'), args)
  const code = await initdb.ended
  if (code !== 0) throw new Error(`initdb failed (${code ?? 'not started'}): ${initdb.tail()}`)
  renameSync(fresh, cluster)
}

function socketFolderOf(dataDir: string): string {
  const near = join(dataDir, 'run')
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const short = Buffer.byteLength(join(near, '.s.PGSQL.5432.lock')) <= longestSocketPath
  return short ? near : join(tmpdir(), `probant-${process.getuid?.() ?? 0}-${name}`)
}

function urlOf(database: string, socketFolder: string): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(socketFolder)}`
}

/** Where the database of that folder answers while the product runs on it; null before its first start. */
export function runningPostgresUrl(dataDir: string): string | null {
  return existsSync(dataDir) ? urlOf(user, socketFolderOf(realpathSync(dataDir))) : null
}

function prepareSocketFolder(dataDir: string, account: PostgresAccount): string {
  const uid = process.getuid?.() ?? 0
  const folder = socketFolderOf(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const owner = account.owner?.uid ?? uid
  const present = statSync(folder).uid
  // In a shared folder anyone could have made it first, to answer in the database's place.
  if (present !== owner && present !== uid) throw new Error(`${folder} belongs to another account`)
  chmodSync(folder, 0o700)
  // The claim is ours and no server runs: a lock left here names a process number that may be another's by now, or that of
  // a zombie nobody reaps, which PostgreSQL would take for a live server.
  for (const name of readdirSync(folder)) if (name.startsWith('.s.PGSQL.')) rmSync(join(folder, name))
  if (account.owner !== undefined) chownSync(folder, account.owner.uid, account.owner.gid)
  return folder
}

async function waitUntilReady(url: string, server: Running): Promise<void> {
  const deadline = performance.now() + startTimeoutMs
  let gone = false
  void server.ended.then(() => (gone = true))
  while (performance.now() < deadline) {
    if (gone) throw new Error(`PostgreSQL did not start: ${server.tail()}`)
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return
    } catch {
      await wait(50)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  throw new Error(`PostgreSQL was not ready after ${startTimeoutMs / 1000} s: ${server.tail()}`)
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [user])
    if (rowCount === 0) await client.query(`create database ${user}`)
  } finally {
    await client.end()
  }
}
