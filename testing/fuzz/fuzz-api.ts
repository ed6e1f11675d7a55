/** `node testing/fuzz/fuzz-api.ts 10000 SEED`: fuzzes the calls of the web role on a database of its own, and prints figures. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { createFolderBlobStore } from '../../platform/blobs/folder-blob-store.ts'
import { startEmbeddedPostgres } from '../../platform/db/embedded-postgres.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { silentLog } from '../../platform/log/log.ts'
import { openWebApi } from '../permissions/open-web-api.test-data.ts'
import { haveWorld } from '../permissions/people.ts'
import { openUndoneDatabase } from '../permissions/undone-database.ts'
import { describeFigures, fuzzCalls } from './fuzz-calls.ts'

const [requests, seed] = process.argv.slice(2).map(Number)
if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(seed)) {
  process.stderr.write('node testing/fuzz/fuzz-api.ts REQUESTS SEED\n')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'probant-fuzz-'))
const postgres = await startEmbeddedPostgres({
  dataDir: join(folder, 'postgres'),
  log: silentLog,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
})
try {
  await migrate(postgres.url)
  const undone = await openUndoneDatabase(postgres.url)
  const blobs = createFolderBlobStore(join(folder, 'blobs'))
  const api = await openWebApi({ db: undone.db, blobs, clock: systemClock, log: silentLog })
  const world = await haveWorld(undone.db, blobs)
  const began = performance.now()
  const figures = await fuzzCalls({ api, undone, world, deadlineMs: 120_000 }, requests ?? 0, seed ?? 0)
  for (const wrong of figures.wrong) process.stdout.write(`${wrong}\n`)
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(`${describeFigures(figures, seed ?? 0, api.operations.length)}; ${seconds} s\n`)
  if (figures.wrong.length > 0) process.exitCode = 1
  await api.server.close()
  await undone.close()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
// Streams of events that were left beat on for a while.
process.exit()
