import type { Actor } from '../../../../kernel/actor.ts'
import { recordAct, type Act } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'

/** Words are `licensing.act.<verb>`. */
export const licensingActs = [
  'offer_prepared',
  'offer_changed',
  'offer_opened',
  'offer_stopped',
  'license_asked',
  'license_changed',
  'license_given_up',
] as const

/** The line of the record of acts, last in the transaction that does it. */
export async function recordLicensingAct(
  tx: Tx,
  now: Date,
  verb: (typeof licensingActs)[number],
  actor: Pick<Actor, 'userId' | 'accountId'>,
  id: string,
  data: NonNullable<Act['data']> = {},
): Promise<void> {
  const type = verb.startsWith('offer') ? 'offer' : 'license'
  await recordAct(tx, now, { action: `licensing.${verb}`, actor, subject: { type, id }, data })
}
