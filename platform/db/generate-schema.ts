/** Writes db/schema.d.ts from a freshly migrated database: `node platform/db/generate-schema.ts`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { silentLog } from '../log/log.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate } from './migrate.ts'

export const schemaFile = fileURLToPath(new URL('../../db/schema.d.ts', import.meta.url))

type Column = {
  table_name: string
  column_name: string
  type: string
  element: string
  nullable: boolean
  /** A default, an identity or a generated value: may be left out of an insert. */
  optional: boolean
  /** Never written by us. */
  computed: boolean
  is_array: boolean
  labels: string[] | null
}

/** What the driver returns, and what it takes, for each type; anything else is refused until it is thought about. */
const types: Readonly<Record<string, { readonly read: string; readonly write?: string }>> = {
  text: { read: 'string' },
  varchar: { read: 'string' },
  bpchar: { read: 'string' },
  citext: { read: 'string' },
  uuid: { read: 'string' },
  inet: { read: 'string' },
  cidr: { read: 'string' },
  numeric: { read: 'string', write: 'string | number' },
  bool: { read: 'boolean' },
  int2: { read: 'number' },
  int4: { read: 'number' },
  int8: { read: 'number' },
  float4: { read: 'number' },
  float8: { read: 'number' },
  bytea: { read: 'Buffer', write: 'Uint8Array' },
  /** `YYYY-MM-DD`; see columnTypes. */
  date: { read: 'string' },
  timestamptz: { read: 'Date', write: 'Date | string' },
  json: { read: 'unknown', write: 'string' },
  jsonb: { read: 'unknown', write: 'string' },
}

function typeOf(column: Column): string {
  const labels = column.labels?.map((label) => `'${label}'`).join(' | ')
  const known = labels === undefined ? types[column.element] : { read: labels }
  if (known === undefined) throw new Error(`${column.table_name}.${column.column_name}: no TypeScript type for ${column.type}`)
  const array = (type: string) => (column.is_array ? (/[ |]/.test(type) ? `(${type})[]` : `${type}[]`) : type)
  const read = array(known.read)
  const write = array(known.write ?? known.read)
  const nullable = (type: string) => (column.nullable && type !== 'unknown' ? `${type} | null` : type)
  if (column.computed) return `ColumnType<${nullable(read)}, never, never>`
  const insert = nullable(write) + (column.optional || column.nullable ? ' | undefined' : '')
  if (read === write) return column.optional ? `Generated<${nullable(read)}>` : nullable(read)
  return `ColumnType<${nullable(read)}, ${insert}, ${nullable(write)}>`
}

/** @param url address of a database that has every migration */
export async function describeSchema(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Column>(
      `select c.relname::text as table_name, a.attname::text as column_name, format_type(a.atttypid, a.atttypmod) as type,
         e.typname::text as element, not a.attnotnull as nullable, t.typcategory = 'A' as is_array,
         (a.atthasdef and a.attgenerated = '') or a.attidentity = 'd' as optional,
         a.attgenerated <> '' or a.attidentity = 'a' as computed,
         (select array_agg(l.enumlabel::text order by l.enumsortorder) from pg_enum l where l.enumtypid = e.oid) as labels
       from pg_attribute a
       join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'v')
       join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
       join pg_type t on t.oid = a.atttypid
       join pg_type e on e.oid = case when t.typcategory = 'A' then t.typelem when t.typtype = 'd' then t.typbasetype else t.oid end
       where a.attnum > 0 and not a.attisdropped and not c.relispartition
       order by c.relname, a.attnum`,
    )
    return render(rows)
  } finally {
    await client.end()
  }
}

function render(rows: readonly Column[]): string {
  const tables = Map.groupBy(rows, (row) => row.table_name)
  const body = [...tables].map(([name, columns]) => {
    const lines = columns.map((column) => `    ${column.column_name}: ${typeOf(column)}`)
    return `  ${name}: {\n${lines.join('\n')}\n  }`
  })
  return `// Generated from the migrations by \`node platform/db/generate-schema.ts\`. Do not edit.
// Reading gives parsed values (bigint as an exact number); a json column is written as JSON text.
import type { ColumnType, Generated } from 'kysely'

export type Database = {
${body.join('\n')}
}
`
}

if (import.meta.main) {
  const dataDir = mkdtempSync(join(tmpdir(), 'probant-schema-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { fsync: 'off' } })
  try {
    await migrate(postgres.url)
    writeFileSync(schemaFile, await describeSchema(postgres.url))
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
