import { Client } from 'pg'

type Column = { readonly type: string; readonly isNull: boolean; readonly hasDefault: boolean }
type Constraint = { readonly definition: string; readonly columns: readonly string[] }

/** What a version of the program rests on: tables with their columns, and what rows have to be like. */
export type Catalog = ReadonlyMap<
  string,
  { readonly columns: ReadonlyMap<string, Column>; readonly constraints: ReadonlyMap<string, Constraint> }
>

export async function readCatalog(url: string): Promise<Catalog> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const columns = await client.query<{ table: string; name: string } & Column>(`
      select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as "isNull",
        a.atthasdef or a.attidentity <> '' as "hasDefault"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, 2`)
    const constraints = await client.query<{ table: string; name: string } & Constraint>(`
      select c.relname as table, x.name, x.definition,
        array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(x.keys)) as columns
      from pg_class c join (
        select conrelid as of, conname as name, pg_get_constraintdef(oid) as definition, conkey as keys from pg_constraint where contype in ('c', 'f', 'u', 'p', 'x')
        union all
        select indrelid, i.relname, pg_get_indexdef(indexrelid), indkey::int2[] from pg_index join pg_class i on i.oid = indexrelid
        where indisunique and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
      ) x on x.of = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, 2`)
    const tables = new Map<string, { columns: Map<string, Column>; constraints: Map<string, Constraint> }>()
    for (const { table, name, ...column } of columns.rows) {
      const known = tables.get(table) ?? { columns: new Map(), constraints: new Map() }
      tables.set(table, known)
      known.columns.set(name, column)
    }
    for (const { table, name, ...constraint } of constraints.rows) tables.get(table)?.constraints.set(name, constraint)
    return tables
  } finally {
    await client.end()
  }
}

/**
 * What would break the version before, which goes on writing and reading while the migration is there already.
 * @param widened constraints that admit more than before, as the migration itself says
 */
export function whatBreaks(before: Catalog, after: Catalog, widened: ReadonlySet<string>): string[] {
  const faults: string[] = []
  for (const [table, was] of before) {
    const is = after.get(table)
    if (is === undefined) {
      faults.push(`${table} is gone`)
      continue
    }
    for (const [name, column] of was.columns) {
      const now = is.columns.get(name)
      if (now === undefined) faults.push(`${table}.${name} is gone`)
      else if (now.type !== column.type) faults.push(`${table}.${name} was ${column.type} and is ${now.type}`)
      else if (column.isNull && !now.isNull) faults.push(`${table}.${name} may be null no more`)
      else if (column.hasDefault && !now.hasDefault && !now.isNull) faults.push(`${table}.${name} has no default any more`)
    }
    for (const [name, column] of is.columns)
      if (!was.columns.has(name) && !column.isNull && !column.hasDefault)
        faults.push(`${table}.${name} is new, and has to be given`)
    for (const [name, { definition, columns }] of is.constraints) {
      const concernsOldRows = columns.length === 0 || columns.some((column) => was.columns.has(column))
      if (concernsOldRows && was.constraints.get(name)?.definition !== definition && !widened.has(name))
        faults.push(`${table}: ${name} is new or another (${definition})`)
    }
  }
  return faults
}
