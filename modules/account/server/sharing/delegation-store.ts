/** The SQL of who may act in whose account. */
import type { DelegationScope, GrantedAccess } from '../../../../kernel/actor.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type DelegationRow = {
  readonly id: string
  readonly grantorId: string
  readonly grantorName: string
  readonly grantorEmail: string
  readonly delegateId: string | null
  readonly address: string
  readonly addressKey: string
  readonly scope: DelegationScope
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type NewDelegation = Omit<DelegationRow, 'grantorName' | 'grantorEmail'>

export async function insertDelegation(tx: Tx, row: NewDelegation): Promise<void> {
  await tx
    .insertInto('access_delegation')
    .values({
      id: row.id,
      grantor_id: row.grantorId,
      delegate_id: row.delegateId,
      address: row.address,
      address_key: row.addressKey,
      scope: row.scope,
      created_at: row.createdAt,
      expires_at: row.expiresAt,
    })
    .execute()
}

/** What was granted to an address before it was anybody's becomes that of whoever proved that it is his; for good. */
export async function bindDelegations(db: Db | Tx, userId: string): Promise<void> {
  await db
    .updateTable('access_delegation')
    .set({ delegate_id: userId })
    .where('delegate_id', 'is', null)
    .where('ended_at', 'is', null)
    .where('grantor_id', '!=', userId)
    .where('address_key', 'in', (eb) =>
      eb.selectFrom('email_address').select('address_key').where('user_id', '=', userId).where('verified_at', 'is not', null),
    )
    .execute()
}

function inForce(db: Db | Tx, now: Date) {
  return db
    .selectFrom('access_delegation')
    .innerJoin('account_user', 'account_user.id', 'access_delegation.grantor_id')
    .where('access_delegation.ended_at', 'is', null)
    .where('access_delegation.expires_at', '>', now)
    .where('account_user.status', '=', 'active')
}

/** Of that delegate, in force, in an account that is open. */
export async function findReceived(db: Db | Tx, id: string, delegateId: string, now: Date): Promise<GrantedAccess | null> {
  const row = await inForce(db, now)
    .select(['grantor_id', 'scope', 'access_delegation.expires_at'])
    .where('access_delegation.id', '=', id)
    .where('delegate_id', '=', delegateId)
    .executeTakeFirst()
  return row === undefined ? null : { grantorId: row.grantor_id, scope: row.scope as DelegationScope, expiresAt: row.expires_at }
}

/** Whether that delegate has any access to the grantor's account that is in force. */
export async function hasAccess(db: Db | Tx, delegateId: string, grantorId: string, now: Date): Promise<boolean> {
  const row = await inForce(db, now)
    .select('access_delegation.id')
    .where('delegate_id', '=', delegateId)
    .where('grantor_id', '=', grantorId)
    .executeTakeFirst()
  return row !== undefined
}

function described(db: Db | Tx, now: Date) {
  return inForce(db, now).leftJoin('email_address', (join) =>
    join.onRef('email_address.user_id', '=', 'account_user.id').on('email_address.is_primary', '=', true),
  )
}

const columns = [
  'access_delegation.id',
  'access_delegation.grantor_id',
  'account_user.first_name',
  'account_user.last_name',
  'email_address.address as grantor_email',
  'access_delegation.delegate_id',
  'access_delegation.address',
  'access_delegation.address_key',
  'access_delegation.scope',
  'access_delegation.created_at',
  'access_delegation.expires_at',
] as const

type Row = {
  id: string
  grantor_id: string
  first_name: string
  last_name: string
  grantor_email: string | null
  delegate_id: string | null
  address: string
  address_key: string
  scope: string
  created_at: Date
  expires_at: Date
}

