/** The SQL of deposits. Every function takes the database or the transaction first. */
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Category, Status } from '../../domain/status.ts'

export type DocumentRecord = {
  readonly id: string
  readonly ownerId: string
  readonly groupId: string | null
  readonly createdBy: string
  readonly apiKey: string | null
  readonly clientId: string | null
  readonly batchId: string | null
  /** 32 octets, and 64. */
  readonly sha256: Uint8Array
  readonly sha512: Uint8Array | null
  /** Null: not told. */
  readonly name: string | null
  readonly label: string
  readonly description: string
  readonly store: boolean
  readonly replaces: string | null
  readonly status: Status
  readonly category: Category
  readonly createdAt: Date
  readonly sealedAt: Date | null
  /** Of those that are paid for together. */
  readonly paymentId: string | null
  readonly expiresAt: Date | null
  readonly trashedAt: Date | null
  readonly contentDeletedAt: Date | null
  readonly shareNonce: Uint8Array | null
  readonly version: number
}

export function toRecord(row: Selectable<Database['document']>): DocumentRecord {
  return {
    id: row.id,
    ownerId: row.owner_id,
    groupId: row.group_id,
    createdBy: row.created_by,
    apiKey: row.api_key,
    clientId: row.client_id,
    batchId: row.batch_id,
    sha256: row.sha256,
    sha512: row.sha512,
    name: row.name,
    label: row.label,
    description: row.description,
    store: row.store,
    replaces: row.replaces,
    status: row.status as Status,
    category: row.category as Category,
    createdAt: row.created_at,
    sealedAt: row.sealed_at,
    paymentId: row.payment_id,
    expiresAt: row.expires_at,
    trashedAt: row.trashed_at,
    contentDeletedAt: row.content_deleted_at,
    shareNonce: row.share_nonce,
    version: row.version,
  }
}

/** Whose deposits are made, by whom. */
export type Depositor = {
  readonly ownerId: string
  readonly createdBy: string
  readonly groupId: string | null
  readonly apiKey: string | null
}

export type NewDocument = {
  readonly id: string
  readonly clientId: string | null
  readonly batchId: string | null
  readonly sha256: string
  readonly sha512: string | null
  readonly name: string | null
  readonly label: string
  readonly description: string
  readonly store: boolean
  readonly replaces: string | null
}

/** Whoever deposits for one account, or counts its drafts, comes one after the other: held until the transaction ends. */
export async function holdDeposits(tx: Tx, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('document'), hashtext(${ownerId}))`.execute(tx)
}

/** Those of the marks that an earlier call left. */
export async function findByClientIds(
  db: Db | Tx,
  ownerId: string,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, DocumentRecord>> {
  if (clientIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('document')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where(sql<boolean>`client_id = any(${[...clientIds]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.client_id ?? '', toRecord(row)]))
}

/** All by one statement, however many. */
export async function insertDocuments(
  tx: Tx,
  {
    depositor,
    status,
    expiresAt,
    now,
  }: { depositor: Depositor; status: 'draft' | 'stamping'; expiresAt: Date | null; now: Date },
  documents: readonly NewDocument[],
): Promise<void> {
  if (documents.length === 0) return
  const column = <T>(of: (each: NewDocument) => T) => documents.map(of)
  await sql`
    insert into document (id, owner_id, group_id, created_by, api_key, client_id, batch_id, sha256, sha512, name, label, description, store,
      replaces, status, status_changed_at, created_at, expires_at)
    select each.id, ${depositor.ownerId}::uuid, ${depositor.groupId}::uuid, ${depositor.createdBy}::uuid, ${depositor.apiKey}::text,
      each.client_id, each.batch_id, decode(each.sha256, 'hex'), decode(each.sha512, 'hex'), each.name, each.label, each.description,
      each.store, each.replaces, ${status}, ${now}::timestamptz, ${now}::timestamptz, ${expiresAt}::timestamptz
    from unnest(${column(({ id }) => id)}::uuid[], ${column(({ clientId }) => clientId)}::uuid[],
      ${column(({ batchId }) => batchId)}::uuid[], ${column(({ sha256 }) => sha256)}::text[],
      ${column(({ sha512 }) => sha512)}::text[], ${column(({ name }) => name)}::text[], ${column(({ label }) => label)}::text[],
      ${column(({ description }) => description)}::text[], ${column(({ store }) => store)}::boolean[],
      ${column(({ replaces }) => replaces)}::uuid[])
      as each (id, client_id, batch_id, sha256, sha512, name, label, description, store, replaces)`.execute(tx)
}

export async function findDocuments(db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, DocumentRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('document')
    .selectAll()
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, toRecord(row)]))
}

export async function findDocument(db: Db | Tx, id: string): Promise<DocumentRecord | null> {
  return (await findDocuments(db, [id])).get(id) ?? null
}

export async function countDrafts(db: Db | Tx, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('document')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('category', '=', 'pending')
    .where('status', '=', 'draft')
    .executeTakeFirstOrThrow()
  return count
}

/** What may be said anew of a deposit; undefined stays as it is. */
export async function describeDocument(
  tx: Tx,
  id: string,
  said: {
    readonly name?: string | null | undefined
    readonly label?: string | undefined
    readonly description?: string | undefined
    readonly replaces?: string | null | undefined
  },
): Promise<void> {
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) return
  await tx.updateTable('document').set(given).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Agreed to: each waits for the seal of its batch. The caller holds the rows and has asked the domain. */
export async function setStamping(
  tx: Tx,
  documents: readonly { readonly id: string; readonly batchId: string }[],
  now: Date,
): Promise<void> {
  await sql`
    update document set status = 'stamping', status_changed_at = ${now}::timestamptz, expires_at = null, batch_id = each.batch_id
    from unnest(${documents.map(({ id }) => id)}::uuid[], ${documents.map(({ batchId }) => batchId)}::uuid[]) as each (id, batch_id)
    where document.id = each.id`.execute(tx)
}

/** E-33: whether the file itself is to be kept too. */
export async function setStore(tx: Tx, id: string, store: boolean): Promise<void> {
  await tx.updateTable('document').set({ store }).where('id', '=', id).executeTakeFirstOrThrow()
}

export async function setTrashed(tx: Tx, id: string, at: Date | null): Promise<void> {
  await tx.updateTable('document').set({ trashed_at: at }).where('id', '=', id).executeTakeFirstOrThrow()
}

/** A draft or a failed one that is thrown away, or whose day is over. */
export async function setExpired(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  await sql`update document set status = 'expired', status_changed_at = ${now}::timestamptz, expires_at = null
    where id = any(${[...ids]}::uuid[])`.execute(tx)
}
