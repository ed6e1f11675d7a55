/** The SQL of live sessions. Every instant is the database's own clock; every function takes the database or transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

const now = sql<Date>`clock_timestamp()`

/** How a viewer's connection reaches a session. */
export type SessionDoor = {
  /** `host:port` of the capture process that has it. */
  readonly address: string
  /** 256 bits that only that process and this database know. */
  readonly key: Buffer
}

/**
 * Says that a claimed session can be joined.
 * @returns false when the claim is no longer that holder's: then nothing was written
 */
export async function insertSession(
  db: Db,
  session: SessionDoor & { readonly evidenceId: string; readonly fence: number; readonly sessionMs: number },
): Promise<boolean> {
  const { evidenceId, fence, address, key, sessionMs } = session
  const done = await sql`
    with held as (
      select id, fence from evidence where id = ${evidenceId}::uuid and fence = ${fence}
        and lease_until > clock_timestamp() and status in ('preparing', 'capturing') for update)
    insert into live_session (evidence_id, fence, address, key, session_ms)
    select id, fence, ${address}, ${key}, ${sessionMs} from held
    on conflict (evidence_id) do update set fence = excluded.fence, address = excluded.address, key = excluded.key,
      session_ms = excluded.session_ms, opened_at = clock_timestamp() where live_session.fence <= excluded.fence`.execute(db)
  return done.numAffectedRows === 1n
}

/** It can be joined no more, though its capture may go on to complete it. */
export async function deleteSession(db: Db, evidenceId: string, fence: number): Promise<void> {
  await db.deleteFrom('live_session').where('evidence_id', '=', evidenceId).where('fence', '=', fence).execute()
}

/** The way to a session whose capture process still gives signs of life; null: there is none, or its owner's account is not open. */
export async function findSession(db: Db | Tx, evidenceId: string): Promise<SessionDoor | null> {
  const row = await db
    .selectFrom('live_session as s')
    .innerJoin('evidence as e', 'e.id', 's.evidence_id')
    .select(['s.address', 's.key'])
    .where('s.evidence_id', '=', evidenceId)
    .whereRef('s.fence', '=', 'e.fence')
    .where('e.lease_until', '>', now)
    .where(sql<boolean>`not exists (select from account_user u where u.id = e.owner_id and u.status <> 'active')`)
    .executeTakeFirst()
  return row ?? null
}

/** In whose account a session is, and whether that is open; nobody's is. Null: there is no such evidence. */
export async function findHost(
  db: Db,
  evidenceId: string,
): Promise<{ readonly ownerId: string | null; readonly open: boolean } | null> {
  const row = await db
    .selectFrom('evidence')
    .leftJoin('account_user', 'account_user.id', 'evidence.owner_id')
    .select(['evidence.owner_id', 'account_user.status'])
    .where('evidence.id', '=', evidenceId)
    .executeTakeFirst()
  return row === undefined ? null : { ownerId: row.owner_id, open: row.owner_id === null || row.status === 'active' }
}

/** How far the visitor's time has come; null: there is no session to join. */
export async function findLiveTime(
  db: Db | Tx,
  evidenceId: string,
): Promise<{ readonly beganAt: Date | null; readonly remainingMs: number | null } | null> {
  const row = await db
    .selectFrom('live_session as s')
    .innerJoin('evidence as e', 'e.id', 's.evidence_id')
    .select([
      sql<Date | null>`case when e.status = 'capturing' then e.status_changed_at end`.as('began_at'),
      sql<number | null>`case when e.status = 'capturing' and e.progress ->> 'phase' = 'capturing' then
        greatest(0, s.session_ms - 1000 * extract(epoch from clock_timestamp() - e.status_changed_at))::integer end`.as(
        'remaining_ms',
      ),
    ])
    .where('s.evidence_id', '=', evidenceId)
    .whereRef('s.fence', '=', 'e.fence')
    .executeTakeFirst()
  return row === undefined ? null : { beganAt: row.began_at, remainingMs: row.remaining_ms }
}

/** Sessions under way or waiting that a token holds, and that a block of addresses asked for. Others that ask wait for this one. */
export async function countSessions(
  tx: Tx,
  who: { readonly tokenHash: Buffer | null; readonly source: Buffer | null },
): Promise<{ readonly byToken: number; readonly bySource: number }> {
  const count = async (column: 'token_hash' | 'asker', value: Buffer | null) => {
    if (value === null) return 0
    await sql`select pg_advisory_xact_lock(hashtextextended(${value.toString('hex')}, 0))`.execute(tx)
    const row = await tx
      .selectFrom('evidence')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(column, '=', value)
      .where('action', '=', 'interactive')
      .where('status', 'in', ['queued', 'preparing', 'capturing'])
      .executeTakeFirstOrThrow()
    return row.count
  }
  return { byToken: await count('token_hash', who.tokenHash), bySource: await count('asker', who.source) }
}

