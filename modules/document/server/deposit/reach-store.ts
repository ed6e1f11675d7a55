/** Who reaches which deposit: one condition, which every read and every write by a caller goes through (decision 0252). */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findStanding, reachedByAccount, type Reacher } from '../../../../platform/reach/reach-store.ts'
import { toRecord, type DocumentRecord } from './store.ts'

/** True of the rows of `document` that the caller reaches. */
export const reachable = (caller: Reacher): RawBuilder<SqlBool> => reachedByAccount('document', caller)

const missing = () => new DomainError('not_found', 'document.not_found')

/** What is missing and what the caller does not reach look alike from outside (P-16). @throws DomainError `document.not_found` */
export async function findReachable(db: Db | Tx, caller: Reacher, id: string): Promise<DocumentRecord> {
  const row = await db.selectFrom('document').selectAll().where('id', '=', id).where(reachable(caller)).executeTakeFirst()
  if (row === undefined) throw missing()
  return toRecord(row)
}

/** The same, holding the row until the transaction ends. @throws DomainError `document.not_found` */
export async function lockReachable(tx: Tx, caller: Reacher, id: string): Promise<DocumentRecord> {
  const found = (await lockAllReachable(tx, caller, [id])).get(id)
  if (found === undefined) throw missing()
  return found
}

/** By id, those that are reached. Held in the order of their ids, so that nobody who holds several waits for another in a circle. */
export async function lockAllReachable(
  tx: Tx,
  caller: Reacher,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DocumentRecord>> {
  const rows = await tx
    .selectFrom('document')
    .selectAll()
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .where(reachable(caller))
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, toRecord(row)]))
}

/** By id, those that are reached. */
export async function findAllReachable(
  db: Db | Tx,
  caller: Reacher,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DocumentRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('document')
    .selectAll()
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .where(reachable(caller))
    .execute()
  return new Map(rows.map((row) => [row.id, toRecord(row)]))
}

/** Of the ids, those that are reached. */
export async function reachedAmong(db: Db | Tx, caller: Reacher, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('document')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .where(reachable(caller))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export type EarlierDeposit = { readonly id: string; readonly createdAt: Date; readonly sealedAt: Date | null }

/**
 * The earliest deposit of each fingerprint (64 digits) that the caller reaches: by one step of an index for each, however often one was
 * deposited. Drafts that nobody agreed to in time are none.
 */
export async function findEarliest(
  db: Db | Tx,
  caller: Reacher,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, EarlierDeposit>> {
  const distinct = [...new Set(fingerprints)]
  if (distinct.length === 0) return new Map()
  const standing = await findStanding(db, caller)
  const group = standing?.groupId ?? null
  const earliest = (whose: RawBuilder<SqlBool>) => sql`(
    select id, created_at, sealed_at from document where ${whose} and sha256 = decode(asked.sha256, 'hex') and status <> 'expired'
    order by created_at, id limit 1)`
  const parts = [
    earliest(sql<SqlBool>`owner_id = ${caller.accountId}::uuid and (group_id is null or group_id = ${group}::uuid)`),
    ...(standing?.manages === true ? [earliest(sql<SqlBool>`group_id = ${group}::uuid`)] : []),
  ]
  const { rows } = await sql<{ sha256: string; id: string; created_at: Date; sealed_at: Date | null }>`
    select asked.sha256, found.* from unnest(${distinct}::text[]) as asked (sha256),
      lateral (select * from (${sql.join(parts, sql` union all `)}) both_ways order by created_at, id limit 1) found`.execute(db)
  return new Map(rows.map((row) => [row.sha256, { id: row.id, createdAt: row.created_at, sealedAt: row.sealed_at }]))
}
