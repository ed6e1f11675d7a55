import type { Actor } from '../../../../kernel/actor.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { mailNoticeJob } from '../mails/mail-jobs.ts'
import { provePassword } from './prove-password.ts'
import { deleteSessions } from '../sessions/session-store.ts'
import { deleteMailedTokens } from '../mails/token-store.ts'
import { knownOf, setPassword } from '../people/user-store.ts'

/** C-07. Ends every other session, and links that would choose yet another password. @throws DomainError `identity.password_wrong`, `http.invalid_request` for a common one */
export async function changePassword(
  deps: IdentityDeps,
  actor: Actor,
  input: { readonly old_password: string; readonly password: string },
): Promise<void> {
  await provePassword(deps, actor.userId, input.old_password, 'old_password')
  refuseCommonPassword(input.password, await knownOf(deps.db, actor.userId))
  const passwordHash = await deps.passwords.hash(input.password)
  await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    await setPassword(tx, actor.userId, passwordHash, now)
    await deleteMailedTokens(tx, actor.userId, 'reset_password')
    const ended = await deleteSessions(tx, actor.userId, { except: actor.sessionId })
    await enqueue(tx, mailNoticeJob, { user_id: actor.userId, notice: 'password_changed', at: now.toISOString() })
    await recordAct(tx, now, {
      action: 'identity.changed_password',
      actor: { userId: actor.userId, accountId: actor.userId },
      subject: { type: 'user', id: actor.userId },
      data: { sessions_ended: ended },
    })
  })
}
