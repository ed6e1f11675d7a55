import type { Actor } from '../../../../kernel/actor.ts'
import { recordAct, type Act } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { findStanding } from '../../../../platform/reach/reach-store.ts'
import type { Depositor } from './store.ts'

/** Whose a deposit becomes: the account's for which the caller acts, within its group. */
export async function depositorFor(tx: Tx, actor: Actor): Promise<Depositor> {
  const standing = await findStanding(tx, actor)
  return {
    ownerId: actor.accountId,
    createdBy: actor.userId,
    groupId: standing?.groupId ?? null,
    apiKey: actor.apiKey?.name ?? null,
  }
}

/** Words are `document.act.<verb>`. */
export const documentActs = [
  'deposited',
  'deposited_many',
  'agreed',
  'agreed_many',
  'disagreed',
  'described',
  'trashed',
  'restored',
  'discarded',
  'shared',
  'unshared',
  'copy_sent',
  'copy_deleted',
  'copy_wished',
  'copy_unwished',
] as const

/** The line of the record of acts, last in the transaction that does it. */
export async function recordDocumentAct(
  tx: Tx,
  now: Date,
  verb: (typeof documentActs)[number],
  actor: Pick<Actor, 'userId' | 'accountId' | 'apiKey'>,
  /** Of a deposit; of several at once, of the first of them. */
  id: string,
  data: NonNullable<Act['data']> = {},
): Promise<void> {
  await recordAct(tx, now, { action: `document.${verb}`, actor, subject: { type: 'document', id }, data })
}
