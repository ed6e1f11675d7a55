import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { tokenHash } from '../guard/keyed-hash.ts'
import { insertInvitation } from '../mails/token-store.ts'

/** A token with which one account may be registered where registrations are by invitation (decision H-39). */
export async function invite(
  deps: Pick<IdentityDeps, 'db' | 'clock' | 'random'>,
  days: number,
): Promise<{ token: string; expiresAt: Date }> {
  const token = deps.random(32).toString('base64url')
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + days * 24 * 3_600_000)
  await deps.db.transaction().execute(async (tx) => {
    await insertInvitation(tx, tokenHash(token), now, expiresAt)
    await recordAct(tx, now, { action: 'identity.invited', actor: null, subject: null })
  })
  return { token, expiresAt }
}
