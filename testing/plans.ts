import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import type { Database } from '../db/schema.d.ts'
import { columnTypes, type Db } from '../platform/db/database.ts'

/** A node of a plan that was carried out, in as much of PostgreSQL's JSON as is looked at. Rows are of one loop; pages are with what is below. */
export type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

/** What `explain` answers to every statement that `run` makes, each carried out once more. */
export async function explainEach<Row>(url: string, run: (db: Db) => Promise<unknown>, options: string): Promise<Row[][]> {
  const statements: CompiledQuery[] = []
  const pool = new Pool({ connectionString: url, max: 1, types: columnTypes })
  pool.on('error', () => undefined)
  const db: Db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query: { sql, parameters } }) => void statements.push(CompiledQuery.raw(sql, [...parameters])),
  })
  try {
    await run(db)
    const answers: Row[][] = []
    for (const { sql, parameters } of statements.splice(0)) {
      const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(`explain (analyze, ${options}) ${sql}`, [...parameters]))
      answers.push(rows)
    }
    return answers
  } finally {
    await db.destroy()
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Of every statement that `run` makes: all nodes of its plan, the topmost first. */
export async function plansOf(url: string, run: (db: Db) => Promise<unknown>): Promise<PlanNode[][]> {
  const plans = await explainEach<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
    url,
    run,
    'buffers, timing off, format json',
  )
  return plans.map((rows) => rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)))
}

/** Rows that a node read, also of which it made nothing. */
export const rowsOf = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 1)
