import { randomBytes } from 'node:crypto'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { deleteUndoTokens, erasePerson, listDueForErasure } from './closing-store.ts'
import { deleteDelegationsOf, deleteOldDelegations, deleteSentTo } from '../sharing/delegation-store.ts'
import type { AccountJobDeps } from '../people/deps.ts'
import {
  countMembers,
  eraseGroup,
  deleteMember,
  deleteOldInvitations,
  findMembership,
  lockGroup,
} from '../sharing/group-store.ts'
import { eraseAccountJob } from '../people/jobs.ts'
import { lockPerson } from '../people/person-store.ts'
import { deleteProfile } from '../people/profile-store.ts'

type EraseDeps = Pick<AccountJobDeps, 'db' | 'clock' | 'eraseElsewhere'>

/** A referral code that nobody was ever given: the column wants one. */
function unusedCode(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  return Array.from(randomBytes(8), (byte) => letters[byte & 31]).join('')
}

/**
 * Erases a closed account whose time is over (H-38); whatever else, nothing happens. What other modules hold goes first, and the
 * account itself in one transaction after: killed anywhere, it is done again from the start, and the second time changes nothing
 * that the first did. What stays: the id, which the record of acts and the proofs name, and nothing that leads to a person.
 * @returns whether it is erased now
 */
export async function eraseAccount(deps: EraseDeps, userId: string): Promise<boolean> {
  const begun = await deps.db.transaction().execute(async (tx) => {
    const person = await lockPerson(tx, userId)
    const due = person?.eraseAfter ?? null
    if (person === null || person.status !== 'closing' || due === null || due > deps.clock.now()) return false
    // From here on nothing undoes it: else an account could be kept whose evidences were gone.
    await deleteUndoTokens(tx, userId)
    return true
  })
  if (!begun) return false

  const membership = await findMembership(deps.db, userId)
  const dissolved =
    membership?.role === 'owner' && (await countMembers(deps.db, membership.groupId)) === 1 ? membership.groupId : null
  await deps.eraseElsewhere(userId, dissolved)

  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const held = await lockPerson(tx, userId)
    if (held === null || held.status !== 'closing') return false
    if (dissolved !== null) {
      await lockGroup(tx, dissolved)
      await eraseGroup(tx, dissolved)
    }
    await deleteMember(tx, userId)
    await deleteDelegationsOf(tx, userId)
    await deleteSentTo(tx, userId)
    await deleteProfile(tx, userId)
    await erasePerson(tx, userId, unusedCode(), now)
    await recordAct(tx, now, { action: 'account.erased_account', actor: null, subject: { type: 'user', id: userId } })
    return true
  })
}

/** How long the addresses of strangers who were written to are kept once nothing hangs on them. */
const keptDays = 30
const batch = 100

/** @returns how many erasures were asked for */
export async function sweepAccounts(deps: Pick<AccountJobDeps, 'db' | 'clock'>): Promise<number> {
  const now = deps.clock.now()
  const before = new Date(now.getTime() - keptDays * 86_400_000)
  await deleteOldInvitations(deps.db, before)
  await deleteOldDelegations(deps.db, before)
  const due = await listDueForErasure(deps.db, now, batch)
  for (const id of due) await enqueue(deps.db, eraseAccountJob, { user_id: id }, { key: `erase_account:${id}` })
  return due.length
}
