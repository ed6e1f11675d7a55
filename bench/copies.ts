/**
 * A file of 10 GB (sparse) through the upload of copies, piece by piece as the page sends it: time beside `cat FILE | curl -T -` to a bare server
 * that writes what comes, in the same run; memory of our server above its start; then the comparing, beside `openssl dgst -sha256`, and the way back:
 * `node bench/copies.ts [MB] [part|slice]`. Needs twice the room on the disk.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { systemClock } from '../kernel/clock.ts'
import { compareCopy } from '../modules/document/server/copy/compare-copy.ts'
import type { CopyDeps } from '../modules/document/server/copy/copy-deps.ts'
import { copyRoutes } from '../modules/document/server/copy/copy-routes.ts'
import { findCopy } from '../modules/document/server/copy/copy-store.ts'
import { copyBytes } from '../modules/document/server/copy/read-copy.ts'
import { copyPartBytes, copySliceBytes, lengthOfPart } from '../modules/document/domain/copy.ts'
import { createFolderBlobStore } from '../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../platform/config/config.ts'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { createHttpServer } from '../platform/http/server.ts'
import { silentLog } from '../platform/log/log.ts'
import { createVault } from '../platform/vault/vault.ts'

const mebi = 1024 * 1024
const user = '00000000-0000-4000-8000-000000000001'
const document = '00000000-0000-4000-8000-000000000002'

function depsOf(databaseUrl: string, folder: string): CopyDeps {
  return {
    db: openDatabase(databaseUrl, { max: 5, log: silentLog }),
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    clock: systemClock,
    log: silentLog,
    vault: createVault(Buffer.alloc(32, 7)),
    copyLimits: { largestBytes: 20_480 * mebi, accountBytes: 40_960 * mebi, days: 30, spareBytes: 0 },
  }
}

/** Ours, or one that writes what comes into a file; prints its address. */
async function serve(kind: string, databaseUrl: string, folder: string): Promise<void> {
  if (kind === 'bare') {
    const server = createServer((incoming, answer) => {
      void pipeline(incoming, createWriteStream(join(folder, 'bare'))).then(() => answer.end())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    process.stdout.write(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}\n`)
    return
  }
  const server = await createHttpServer({
    config: { ...loadConfig({}), environment: 'development' },
    log: silentLog,
    clock: systemClock,
    secret: 's'.repeat(32),
    routes: copyRoutes(depsOf(databaseUrl, folder)),
    health: {},
    authenticate: () =>
      Promise.resolve({
        userId: user,
        accountId: user,
        delegation: null,
        sessionId: user,
        roles: new Set(),
        secondFactor: false,
        locale: 'en',
      }),
  })
  process.stdout.write(`${await server.listen({ host: '127.0.0.1', port: 0 })}\n`)
}

async function start(kind: 'ours' | 'bare', databaseUrl: string, folder: string) {
  const program = fileURLToPath(import.meta.url)
  const child = spawn(process.execPath, [program, 'serve', kind, databaseUrl, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { address, pid: child.pid ?? 0, stop: () => child.kill() }
}

/** In MB, as the kernel counts. */
function memory(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes = '0'] = new RegExp(`${what}:\\s*(\\d+)`).exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Of its own processor time, in seconds. */
function processor(pid: number): number {
  const fields =
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function call(
  url: string,
  body: string | { file: string; start: number; length: number },
): Promise<Record<string, unknown>> {
  const raw = typeof body !== 'string'
  const sending = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${user}`,
      'content-type': raw ? 'application/octet-stream' : 'application/json',
      'content-length': raw ? body.length : Buffer.byteLength(body),
    },
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  if (raw) await pipeline(createReadStream(body.file, { start: body.start, end: body.start + body.length - 1 }), sending)
  else sending.end(body)
  const [answer] = await answered
  const text = (await answer.toArray()).join('')
  if (answer.statusCode !== 200) throw new Error(`${url}: ${String(answer.statusCode)} ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return (performance.now() - began) / 1000
}

const child = (command: string) => async () => {
  const [code] = (await once(spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')) as [number]
  if (code !== 0) throw new Error(`${command}: ${String(code)}`)
}

async function main(): Promise<void> {
  const bytes = Number(process.argv[2] ?? 10_240) * mebi
  const inSlices = process.argv[3] === 'slice'
  const folder = mkdtempSync(join(tmpdir(), 'probant-bench-copies-'))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  truncateSync(file, bytes)
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'pg'), log: silentLog })
  await migrate(postgres.url)
  const deps = depsOf(postgres.url, folder)
  try {
    const sha256 = execFileSync('openssl', ['dgst', '-sha256', '-r', file]).toString().slice(0, 64)
    await sql`insert into account_user (id, status, password_hash, password_changed_at, first_name, last_name, locale, referral_code, terms_accepted_at, created_at)
      values (${user}::uuid, 'active', '$argon2id$x', now(), 'A', 'B', 'en', 'AAAAAAAA', now(), now())`.execute(deps.db)
    await sql`insert into document (id, owner_id, created_by, sha256, store, status, status_changed_at, created_at, expires_at)
      values (${document}::uuid, ${user}::uuid, ${user}::uuid, decode(${sha256}, 'hex'), true, 'draft', now(), now(), now() + interval '1 day')`.execute(
      deps.db,
    )
    const rate = (seconds: number) => `${(bytes / mebi / seconds).toFixed(0)} MB/s`

    const bare = await start('bare', postgres.url, folder)
    const plain = await timed(child(`cat '${file}' | curl -sS -T - ${bare.address}/`))
    const plainProcessor = processor(bare.pid)
    bare.stop()
    rmSync(join(folder, 'bare'))

    const ours = await start('ours', postgres.url, folder)
    const at = `${ours.address}/documents/${document}/copy/`
    const { upload } = await call(at, JSON.stringify({ bytes }))
    const before = memory(ours.pid, 'VmRSS')
    const startedWith = processor(ours.pid)
    writeFileSync(`/proc/${String(ours.pid)}/clear_refs`, '5')
    const sent = await timed(async () => {
      for (let part = 0; part * copyPartBytes < bytes; part += 1) {
        const length = lengthOfPart(bytes, part)
        const step = inSlices ? copySliceBytes : length
        for (let from = 0; from < length; from += step) {
          const slice = inSlices ? `&from=${String(from)}` : ''
          const piece = { file, start: part * copyPartBytes + from, length: Math.min(step, length - from) }
          await call(`${at}parts/${String(part)}/?upload=${String(upload)}${slice}`, piece)
        }
      }
      await call(`${at}complete/`, JSON.stringify({ upload }))
    })
    const peak = memory(ours.pid, 'VmHWM')
    const sentProcessor = processor(ours.pid) - startedWith
    console.log(`${String(bytes / mebi)} MB ${inSlices ? 'in slices of 512 KiB' : 'in pieces of 8 MiB'}`)
    console.log(`cat | curl -T - to a bare server: ${plain.toFixed(1)} s, ${rate(plain)}`)
    console.log(`upload of a copy: ${sent.toFixed(1)} s, ${rate(sent)}, ×${(sent / plain).toFixed(2)}`)
    console.log(`processor of the servers: ${plainProcessor.toFixed(1)} s, ${sentProcessor.toFixed(1)} s`)
    console.log(
      `memory of the server: ${before.toFixed(0)} MB before, at most ${peak.toFixed(0)} MB, ${(peak - before).toFixed(0)} MB above`,
    )
    ours.stop()

    const own = memory(process.pid, 'VmRSS')
    writeFileSync('/proc/self/clear_refs', '5')
    const hashed = await timed(async () => await compareCopy(deps, String(upload), new AbortController().signal))
    const summed = await timed(child(`openssl dgst -sha256 '${file}'`))
    const copy = await findCopy(deps.db, String(upload))
    if (copy?.state !== 'stored') throw new Error(`the copy is ${copy?.state ?? 'gone'}`)
    const above = memory(process.pid, 'VmHWM') - own
    console.log(
      `comparing (both fingerprints): ${hashed.toFixed(1)} s, ×${(hashed / summed).toFixed(2)} of openssl dgst -sha256, ${above.toFixed(0)} MB above`,
    )
    let read = 0
    const given = await timed(async () => {
      for await (const chunk of copyBytes(deps, copy, { start: 0, end: bytes })) read += chunk.length
    })
    if (read !== bytes) throw new Error(`${String(read)} bytes came back`)
    console.log(`deciphered: ${given.toFixed(1)} s, ${rate(given)}`)
  } finally {
    await deps.db.destroy()
    await postgres.stop()
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
  }
}

const [mode, kind = '', databaseUrl = '', folder = ''] = process.argv.slice(2)
await (mode === 'serve' ? serve(kind, databaseUrl, folder) : main())
