/**
 * Who reaches which evidence: one condition, which every read and every write by a caller goes through (decision 0252).
 * Every function takes the database or the transaction first.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { reachedByAccount, type Reacher as AccountReacher } from '../../../../platform/reach/reach-store.ts'
import { hashOf } from './hold-evidence.ts'
import { toRecord, type EvidenceRecord } from '../record/store.ts'

/** What a call showed of its caller. */
export type Caller = {
  readonly actor?: Actor | null
  /** Of the very evidence, or of another: that is what is asked here. */
  readonly evidenceToken?: string | undefined
}

/** As much of a caller as reach depends on. */
export type Reacher = Omit<Caller, 'actor'> & {
  readonly actor?: AccountReacher | null
  /** Of a token that was shown before. */
  readonly tokenHash?: Buffer
}

/** Whose lists and limits the call counts by. */
export function accountOf({ actor }: Caller): string | null {
  return actor?.accountId ?? null
}

/**
 * True of the rows of `evidence` that the caller reaches: while it is nobody's, whoever holds its token; once it is somebody's, whoever
 * reaches it by his account.
 */
export function reachable(caller: Reacher): RawBuilder<SqlBool> {
  const ways: RawBuilder<SqlBool>[] = []
  const { actor, evidenceToken } = caller
  const tokenHash = evidenceToken === undefined ? caller.tokenHash : hashOf(evidenceToken)
  if (tokenHash !== undefined) ways.push(sql<SqlBool>`(evidence.owner_id is null and evidence.token_hash = ${tokenHash})`)
  if (actor != null) ways.push(reachedByAccount('evidence', actor))
  return ways.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(ways, sql` or `)})`
}

const missing = () => new DomainError('not_found', 'evidence.not_found')

/** What is missing and what the caller does not reach look alike from outside (P-16). @throws DomainError `evidence.not_found` */
export async function findReachable(db: Db | Tx, caller: Reacher, id: string): Promise<EvidenceRecord> {
  const row = await db.selectFrom('evidence').selectAll().where('id', '=', id).where(reachable(caller)).executeTakeFirst()
  if (row === undefined) throw missing()
  return toRecord(row)
}

/** The same, holding the row until the transaction ends. @throws DomainError `evidence.not_found` */
export async function lockReachable(tx: Tx, caller: Caller, id: string): Promise<EvidenceRecord> {
  const row = await tx
    .selectFrom('evidence')
    .selectAll()
    .where('id', '=', id)
    .where(reachable(caller))
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw missing()
  return toRecord(row)
}