function toDelegation(row: Row): DelegationRow {
  return {
    id: row.id,
    grantorId: row.grantor_id,
    grantorName: `${row.first_name} ${row.last_name}`.trim(),
    grantorEmail: row.grantor_email ?? '',
    delegateId: row.delegate_id,
    address: row.address,
    addressKey: row.address_key,
    scope: row.scope as DelegationScope,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

/** One in force. */
export async function findDelegationById(db: Db | Tx, id: string, now: Date): Promise<DelegationRow | null> {
  const row = await described(db, now).select(columns).where('access_delegation.id', '=', id).executeTakeFirst()
  return row === undefined ? null : toDelegation(row)
}

/** Whatever became of it: for the mails that tell of its end. */
export async function findAnyDelegation(
  db: Db,
  id: string,
): Promise<{ grantorId: string; delegateId: string | null; address: string; ended: boolean } | null> {
  const row = await db
    .selectFrom('access_delegation')
    .select(['grantor_id', 'delegate_id', 'address', 'ended_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  return { grantorId: row.grantor_id, delegateId: row.delegate_id, address: row.address, ended: row.ended_at !== null }
}

/** Newest first, those in force. */
export async function listDelegations(
  db: Db,
  userId: string,
  direction: 'granted' | 'received' | null,
  now: Date,
  page: { readonly limit: number; readonly offset: number },
): Promise<Page<DelegationRow>> {
  const found = described(db, now).where((eb) => {
    const granted = eb('access_delegation.grantor_id', '=', userId)
    const received = eb('access_delegation.delegate_id', '=', userId)
    return direction === 'granted' ? granted : direction === 'received' ? received : eb.or([granted, received])
  })
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await found
    .select(columns)
    .orderBy('access_delegation.created_at', 'desc')
    .orderBy('access_delegation.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { count, rows: rows.map(toDelegation) }
}

export async function countInForce(tx: Tx, grantorId: string, now: Date): Promise<number> {
  const { count } = await inForce(tx, now)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('access_delegation.grantor_id', '=', grantorId)
    .executeTakeFirstOrThrow()
  return count
}

/** Those that expired are over: the same address may be given access anew. */
export async function endExpired(tx: Tx, grantorId: string, now: Date): Promise<void> {
  await tx
    .updateTable('access_delegation')
    .set({ ended_at: now })
    .where('grantor_id', '=', grantorId)
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute()
}

export async function hasDelegation(tx: Tx, grantorId: string, addressKey: string): Promise<boolean> {
  const row = await tx
    .selectFrom('access_delegation')
    .select('id')
    .where('grantor_id', '=', grantorId)
    .where('address_key', '=', addressKey)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** By its grantor or its delegate. @returns whether it was in force until now */
export async function endDelegation(tx: Tx, id: string, userId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('access_delegation')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where((eb) => eb.or([eb('grantor_id', '=', userId), eb('delegate_id', '=', userId)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** How many strangers that user had written to since then: mails are not his to flood others with. */
export async function countWrittenTo(tx: Tx, userId: string, since: Date): Promise<number> {
  const granted = await tx
    .selectFrom('access_delegation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('grantor_id', '=', userId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  const invited = await tx
    .selectFrom('group_invitation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('invited_by', '=', userId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return granted.count + invited.count
}

/** Of an account that goes: what it granted and what it was granted. */
export async function deleteDelegationsOf(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('access_delegation')
    .where((eb) => eb.or([eb('grantor_id', '=', userId), eb('delegate_id', '=', userId)]))
    .execute()
}

/** Of every address that was his: whoever has that mailbox later gets nothing that was meant for him. */
export async function deleteSentTo(tx: Tx, userId: string): Promise<void> {
  const keys = tx
    .selectFrom('email_address')
    .select('address_key')
    .where('user_id', '=', userId)
    .where('verified_at', 'is not', null)
  await tx.deleteFrom('access_delegation').where('address_key', 'in', keys).execute()
  await tx.deleteFrom('group_invitation').where('address_key', 'in', keys).execute()
}

/** Strangers' addresses are not kept for longer than needed. */
export async function deleteOldDelegations(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('access_delegation')
    .where((eb) => eb.or([eb('expires_at', '<', before), eb('ended_at', '<', before)]))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Every one ever, in force or over, as long as it is kept: for the export. */
export async function listAllDelegations(db: Db, userId: string) {
  return await db
    .selectFrom('access_delegation')
    .select(['id', 'grantor_id', 'address', 'scope', 'created_at', 'expires_at', 'ended_at'])
    .where((eb) => eb.or([eb('grantor_id', '=', userId), eb('delegate_id', '=', userId)]))
    .orderBy('created_at')
    .execute()
}
