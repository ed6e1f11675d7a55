import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { defineJob, enqueue } from '../../../../platform/jobs/jobs.ts'
import { findAddress, findVerifiedAddress } from '../people/address-store.ts'
import type { IdentityDeps, IdentityJobDeps, Origin } from '../people/deps.ts'
import { mailAddressTakenJob } from '../mails/mail-jobs.ts'
import { insertMailRequest, takeMailRequest, type MailRequest } from './mail-request-store.ts'
import { mailConfirmation, mailReset } from '../mails/mail-token.ts'
import { parsedAddress } from '../people/typed-address.ts'
import { attempt, ofNetwork } from '../guard/throttle.ts'
import { findUser, findUserByAddress } from '../people/user-store.ts'

/** What somebody asked for by an address: finds out for whom, and has it mailed. */
export const answerMailRequestJob = defineJob('identity.answer_mail_request', z.object({ request_id: z.uuid() }))

/**
 * The same answer, the same delays and the same work for every address: whether it has an account is looked up once nobody waits for it (decision 0244).
 * @throws DomainError `identity.throttled`
 */
async function ask(deps: IdentityDeps, typed: string, request: Omit<MailRequest, 'addressKey'>, origin: Pick<Origin, 'block'>) {
  const { key } = parsedAddress(typed)
  await attempt(deps, ...ofNetwork('requests', origin.block), { kind: 'mailbox', of: key })
  const id = randomUUID()
  await deps.db.transaction().execute(async (tx) => {
    await insertMailRequest(tx, id, { ...request, addressKey: key }, deps.clock.now())
    await enqueue(tx, answerMailRequestJob, { request_id: id })
  })
}

/** C-05. */
export async function askPasswordReset(deps: IdentityDeps, typed: string, origin: Pick<Origin, 'block'>): Promise<void> {
  await ask(deps, typed, { purpose: 'reset_password', claim: null }, origin)
}

export async function resendConfirmation(
  deps: IdentityDeps,
  input: { readonly email: string; readonly claim?: string | undefined },
  origin: Pick<Origin, 'block'>,
): Promise<void> {
  await ask(deps, input.email, { purpose: 'confirm_address', claim: input.claim ?? null }, origin)
}

type AnswerDeps = Pick<IdentityJobDeps, 'db' | 'clock' | 'secret'>

/** Once, however often it is delivered. */
export async function answerMailRequest(deps: AnswerDeps, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const request = await takeMailRequest(tx, id)
    if (request?.purpose === 'reset_password') await answerReset(deps, tx, request)
    if (request?.purpose === 'confirm_address') await answerConfirmation(deps, tx, request)
  })
}

/** A mail only to a confirmed address of an open account. */
async function answerReset(deps: AnswerDeps, tx: Tx, { addressKey }: MailRequest): Promise<void> {
  const found = await findUserByAddress(tx, addressKey)
  if (found === null || !found.verified || found.user.status !== 'active') return
  const now = deps.clock.now()
  await mailReset(deps, tx, { userId: found.user.id, emailId: found.emailId }, now)
  await recordAct(tx, now, {
    action: 'identity.asked_password_reset',
    actor: null,
    subject: { type: 'user', id: found.user.id },
  })
}

/** A mail only where one waits to be confirmed, or, as at registration, to the owner of one that is. */
async function answerConfirmation(deps: AnswerDeps, tx: Tx, { addressKey, claim }: MailRequest): Promise<void> {
  const owner = await findVerifiedAddress(tx, addressKey)
  if (owner !== null) return await enqueue(tx, mailAddressTakenJob, { email_id: owner.id })
  const newest = await findUserByAddress(tx, addressKey)
  const entry = newest === null ? null : await findAddress(tx, claim ?? newest.emailId)
  const user = entry?.key === addressKey ? await findUser(tx, entry.userId) : null
  if (entry === null || user?.status !== 'unconfirmed') return
  await mailConfirmation(deps, tx, { userId: user.id, emailId: entry.id }, deps.clock.now())
}
