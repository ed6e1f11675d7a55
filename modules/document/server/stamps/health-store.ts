/** When something is due on the time stamps of batches, and their renewals, as SQL. Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { PendingAuthority } from '../../../sealing/server/index.ts'
import type { BatchHealth, BatchSummary } from '../deposit/batch-store.ts'

/** Somebody has it still: of what closed accounts deposited by themselves nobody could be given a newer proof. */
const isHad: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select from document where document.batch_id = document_batch.id and document.content_deleted_at is null)`

/** Batches whose authorities are to be asked again by now, those that wait longest first. */
export async function listToAsk(db: Db | Tx, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('document_batch')
    .select('id')
    .where('ask_again_at', '<=', now)
    .where(isHad)
    .orderBy('ask_again_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** What asking again came to. The caller holds the batch, and has seen that nobody asked meanwhile. */
export async function updateAsked(
  db: Db | Tx,
  id: string,
  asked: {
    readonly pending: readonly PendingAuthority[]
    readonly askAgainAt: Date | null
    readonly times: number
    /** With the tokens that came; absent: none did. */
    readonly summary?: BatchSummary
  },
): Promise<void> {
  await db
    .updateTable('document_batch')
    .set({
      pending: JSON.stringify(asked.pending),
      ask_again_at: asked.askAgainAt,
      asked_again: asked.times,
      ...(asked.summary === undefined ? {} : { summary: JSON.stringify(asked.summary) }),
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Batches after `after` (by id) of which a time stamp is to be renewed by now. */
export async function listToRenew(
  db: Db | Tx,
  { now, after, limit }: { readonly now: Date; readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  let query = db.selectFrom('document_batch').select('id').where('renew_at', '<=', now).where(isHad)
  if (after !== null) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Sealed before the ends of their time stamps were kept. */
export async function listNotAssessed(db: Db | Tx, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('document_batch')
    .select('id')
    .where('state', '=', 'sealed')
    .where('assessed_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateHealth(db: Db | Tx, id: string, { stampedUntil, renewAt }: BatchHealth, now: Date): Promise<void> {
  await db
    .updateTable('document_batch')
    .set({ stamped_until: stampedUntil, renew_at: renewAt, assessed_at: now })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** A time stamp that renews others. */
export type Renewal = {
  readonly id: string
  /** TimeStampResp, and the certificates of its issuers, PEM. */
  readonly token: Uint8Array
  readonly ca: Uint8Array
  readonly authority: string
  readonly genTime: Date
  readonly serial: string
  readonly embedded: boolean
}

export type ChainRenewal = Renewal & {
  /** Of the seal, with which its chain begins: `document.tsr`. */
  readonly file: string
  /** From 1. */
  readonly number: number
  /** From the hash of the time stamp before it to what was stamped. */
  readonly path: readonly Uint8Array[]
}

export async function insertRenewal(tx: Tx, renewal: Renewal): Promise<void> {
  await tx
    .insertInto('document_renewal')
    .values({
      id: renewal.id,
      token: Buffer.from(renewal.token),
      ca: Buffer.from(renewal.ca),
      authority: renewal.authority,
      gen_time: renewal.genTime,
      serial: renewal.serial,
      embedded: renewal.embedded,
    })
    .execute()
}

/** The next time stamps of chains. The caller holds their batches, and has seen that they are the next. */
export async function insertChainRenewals(
  tx: Tx,
  renewalId: string,
  chains: readonly {
    readonly batchId: string
    readonly file: string
    readonly number: number
    readonly path: readonly Uint8Array[]
  }[],
): Promise<void> {
  await tx
    .insertInto('document_batch_renewal')
    .values(
      chains.map(({ batchId, file, number, path }) => ({
        batch_id: batchId,
        file,
        number,
        renewal_id: renewalId,
        path: Buffer.concat(path),
      })),
    )
    .execute()
}

/** Of a batch, in the order of their numbers. */
export async function listRenewals(db: Db | Tx, batchId: string): Promise<ChainRenewal[]> {
  const rows = await db
    .selectFrom('document_batch_renewal as each')
    .innerJoin('document_renewal as renewal', 'renewal.id', 'each.renewal_id')
    .select(['each.file', 'each.number', 'each.path'])
    .selectAll('renewal')
    .where('each.batch_id', '=', batchId)
    .orderBy('each.file')
    .orderBy('each.number')
    .execute()
  return rows.map(({ path, gen_time: genTime, ...row }) => ({
    ...row,
    genTime,
    path: Array.from({ length: path.length / 32 }, (_, i) => path.subarray(i * 32, i * 32 + 32)),
  }))
}
