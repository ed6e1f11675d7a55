/**
 * `probant stamp`: the proofs of many files by one call beside a call for each, each verified and written beside its file, as of what a file
 * takes: `node bench/stamp.ts [files] [one by one]`. Server and program share this process and its database.
 */
import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectProofs } from '../apps/cli/stamp/collect-proofs.ts'
import { depositWanted } from '../apps/cli/stamp/deposit-wanted.ts'
import { openJournal } from '../apps/cli/stamp/journal.ts'
import type { JournalLine } from '../apps/cli/stamp/journal-lines.ts'
import { createServerCalls } from '../apps/cli/stamp/server-calls.ts'
import { openStampServer } from '../apps/cli/stamp/stamp-server.test-data.ts'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'

const many = Number(process.argv[2] ?? 10_000)
const few = Number(process.argv[3] ?? 400)
const folder = await mkdtemp(join(tmpdir(), 'probant-bench-stamp-'))
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'pg'), log: silentLog })
await migrate(postgres.url)
const db = openDatabase(postgres.url, { max: 8, log: silentLog })
const server = await openStampServer(db)
const { signal } = new AbortController()

/** @param together how many files' proofs are got at a time @returns milliseconds a file, and calls */
async function collect(count: number, together: number): Promise<{ readonly ms: number; readonly calls: number }> {
  const place = join(folder, randomUUID())
  await mkdir(place)
  const { key } = await server.person()
  const deps = { locale: 'en' as const, signal, onWait: (seconds: number) => console.log(`waits ${String(seconds)} s`) }
  const calls = createServerCalls({ server: new URL(server.address), key }, deps)
  const journal = await openJournal(join(folder, `${randomUUID()}.jsonl`))
  const lines = Array.from({ length: count }, (_, i): JournalLine[] => {
    const path = join(place, `file ${String(i)}`)
    const sha256 = createHash('sha256').update(path).digest('hex')
    const said = { name: null, label: null, store: false, replaces: null, after: null }
    return [
      { t: 'file', path, base: path, look: '', sha256 },
      { t: 'wanted', sha256, sha512: createHash('sha512').update(path).digest('hex'), mark: randomUUIDv7(), ...said },
    ]
  })
  await journal.add(lines.flat())
  await depositWanted(journal, calls, () => undefined)
  const entries = [...journal.kept.values()]
  // Sealed when first looked at.
  await calls.read(journal.wanted.values().next().value?.id ?? '')
  server.calls.length = 0
  const started = performance.now()
  for (let at = 0; at < entries.length; at += together) {
    const outcomes = await collectProofs({ journal, calls, signal }, entries.slice(at, at + together))
    if (outcomes.some(({ state }) => state !== 'written')) throw new Error('a proof is not there')
  }
  const ms = (performance.now() - started) / count
  await journal.close()
  return { ms, calls: server.calls.length }
}

await collect(100, 100)
const each = await collect(few, 20)
const all = await collect(many, many)
const { type } = await statfs(folder)
console.log(`calls: ${String(each.calls)} for ${String(few)} files one by one, ${String(all.calls)} for ${String(many)} together`)
console.log(
  `a file, verified and on the disk (file system ${type.toString(16)}): ${each.ms.toFixed(1)} ms one by one, ${all.ms.toFixed(1)} ms together`,
)
console.log(`${String(many)} files: ${((all.ms * many) / 1000).toFixed(1)} s; ratio ${(all.ms / each.ms).toFixed(2)}`)
await server.close()
await db.destroy()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
