import type { Actor } from '../../../../kernel/actor.ts'
import { recordAct, type Act } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { findStanding } from '../../../../platform/reach/reach-store.ts'
import type { Caller } from './reach-store.ts'
import type { Ownership } from '../record/store.ts'

/** Whose an evidence becomes that the caller asks for: the account's for which he acts, within its group; null: nobody's. */
export async function ownershipFor(tx: Tx, { actor }: Caller): Promise<Ownership | null> {
  if (actor == null) return null
  const standing = await findStanding(tx, actor)
  return { ownerId: actor.accountId, createdBy: actor.userId, groupId: standing?.groupId ?? null }
}

/** Words are `evidence.act.<verb>`. */
export const evidenceActs = [
  'created',
  'agreed',
  'withdrew',
  'rejected',
  'trashed',
  'restored',
  'deleted',
  'claimed',
  'labelled',
  'stored',
  'unstored',
  'package_asked',
] as const

/**
 * The line of the record of acts, last in the transaction that does it. What visitors without account do is not in it: nobody
 * could read it as his own, and they hold nothing but a token.
 */
export async function recordEvidenceAct(
  tx: Tx,
  now: Date,
  verb: (typeof evidenceActs)[number],
  { actor }: { readonly actor?: Pick<Actor, 'userId' | 'accountId'> | null },
  evidenceId: string,
  data: NonNullable<Act['data']> = {},
): Promise<void> {
  if (actor == null) return
  await recordAct(tx, now, { action: `evidence.${verb}`, actor, subject: { type: 'evidence', id: evidenceId }, data })
}
