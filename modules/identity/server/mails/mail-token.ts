import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { mailConfirmationJob, mailResetJob } from './mail-jobs.ts'
import { codeHash, mailedCode, mailedToken, tokenHash } from '../guard/keyed-hash.ts'
import { deleteMailedTokens, endCodes, insertMailedToken } from './token-store.ts'

export const confirmationLifetimeMs = 24 * 3_600_000
export const resetLifetimeMs = 3_600_000

type TokenDeps = Pick<IdentityDeps, 'secret'>

/** Link and code to an address that is to be confirmed; the codes of earlier mails end. */
export async function mailConfirmation(
  deps: TokenDeps,
  tx: Tx,
  to: { readonly userId: string; readonly emailId: string },
  now: Date,
): Promise<void> {
  const id = randomUUID()
  await endCodes(tx, to.emailId)
  await insertMailedToken(
    tx,
    {
      id,
      userId: to.userId,
      emailId: to.emailId,
      purpose: 'confirm_address',
      tokenHash: tokenHash(mailedToken(deps.secret, id)),
      codeHash: codeHash(deps.secret, id, mailedCode(deps.secret, id)),
      expiresAt: new Date(now.getTime() + confirmationLifetimeMs),
    },
    now,
  )
  await enqueue(tx, mailConfirmationJob, { token_id: id })
}

/** A link to choose a new password; those sent before end. */
export async function mailReset(
  deps: TokenDeps,
  tx: Tx,
  to: { readonly userId: string; readonly emailId: string },
  now: Date,
): Promise<void> {
  const id = randomUUID()
  await deleteMailedTokens(tx, to.userId, 'reset_password')
  await insertMailedToken(
    tx,
    {
      id,
      userId: to.userId,
      emailId: null,
      purpose: 'reset_password',
      tokenHash: tokenHash(mailedToken(deps.secret, id)),
      codeHash: null,
      expiresAt: new Date(now.getTime() + resetLifetimeMs),
    },
    now,
  )
  await enqueue(tx, mailResetJob, { token_id: id, email_id: to.emailId })
}
