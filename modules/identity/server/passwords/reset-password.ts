import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { mailNoticeJob } from '../mails/mail-jobs.ts'
import { tokenHash } from '../guard/keyed-hash.ts'
import { deleteSessions } from '../sessions/session-store.ts'
import { deleteMailedTokens, findTokenByHash, lockTokenByHash, type MailedToken } from '../mails/token-store.ts'
import { knownOf, lockUser, setPassword } from '../people/user-store.ts'

/** C-06. Ends every session. A second factor stays what it was. @throws DomainError `identity.reset_link_invalid` */
export async function resetPassword(
  deps: IdentityDeps,
  input: { readonly uid: string; readonly token: string; readonly password: string },
): Promise<void> {
  const isGood = (token: MailedToken | null): token is MailedToken =>
    token !== null && token.userId === input.uid && token.usedAt === null && token.expiresAt > deps.clock.now()
  // Whoever has no link costs no hash of a password.
  const refused = () => new DomainError('invalid', 'identity.reset_link_invalid')
  if (!isGood(await findTokenByHash(deps.db, 'reset_password', tokenHash(input.token)))) throw refused()
  refuseCommonPassword(input.password, await knownOf(deps.db, input.uid))
  const passwordHash = await deps.passwords.hash(input.password)
  await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const token = await lockTokenByHash(tx, 'reset_password', tokenHash(input.token))
    const user = isGood(token) ? await lockUser(tx, token.userId) : null
    if (user?.status !== 'active') throw refused()
    await setPassword(tx, user.id, passwordHash, now)
    await deleteMailedTokens(tx, user.id, 'reset_password')
    const ended = await deleteSessions(tx, user.id)
    await enqueue(tx, mailNoticeJob, { user_id: user.id, notice: 'password_changed', at: now.toISOString() })
    await recordAct(tx, now, {
      action: 'identity.reset_password',
      actor: { userId: user.id, accountId: user.id },
      subject: { type: 'user', id: user.id },
      data: { sessions_ended: ended },
    })
  })
}
