import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findPeople } from '../../../../platform/reach/people-store.ts'
import type { AskedBy } from '../../../report/server/index.ts'
import type { EvidenceRecord } from '../record/store.ts'

/** Who asked for an evidence, as its report says it: «X for Y» where a delegate did (decision H-22). */
export async function askedByOf(
  db: Db | Tx,
  { ownerId, createdBy, claimedAt }: Pick<EvidenceRecord, 'ownerId' | 'createdBy' | 'claimedAt'>,
): Promise<AskedBy> {
  const people = await findPeople(db, [ownerId, createdBy])
  const account = (id: string) => {
    const person = people.get(id)
    return { name: person?.name ?? '', confirmedAt: person?.confirmedAt?.toISOString() ?? null }
  }
  if (ownerId === null) return { kind: 'without_account' }
  if (createdBy !== null)
    return { kind: 'account', ...account(createdBy), owner: createdBy === ownerId ? null : account(ownerId) }
  // Whatever became somebody's without his having asked for it was taken over: the database holds both together.
  return claimedAt === null
    ? { kind: 'without_account' }
    : { kind: 'claimed', owner: account(ownerId), at: claimedAt.toISOString() }
}
