import { rmSync } from 'node:fs'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { urlOfDatabase } from './database-url.ts'
import { memoryFolder } from './memory-folder.ts'

/** One PostgreSQL for the test run, all its projects, one database migrated once, copied by whoever needs one. Nothing of it is kept. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const all = project.vitest.getRootProject()
  // Another project's files are run too, and it was begun for them.
  if ('postgres' in all.getProvidedContext()) return undefined
  const dataDir = memoryFolder()
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silentLog,
    // The cluster dies with the run: what protects it from a power cut only slows the tests.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const template = 'probant_template'
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${template}`)
  await client.end()
  await migrate(urlOfDatabase(postgres.url, template))
  all.provide('postgres', { url: postgres.url, template })
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