/** Sessions under way or waiting of an account. Others of that account that ask wait for this one. */
export async function countAccountSessions(tx: Tx, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 1))`.execute(tx)
  const { count } = await tx
    .selectFrom('evidence')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', accountId)
    .where('category', '=', 'draft')
    .where('action', '=', 'interactive')
    .where('status', 'in', ['queued', 'preparing', 'capturing'])
    .executeTakeFirstOrThrow()
  return count
}

export type WitnessRecord = {
  readonly id: string
  readonly evidenceId: string
  readonly label: string
  readonly createdAt: Date
  readonly revokedAt: Date | null
  readonly invitedBy: Inviter
}

/** By whom, and by which delegation; by nobody's name: the holder of a draft without account. */
type Inviter = { readonly for?: string | undefined; readonly delegation?: string | undefined }

type WitnessRow = {
  id: string
  evidence_id: string
  label: string
  created_at: Date
  revoked_at: Date | null
  invited_by: string | null
  invited_with: string | null
}
const toWitness = (row: WitnessRow): WitnessRecord => ({
  id: row.id,
  evidenceId: row.evidence_id,
  label: row.label,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  invitedBy: { for: row.invited_by ?? undefined, delegation: row.invited_with ?? undefined },
})

/** Oldest first. The caller holds the evidence's row where the number matters. */
export async function listWitnesses(db: Db | Tx, evidenceId: string): Promise<WitnessRecord[]> {
  const rows = await db
    .selectFrom('live_witness')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toWitness)
}

export async function insertWitness(
  tx: Tx,
  witness: Pick<WitnessRecord, 'id' | 'evidenceId' | 'label' | 'invitedBy'> & { readonly tokenHash: Buffer },
): Promise<WitnessRecord> {
  const row = await tx
    .insertInto('live_witness')
    .values({
      id: witness.id,
      evidence_id: witness.evidenceId,
      label: witness.label,
      token_hash: witness.tokenHash,
      invited_by: witness.invitedBy.for ?? null,
      invited_with: witness.invitedBy.delegation ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toWitness(row)
}

/** Idempotent. @returns null when there is no such witness of that evidence */
export async function revokeWitness(db: Db, evidenceId: string, id: string): Promise<WitnessRecord | null> {
  const row = await db
    .updateTable('live_witness')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, clock_timestamp())` })
    .where('id', '=', id)
    .where('evidence_id', '=', evidenceId)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toWitness(row)
}

export async function findWitness(
  db: Db,
  by: { readonly tokenHash: Buffer } | { readonly id: string; readonly evidenceId: string },
): Promise<WitnessRecord | null> {
  const all = db.selectFrom('live_witness').selectAll()
  const one =
    'tokenHash' in by
      ? all.where('token_hash', '=', by.tokenHash)
      : all.where('id', '=', by.id).where('evidence_id', '=', by.evidenceId)
  const row = await one.executeTakeFirst()
  return row === undefined ? null : toWitness(row)
}

/** One at a time of an evidence: a new one takes the place of the one before. @returns when it ends */
export async function keepHandOff(
  db: Db,
  handOff: {
    readonly evidenceId: string
    readonly codeHash: Buffer
    readonly sealedToken: string
    readonly seconds: number
  },
): Promise<Date> {
  const values = {
    code_hash: handOff.codeHash,
    sealed_token: handOff.sealedToken,
    expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${handOff.seconds})`,
  }
  const row = await db
    .insertInto('live_hand_off')
    .values({ evidence_id: handOff.evidenceId, ...values })
    .onConflict((conflict) => conflict.column('evidence_id').doUpdateSet(values))
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return row.expires_at
}

/** Gives it once. @returns null when there is none, or its time is over */
export async function takeHandOff(
  db: Db,
  codeHash: Buffer,
): Promise<{ readonly evidenceId: string; readonly sealedToken: string } | null> {
  const row = await db
    .deleteFrom('live_hand_off')
    .where('code_hash', '=', codeHash)
    .returning(['evidence_id', 'sealed_token', sql<boolean>`expires_at > clock_timestamp()`.as('good')])
    .executeTakeFirst()
  return row?.good === true ? { evidenceId: row.evidence_id, sealedToken: row.sealed_token } : null
}

export async function deleteOldHandOffs(db: Db): Promise<void> {
  await db.deleteFrom('live_hand_off').where('expires_at', '<=', now).execute()
}
