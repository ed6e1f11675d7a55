import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withDatabase } from '../../testing/database.ts'
import { describeSchema, schemaFile } from './generate-schema.ts'

const database = withDatabase()

test('the typed schema is that of the migrations', async () => {
  expect(readFileSync(schemaFile, 'utf8')).toBe(await describeSchema(database.url))
})

test('every kind of column has its type, and an unknown one is refused', async () => {
  await sql`create table kind (id uuid primary key default gen_random_uuid(), n bigint not null, note text, at timestamptz not null default now(),
    facts jsonb, tags text[] not null, bytes bytea not null, twice bigint generated always as (n * 2) stored)`.execute(
    database.db,
  )
  const text = await describeSchema(database.url)
  expect(text).toContain(`  kind: {
    id: Generated<string>
    n: number
    note: string | null
    at: ColumnType<Date, Date | string | undefined, Date | string>
    facts: ColumnType<unknown, string | null | undefined, string | null>
    tags: string[]
    bytes: ColumnType<Buffer, Uint8Array, Uint8Array>
    twice: ColumnType<number | null, never, never>
  }`)
  await sql`create table odd (shape point)`.execute(database.db)
  await expect(describeSchema(database.url)).rejects.toThrow('odd.shape: no TypeScript type for point')
})
