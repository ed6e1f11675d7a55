/** The SQL of certificates. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

/** Web processes hear here of every certificate that is new; the payload is its host. */
export const certificateChannel = 'tls_certificate'

/** @returns the key that is kept: whoever came first made it */
export async function keepAccountKey(db: Db, directory: string, key: Buffer, now: Date): Promise<Buffer> {
  await db
    .insertInto('tls_account')
    .values({ directory, key, made_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const kept = await db.selectFrom('tls_account').select('key').where('directory', '=', directory).executeTakeFirstOrThrow()
  return kept.key
}

export type CertificateRow = {
  readonly host: string
  readonly chain: string | null
  readonly key: Buffer | null
  readonly not_before: Date | null
  readonly not_after: Date | null
  readonly next_at: Date
  readonly failures: number
  readonly problem: string | null
}

export async function listCertificates(db: Db): Promise<readonly CertificateRow[]> {
  return await db.selectFrom('tls_certificate').selectAll().orderBy('host').execute()
}

/**
 * Takes a host's turn, once it has come: nobody else has it until `until`, whatever becomes of who took it.
 * @returns failures since the last certificate; null when it is not its turn
 */
export async function takeTurn(db: Db, host: string, now: Date, until: Date): Promise<number | null> {
  const taken = await db
    .insertInto('tls_certificate')
    .values({ host, next_at: until })
    .onConflict((conflict) => conflict.column('host').doUpdateSet({ next_at: until }).where('tls_certificate.next_at', '<=', now))
    .returning('failures')
    .executeTakeFirst()
  return taken?.failures ?? null
}

export async function keepCertificate(
  db: Db,
  of: {
    readonly host: string
    readonly chain: string
    readonly key: Buffer
    readonly notBefore: Date
    readonly notAfter: Date
    readonly nextAt: Date
  },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('tls_certificate')
      .set({
        chain: of.chain,
        key: of.key,
        not_before: of.notBefore,
        not_after: of.notAfter,
        next_at: of.nextAt,
        failures: 0,
        problem: null,
      })
      .where('host', '=', of.host)
      .execute()
    await announce(tx, of.host)
  })
}

const announce = async (tx: Tx, host: string): Promise<void> => {
  await sql`select pg_notify(${certificateChannel}, ${host})`.execute(tx)
}

export async function keepProblem(db: Db, host: string, failures: number, problem: string, nextAt: Date): Promise<void> {
  await db.updateTable('tls_certificate').set({ failures, problem, next_at: nextAt }).where('host', '=', host).execute()
}

/** @returns how many hosts have their turn now, whenever it was to be */
export async function bringForward(db: Db, now: Date, host?: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('tls_certificate')
    .set({ next_at: now })
    .where('next_at', '>', now)
    .$if(host !== undefined, (query) => query.where('host', '=', host ?? ''))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function keepAnswer(db: Db, token: string, answer: string, now: Date): Promise<void> {
  await db
    .insertInto('tls_challenge')
    .values({ token, answer, made_at: now })
    .onConflict((conflict) => conflict.column('token').doUpdateSet({ answer, made_at: now }))
    .execute()
}

export async function findAnswer(db: Db, token: string): Promise<string | null> {
  const found = await db.selectFrom('tls_challenge').select('answer').where('token', '=', token).executeTakeFirst()
  return found?.answer ?? null
}

export async function removeAnswer(db: Db, token: string): Promise<void> {
  await db.deleteFrom('tls_challenge').where('token', '=', token).execute()
}

/** What an order left that was killed. */
export async function removeOldAnswers(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('tls_challenge').where('made_at', '<', before).execute()
}
