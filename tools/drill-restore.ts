/**
 * `npm run drill:restore`: a real installation with a captured page, an account with a second factor and heavy blobs is backed up while it runs, destroyed,
 * restored elsewhere and started; then every row, blob, package, account and entry of the log is compared. Prints its figures.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { generate } from 'otplib'
import { withDatabaseUrl } from '../apps/cli/open-installation.ts'
import { readEverything } from '../modules/backup/server/backup.test-data.ts'
import { createFolderBlobStore } from '../platform/blobs/folder-blob-store.ts'
import { inheritMachine } from '../testing/known-machine.ts'
import { selling } from '../testing/selling.ts'
import { freePort } from '../testing/free-port.ts'

const megabytes = Number(process.argv[2] ?? 256)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'probant-drill-'))
const [before, after, target] = ['before', 'after', 'target'].map((name) => join(folder, name)) as [string, string, string]
const identity = join(folder, 'identity')
const password = 'A-drill-destroys-everything-7'
const email = 'drill@example.org'
const children = new Set<ChildProcess>()

const port = await freePort()

const say = (text: string) => void process.stdout.write(`${text}\n`)
function hold(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`NOT SO: ${what}`)
  say(`ok  ${what}`)
}

const envOf = (data: string) => ({
  PATH: process.env['PATH'],
  PROBANT_DATA: data,
  // Captured by its own address: it must know it.
  PORT: String(port),
  PROBANT_WARM_BROWSERS: '0',
  ...selling,
})

async function start(data: string): Promise<{ origin: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(root, 'apps/server/supervise.ts')], {
    env: envOf(data),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for (;;) {
    const origin = /Probant is ready at (\S+)\n/.exec(output)?.[1]
    if (origin !== undefined)
      return {
        origin,
        async stop() {
          child.kill('SIGTERM')
          await once(child, 'exit')
          children.delete(child)
        },
      }
    if (child.exitCode !== null) throw new Error(`not started: ${output}`)
    await wait(50)
  }
}

function probant(data: string, ...argv: string[]): Record<string, unknown> {
  const done = spawnSync(process.execPath, [join(root, 'apps/cli/probant.ts'), ...argv], {
    env: { ...envOf(data), ...(argv[0] === 'admin' ? { PROBANT_ADMIN_PASSWORD: password } : {}) },
    encoding: 'utf8',
  })
  if (done.status !== 0) throw new Error(`${argv.join(' ')}: ${String(done.status)} ${done.stderr}`)
  return done.stdout.startsWith('{') ? (JSON.parse(done.stdout.split('\n')[0] ?? '') as Record<string, unknown>) : {}
}

async function post(
  origin: string,
  path: string,
  body: object,
  token?: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

async function read(origin: string, path: string): Promise<Buffer | null> {
  const answer = await fetch(`${origin}${path}`)
  return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : null
}

/** @throws Error after ten minutes: a capture that failed is tried again meanwhile */
async function untilThere(origin: string, path: string): Promise<Buffer> {
  const until = performance.now() + 600_000
  while (performance.now() < until) {
    const bytes = await read(origin, path)
    if (bytes !== null) return bytes
    await wait(250)
  }
  throw new Error(`${path} did not come`)
}

/** Name of each blob, by what it really holds. */
async function blobsOf(data: string): Promise<string[]> {
  const store = createFolderBlobStore(join(data, 'blobs'))
  const found: string[] = []
  for await (const scope of store.scopes()) {
    for await (const { sha256 } of store.scope(scope).list()) {
      const hash = createHash('sha256')
      for await (const chunk of await store.scope(scope).open(sha256)) hash.update(chunk as Buffer)
      found.push(`${scope}/${hash.digest('hex')}`)
    }
  }
  return found.toSorted()
}

const everything = async (data: string) => await withDatabaseUrl({ databaseUrl: undefined, dataFolder: data }, readEverything)

