import type { Db } from '../platform/db/database.ts'
import { explainEach, plansOf, rowsOf } from '../testing/plans.ts'

/** Prints the plan of every statement that `run` makes, as it is carried out. */
export async function explain(url: string, run: (db: Db) => Promise<unknown>): Promise<void> {
  const options = 'buffers, costs off, timing off, summary off'
  for (const rows of await explainEach<{ 'QUERY PLAN': string }>(url, run, options))
    console.log(rows.map((row) => `    ${row['QUERY PLAN'].slice(0, 200)}`).join('\n'))
}

/** Of all statements that `run` makes: rows that are read of tables, and pages of PostgreSQL's that are touched: the same however busy the machine is. */
export async function countReads(
  url: string,
  run: (db: Db) => Promise<unknown>,
): Promise<{ readonly rows: number; readonly pages: number }> {
  const plans = await plansOf(url, run)
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
  return {
    rows: sum(plans.flat().map((node) => (node['Relation Name'] === undefined ? 0 : rowsOf(node)))),
    pages: sum(plans.map(([top]) => (top?.['Shared Hit Blocks'] ?? 0) + (top?.['Shared Read Blocks'] ?? 0))),
  }
}
