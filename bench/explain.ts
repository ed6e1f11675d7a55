import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import type { Database } from '../db/schema.d.ts'
import { columnTypes, type Db } from '../platform/db/database.ts'

/** Prints the plan of every statement that `run` makes, as it is carried out. */
export async function explain(url: string, run: (db: Db) => Promise<unknown>): Promise<void> {
  const seen: CompiledQuery[] = []
  const pool = new Pool({ connectionString: url, max: 1, types: columnTypes })
  pool.on('error', () => undefined)
  const db: Db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void seen.push(query) })
  await run(db)
  for (const query of seen.splice(0)) {
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain (analyze, buffers, costs off, timing off, summary off) ${query.sql}`, [...query.parameters]),
    )
    console.log(rows.map((row) => `    ${row['QUERY PLAN'].slice(0, 200)}`).join('\n'))
  }
  await db.destroy()
}
