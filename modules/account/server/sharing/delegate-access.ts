import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import type { Actor, GrantedAccess } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Page } from '../../../../kernel/page.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { AccessDelegation, delegationBody } from '../../contract/sharing.ts'
import { expiryFault, mostDelegations } from '../../domain/delegation.ts'
import {
  bindDelegations,
  countInForce,
  endDelegation as end,
  endExpired,
  findReceived,
  hasDelegation,
  insertDelegation,
  listDelegations as list,
  type DelegationRow,
} from './delegation-store.ts'
import type { AccountDeps } from '../people/deps.ts'
import { assertMayWrite, parsedAddress } from './invite-member.ts'
import { sendMailJob } from '../people/jobs.ts'
import { findPersonByAddress, hasAddress, lockPerson, nameOf } from '../people/person-store.ts'

function present(row: DelegationRow, userId: string): AccessDelegation {
  return {
    id: row.id,
    direction: row.grantorId === userId ? 'granted' : 'received',
    grantor: { id: row.grantorId, name: row.grantorName, email: row.grantorEmail },
    email: row.address,
    scope: row.scope,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }
}

/**
 * Lets whoever has that mailbox act in the caller's account. Nothing in the answer tells whether it has an account (decision 0244).
 * @throws DomainError `account.delegation_to_self`, `account.delegation_exists`, `account.too_many_delegations`, `account.too_many_mails`
 */
export async function createDelegation(
  deps: AccountDeps,
  actor: Actor,
  body: z.infer<typeof delegationBody>,
): Promise<AccessDelegation> {
  const now = deps.clock.now()
  const { address, key } = parsedAddress(body.email)
  const expiresAt = new Date(body.expires_at)
  const fault = expiryFault(expiresAt.getTime(), now.getTime())
  if (fault !== null) throw new DomainError('invalid', 'account.delegation_invalid', {}, { fields: { expires_at: [fault] } })
  return await deps.db.transaction().execute(async (tx) => {
    const grantor = await lockPerson(tx, actor.userId)
    if (grantor === null || grantor.status !== 'active') throw new DomainError('not_found', 'account.profile_not_found')
    if (await hasAddress(tx, grantor.id, key)) throw new DomainError('conflict', 'account.delegation_to_self')
    await endExpired(tx, grantor.id, now)
    if (await hasDelegation(tx, grantor.id, key)) throw new DomainError('conflict', 'account.delegation_exists')
    if ((await countInForce(tx, grantor.id, now)) >= mostDelegations)
      throw new DomainError('conflict', 'account.too_many_delegations', { most: mostDelegations })
    await assertMayWrite(tx, actor, now)
    const row: DelegationRow = {
      id: randomUUIDv7(),
      grantorId: grantor.id,
      grantorName: nameOf(grantor),
      grantorEmail: grantor.email,
      delegateId: (await findPersonByAddress(tx, key))?.id ?? null,
      address,
      addressKey: key,
      scope: body.scope,
      createdAt: now,
      expiresAt,
    }
    await insertDelegation(tx, row)
    await enqueue(tx, sendMailJob, { kind: 'delegation_received', id: row.id })
    await enqueue(tx, sendMailJob, { kind: 'delegation_granted', id: row.id })
    const subject = { type: 'delegation', id: row.id }
    const data = { scope: row.scope, expires_at: expiresAt.toISOString() }
    await recordAct(tx, now, { action: 'account.granted_access', actor, subject, data })
    return present(row, actor.userId)
  })
}

export async function listDelegations(
  deps: AccountDeps,
  actor: Actor,
  query: { readonly direction: 'granted' | 'received' | null; readonly limit: number; readonly offset: number },
): Promise<Page<AccessDelegation>> {
  await bindDelegations(deps.db, actor.userId)
  const page = await list(deps.db, actor.userId, query.direction, deps.clock.now(), query)
  return { count: page.count, rows: page.rows.map((row) => present(row, actor.userId)) }
}

/** By its grantor or its delegate; it ends with this call, wherever the delegate is. Both are told. */
export async function endDelegation(deps: AccountDeps, actor: Actor, id: string): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    if (!(await end(tx, id, actor.userId, now))) throw new DomainError('not_found', 'account.delegation_unknown')
    await enqueue(tx, sendMailJob, { kind: 'delegation_lost', id })
    await enqueue(tx, sendMailJob, { kind: 'delegation_over', id })
    await recordAct(tx, now, { action: 'account.ended_access', actor, subject: { type: 'delegation', id } })
  })
}

/**
 * What a delegation opens to a user at a moment, for whoever tells who calls; null when it is not his, has ended, or the account
 * that it opens is not open itself.
 */
export async function findDelegation(db: Db, id: string, userId: string, now: Date): Promise<GrantedAccess | null> {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null
  const found = await findReceived(db, id, userId, now)
  if (found !== null) return found
  await bindDelegations(db, userId)
  return await findReceived(db, id, userId, now)
}