async function drill(): Promise<void> {
  for (const each of [before, after, target]) mkdirSync(each)
  inheritMachine(before)
  const secret = await generateX25519Identity()
  const recipient = await identityToRecipient(secret)
  writeFileSync(identity, `${secret}\n`, { mode: 0o600 })

  const first = await start(before)
  probant(before, 'admin', 'create', '--email', email)
  const signedIn = await post(first.origin, '/rest-auth/login/', { email, password })
  const token = String(signedIn.body['access_token'])
  const begun = await post(first.origin, '/second_factor/', { password }, token)
  const totp = String(begun.body['secret'])
  const confirmed = await post(first.origin, '/second_factor/confirm/', { code: await generate({ secret: totp }) }, token)
  const [recovery = ''] = (confirmed.body['recovery_codes'] ?? []) as string[]
  hold('an administrator with a second factor is signed in', confirmed.status === 200)
  const packaged = await untilThere(first.origin, '/sample/fr/package.zip')
  hold(`a page was captured and sealed (package of ${String(packaged.length)} bytes)`, packaged.length > 100_000)
  const heavy = createFolderBlobStore(join(before, 'blobs')).scope('drill')
  for (let i = 0; i < megabytes; i += 16) await heavy.putBytes(randomBytes(16 * 1024 * 1024))

  const warm = probant(before, 'backup', '--to', target, '--recipient', recipient)
  say(
    `    backup of a running installation: ${String(warm['bytes'])} bytes in ${String(warm['pieces'])} pieces, ${Number(warm['seconds']).toFixed(1)} s`,
  )
  await first.stop()
  const again = probant(before, 'backup', '--to', target, '--recipient', recipient)
  say(`    the next one sent ${String(again['sent_bytes'])} bytes, ${Number(again['seconds']).toFixed(1)} s`)
  const tarStarted = performance.now()
  execFileSync('tar', ['-cf', join(folder, 'peer.tar'), '-C', before, 'blobs'])
  const tarSeconds = (performance.now() - tarStarted) / 1000
  say(
    `    tar of the same blobs: ${tarSeconds.toFixed(1)} s; backup: ${(Number(warm['seconds']) / tarSeconds).toFixed(1)} times that`,
  )
  rmSync(join(folder, 'peer.tar'))

  const [rows, blobs] = [await everything(before), await blobsOf(before)]
  const masterKey = readFileSync(join(before, 'master-key'))
  const head = readFileSync(join(before, 'log/newest-checkpoint'))
  rmSync(before, { recursive: true })
  say('    everything is destroyed')

  const restored = probant(after, 'restore', '--from', target, '--identity', identity)
  say(
    `    restored ${String(restored['bytes'])} bytes of blobs and ${String(restored['rows'])} rows in ${Number(restored['seconds']).toFixed(1)} s`,
  )
  writeFileSync(join(after, 'master-key'), masterKey, { mode: 0o600 })
  writeFileSync(join(folder, 'head'), head)
  const [rowsAgain, blobsAgain] = [await everything(after), await blobsOf(after)]
  const differs = [...rows].filter(([name, value]) => rowsAgain.get(name) !== value).map(([name]) => name)
  const expected = [
    'public.mailed_token',
    'public.user_session',
    'graphile_worker._private_jobs',
    'graphile_worker._private_job_queues',
  ]
  const lost = differs.filter((name) => !expected.includes(name))
  hold(
    `every row of ${String(rows.size)} tables and sequences is back, sessions apart${lost.length === 0 ? '' : `: ${lost.join(', ')}`}`,
    lost.length === 0,
  )
  hold(`every one of ${String(blobs.length)} blobs is back, byte for byte`, JSON.stringify(blobs) === JSON.stringify(blobsAgain))
  const resumed = probant(after, 'log', 'resume', '--newest', join(folder, 'head'))
  hold(`the public log goes on from size ${String(resumed['size'])}`, Number(resumed['size']) >= 1)

  const second = await start(after)
  const packagedAgain = await read(second.origin, '/sample/fr/package.zip')
  hold('the package is the same to the byte', packagedAgain?.equals(packaged) === true)
  writeFileSync(join(folder, 'package.zip'), packagedAgain ?? '')
  const verified = spawnSync(
    process.execPath,
    [join(root, 'apps/cli/probant.ts'), 'verify', join(folder, 'package.zip'), '--json'],
    { encoding: 'utf8' },
  )
  hold(`and nothing in it is contradicted (exit code ${String(verified.status)})`, verified.status === 0 || verified.status === 2)
  hold('a session of before is over', (await post(second.origin, '/second_factor/', { password }, token)).status === 401)
  const refused = await post(second.origin, '/rest-auth/login/', { email, password })
  hold('the password alone does not sign in', refused.status !== 200)
  const entered = await post(second.origin, '/rest-auth/login/', { email, password, code: recovery })
  hold('with the second factor it does', entered.status === 200)
  probant(after, 'admin', 'verify-acts')
  hold('the record of acts holds', true)
  await second.stop()
}

try {
  await drill()
} finally {
  for (const child of children) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
