/** The SQL of numbers without gaps. */
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'

/** One transaction issues at a time; whoever wants several series waits for one thing, so nobody waits in a circle. */
export async function holdNumbers(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('billing.numbers'))`.execute(tx)
}

export type Taken = { readonly number: number; readonly on: Day; readonly lastSha256: Buffer | null }

/**
 * The next of the series. It is taken when the transaction commits, and by nobody when it does not. Two servers may disagree on the day for a
 * moment at midnight: then it is the later one.
 * @throws Error when the clock is days behind the last document's
 */
export async function takeNumber(tx: Tx, series: string, today: Day): Promise<Taken> {
  return await takeNumbers(tx, series, today, 1)
}

/** As many as that, one after the other: the first is told. */
export async function takeNumbers(tx: Tx, series: string, today: Day, count: number): Promise<Taken> {
  const { rows } = await sql<{ number: number; on: Day; last_sha256: Buffer | null }>`
    insert into number_series as s (series, last_number, last_on) values (${series}, ${count}, ${today}::date)
    on conflict (series) do update set last_number = s.last_number + ${count}, last_on = greatest(s.last_on, excluded.last_on)
      where s.last_on <= excluded.last_on + 1
    returning last_number - ${count} + 1 as number, last_on as on, last_sha256`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`the clock says ${today}, which is before the last document of series ${series}`)
  return { number: row.number, on: row.on, lastSha256: row.last_sha256 }
}

export async function setLastHash(tx: Tx, series: string, sha256: Buffer): Promise<void> {
  await tx.updateTable('number_series').set({ last_sha256: sha256 }).where('series', '=', series).execute()
}
