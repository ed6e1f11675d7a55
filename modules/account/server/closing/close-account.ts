import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { keepAdministrator } from '../../../identity/server/index.ts'
import { undoHours } from '../../domain/closing.ts'
import { lockOwn } from '../profile/change-profile.ts'
import { deleteUndoTokens, findUndoToken, insertUndoToken, startClosing, stopClosing } from './closing-store.ts'
import type { AccountDeps } from '../people/deps.ts'
import { countMembers, findMembership, lockGroup } from '../sharing/group-store.ts'
import { sendMailJob } from '../people/jobs.ts'
import { mailedToken, tokenHash } from '../people/mailed-token.ts'
import { lockPerson } from '../people/person-store.ts'

/**
 * Closes the caller's own account: sessions end with this call, personal data go after 24 hours, and a mail has the link that
 * undoes it until then (H-38). @throws DomainError `account.group_has_members` for the owner of a group that others are in,
 * `identity.last_administrator`
 */
export async function closeAccount(deps: AccountDeps, actor: Actor, reason: string): Promise<{ eraseAfter: Date }> {
  const now = deps.clock.now()
  const eraseAfter = new Date(now.getTime() + undoHours * 3_600_000)
  const id = actor.userId
  return await deps.db.transaction().execute(async (tx) => {
    await keepAdministrator(tx, id)
    await lockOwn(tx, actor, id)
    const membership = await findMembership(tx, id)
    if (membership?.role === 'owner') {
      await lockGroup(tx, membership.groupId)
      // What they made belongs to the group: its owner hands it over or dissolves it knowingly.
      if ((await countMembers(tx, membership.groupId)) > 1) throw new DomainError('conflict', 'account.group_has_members')
    }
    await startClosing(tx, id, reason, now, eraseAfter)
    await deleteUndoTokens(tx, id)
    const token = randomUUIDv7()
    const hash = tokenHash(mailedToken(deps.secret, 'undo_closing', token))
    await insertUndoToken(tx, { id: token, userId: id, tokenHash: hash, expiresAt: eraseAfter }, now)
    await enqueue(tx, sendMailJob, { kind: 'closing', id: token })
    await recordAct(tx, now, { action: 'account.closed_account', actor, subject: { type: 'user', id } })
    return { eraseAfter }
  })
}

/** Keeps an account that was to be erased. Signs nobody in. @throws DomainError `account.undo_link_invalid` */
export async function undoClosing(deps: AccountDeps, key: string): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    const hash = tokenHash(key)
    const found = await findUndoToken(tx, hash, now)
    const person = found === null ? null : await lockPerson(tx, found.userId)
    // Erasure takes the link away before it begins, and may have come while we waited for the row.
    const valid = person?.status === 'closing' && (await findUndoToken(tx, hash, now)) !== null
    if (person === null || !valid) throw new DomainError('gone', 'account.undo_link_invalid')
    await stopClosing(tx, person.id)
    await deleteUndoTokens(tx, person.id)
    await enqueue(tx, sendMailJob, { kind: 'closing_undone', id: person.id })
    await recordAct(tx, now, { action: 'account.kept_account', actor: null, subject: { type: 'user', id: person.id } })
  })
}
