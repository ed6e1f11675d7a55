/** The SQL that puts a snapshot back into a database of which nothing is needed any more. */
import type { Client } from 'pg'
import { copyIn } from './copy-rows.ts'
import { identifier, schemas, type Sequence, type Table } from './dump-store.ts'

/** Whether there is anything that somebody made; what a new database has by itself is nothing. */
export async function holdsTables(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%' and c.relkind in ('r', 'p', 'v', 'm', 'S') limit 1`,
  )
  return rowCount !== 0
}

/** Says in the database itself that it is being restored: what an interrupted restore left is cleared there, and nowhere else. */
const ownSchema = 'probant_restoring'

export async function isBeingRestored(client: Client, backup: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [`${ownSchema}.backup`])
  if (rows[0]?.there !== true) return false
  const { rowCount } = await client.query(`select 1 from ${ownSchema}.backup where id = $1`, [backup])
  return rowCount === 1
}

/** Whatever is there goes: the caller has seen that it is nothing, or what an interrupted restore left. */
export async function clearDatabase(client: Client, backup: string): Promise<void> {
  await client.query('begin')
  for (const schema of [...schemas, ownSchema]) await client.query(`drop schema if exists ${schema} cascade`)
  await client.query('create schema public')
  await client.query(`create schema ${ownSchema}`)
  await client.query(`create table ${ownSchema}.backup as select $1::text as id`, [backup])
  await client.query('commit')
}

export async function endRestoring(client: Client): Promise<void> {
  await client.query(`drop schema if exists ${ownSchema} cascade`)
}

/**
 * Takes away what would act on rows that are put back: foreign keys, which come again as they were and are checked then, and triggers,
 * which did their work when the rows were written first. Both are an owner's to do; no superuser is needed.
 * @returns puts them back
 */
export async function suspendRules(client: Client): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = any ($1::text[]::regnamespace[]) and conparentid = 0 order by 1, 2`,
    [schemas],
  )
  const { rows: tables } = await client.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = tgrelid
     where not tgisinternal and c.relnamespace = any ($1::text[]::regnamespace[]) order by 1`,
    [schemas],
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${identifier(name)}`)
  for (const { table } of tables) await client.query(`alter table ${table} disable trigger user`)
  return async () => {
    for (const { table } of tables) await client.query(`alter table ${table} enable trigger user`)
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${identifier(name)} ${definition}`)
  }
}

/** Rows that the migrations wrote are in the snapshot too, as they became. */
export async function emptyTables(client: Client, tables: readonly Pick<Table, 'schema' | 'name'>[]): Promise<void> {
  for (const { schema, name } of tables) await client.query(`delete from ${identifier(schema)}.${identifier(name)}`)
}

export async function loadTable(
  client: Client,
  { schema, name, columns }: Table,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  await copyIn(client, `copy ${identifier(schema)}.${identifier(name)} (${columns.map(identifier).join(', ')}) from stdin`, rows)
}

export async function countRows(client: Client, { schema, name }: Pick<Table, 'schema' | 'name'>): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*)::text as count from ${identifier(schema)}.${identifier(name)}`,
  )
  return Number(rows[0]?.count)
}

export async function setSequence(client: Client, { schema, name, value, called }: Sequence): Promise<void> {
  await client.query('select setval($1::text::regclass, $2::bigint, $3)', [
    `${identifier(schema)}.${identifier(name)}`,
    value,
    called,
  ])
}

/**
 * What was given out before is not believed again: a session that was ended, a link or an invitation that was used since would work once
 * more. People sign in again and ask again. Jobs that somebody worked on are free for whoever works now.
 */
export async function forgetWhatWasGivenOut(client: Client): Promise<void> {
  for (const table of ['user_session', 'mailed_token', 'live_hand_off']) await client.query(`delete from ${table}`)
  await client.query('delete from registration_invitation where used_at is null')
  await client.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_by is not null')
  await client.query(
    'update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_by is not null',
  )
}
