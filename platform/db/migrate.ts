import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { Client } from 'pg'
import { queueLibrary } from './queue-library.ts'

/** Any constant will do, as long as every process of the product uses the same one. */
const migrationLock = 0x70726f62

export const migrationsFolder = fileURLToPath(new URL('../../db/migrations/', import.meta.url))

export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

type Migration = {
  readonly name: string
  readonly sql: string
  readonly sha256: string
  /** The newest migration that a version has to have to work on what this one leaves; null: the version before does (decision 0468). */
  readonly needs: string | null
}
type Applied = { readonly sha256: string; readonly needs: string | null }

/** Those of this version, in order. @throws MigrationRefused */
export async function listMigrations(
  folder = migrationsFolder,
): Promise<readonly { readonly name: string; readonly sha256: string }[]> {
  return await readMigrations(folder)
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const seen = new Map<string, string>()
  for (const name of names) {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
    if (number === undefined) throw new MigrationRefused(`${name} is not named NNNN_name.sql`)
    const other = seen.get(number)
    if (other !== undefined) throw new MigrationRefused(`${other} and ${name} have the same number`)
    seen.set(number, name)
  }
  return await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      const needs = /^-- contracts: (\S+)$/m.exec(sql)?.[1] ?? null
      if (needs !== null && (needs >= name || !names.includes(needs)))
        throw new MigrationRefused(`${name} contracts since ${needs}, which does not come before it`)
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex'), needs }
    }),
  )
}

/**
 * Brings a database to the present schema: the job queue's own migrations, then every `.sql` file not yet applied, in
 * order, each in its own transaction. Concurrent calls wait for each other. Forward only.
 * @returns names of the migrations applied by this call
 * @throws MigrationRefused when an applied file was edited or removed, a new one is numbered before an applied one, or a later version has
 * taken away what this one rests on
 */
export async function migrate(
  url: string,
  folder = migrationsFolder,
  /** Name of the newest to apply, for rows of an older version. */
  last?: string,
): Promise<string[]> {
  const all = await readMigrations(folder)
  const migrations = last === undefined ? all : all.filter(({ name }) => name <= last)
  const client = new Client({ connectionString: url, application_name: 'probant-migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await queueLibrary.runMigrations({ connectionString: url, logger: new queueLibrary.Logger(() => () => undefined) })
    await client.query(
      `create table if not exists platform_migration (
         name text primary key, sha256 text not null, applied_at timestamptz not null default now());
       alter table platform_migration add column if not exists needs text`,
    )
    const applied = await readApplied(client)
    refuseDivergence(migrations, applied)
    const pending = migrations.filter((migration) => !applied.has(migration.name))
    for (const migration of pending) await apply(client, migration)
    return pending.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/**
 * What `migrate` would apply, and nothing is changed.
 * @throws MigrationRefused as `migrate` does
 */
export async function listPending(client: Client, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const known = await client.query<{ known: boolean }>(`select to_regclass('platform_migration') is not null as known`)
  const applied = known.rows[0]?.known === true ? await readApplied(client) : new Map<string, Applied>()
  refuseDivergence(migrations, applied)
  return migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name)
}

/**
 * For a process that does not migrate: whether there is still what it rests on. A database that does not answer is told by what asks it next.
 * @throws MigrationRefused as `migrate` does
 */
export async function refuseContracted(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'probant-migrate', connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await listPending(client)
  } catch (error) {
    if (error instanceof MigrationRefused) throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function readApplied(client: Client): Promise<ReadonlyMap<string, Applied>> {
  // A version of before wrote no `needs`.
  const { rows } = await client.query<{ name: string; sha256: string; needs: string | null }>(
    `select name, sha256, to_jsonb(m) ->> 'needs' as needs from platform_migration m order by name`,
  )
  return new Map(rows.map(({ name, sha256, needs }) => [name, { sha256, needs }]))
}

/** What a later version applied is left as it is, as long as this one works on it: so the version before goes on, and can be gone back to. */
function refuseDivergence(migrations: readonly Migration[], applied: ReadonlyMap<string, Applied>): void {
  const newest = migrations.at(-1)?.name ?? ''
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  let last = ''
  for (const [name, { sha256, needs }] of applied) {
    const file = byName.get(name)
    if (file === undefined && name > newest && newest !== '') {
      if (needs === null || needs <= newest) continue
      throw new MigrationRefused(`the database was migrated by ${name}, which needs a version that has ${needs}`)
    }
    if (file === undefined) throw new MigrationRefused(`the database was migrated by ${name}, which this version does not have`)
    if (file.sha256 !== sha256) throw new MigrationRefused(`${name} was edited after it was applied; write a new migration`)
    if (name > last) last = name
  }
  const late = migrations.find((migration) => !applied.has(migration.name) && migration.name < last)
  if (late !== undefined) throw new MigrationRefused(`${late.name} comes before ${last}, which is already applied`)
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into platform_migration (name, sha256, needs) values ($1, $2, $3)', [
      migration.name,
      migration.sha256,
      migration.needs,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
