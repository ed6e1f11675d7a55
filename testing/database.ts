import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { openDatabase, type Db } from '../platform/db/database.ts'
import { silentLog } from '../platform/log/log.ts'
import { urlOfDatabase } from './database-url.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the test run's PostgreSQL and name of the migrated template, by global-setup.ts. */
    postgres: { readonly url: string; readonly template: string }
  }
}

export type TestDatabase = { readonly url: string; readonly db: Db }

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: urlOfDatabase(inject('postgres').url, 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const longestWaitMs = 10_000

async function untilNobodyIsConnected(name: string): Promise<void> {
  const client = new Client({ connectionString: urlOfDatabase(inject('postgres').url, 'postgres') })
  await client.connect()
  try {
    const until = performance.now() + longestWaitMs
    for (;;) {
      const { rowCount } = await client.query('select 1 from pg_stat_activity where datname = $1', [name])
      if (rowCount === 0 || performance.now() > until) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  } finally {
    await client.end()
  }
}

/** A migrated database of the caller's own; `drop` ends whoever is still connected. */
export async function createTestDatabase(
  options: { migrated?: boolean } = {},
): Promise<TestDatabase & { drop(): Promise<void> }> {
  const { url, template } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Its files are copied: written page by page into the log, as by default, a database costs the run sixteen megabytes of log.
  await administer(`create database ${name} template ${options.migrated === false ? 'template0' : template} strategy file_copy`)
  const own = urlOfDatabase(url, name)
  const db = openDatabase(own, { max: 5, log: silentLog })
  return {
    url: own,
    db,
    async drop() {
      await db.destroy()
      // The pool says that it has ended before its connections are closed: one that the server ends meanwhile is an error that nobody hears.
      await untilNobodyIsConnected(name)
      await administer(`drop database ${name} with (force)`)
    },
  }
}

/** For a test file or a describe block: its own database, made before its tests and dropped after. */
export function withDatabase(): TestDatabase {
  let database: Awaited<ReturnType<typeof createTestDatabase>> | undefined
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(async () => {
    await database?.drop()
  })
  const ready = () => {
    if (database === undefined) throw new Error('the database exists inside tests only')
    return database
  }
  return {
    get url() {
      return ready().url
    },
    get db() {
      return ready().db
    },
  }
}
