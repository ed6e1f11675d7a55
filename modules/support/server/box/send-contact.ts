import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import type { BodyOf, ResponseOf } from '../../../../kernel/endpoint.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type * as contract from '../../contract/endpoints.ts'
import { referenceOf } from '../../domain/request.ts'
import type { SupportWebDeps } from '../requests/deps.ts'
import { guardAccount, guardStranger, parsedAddress } from '../requests/guard-request.ts'
import { confirmRequestJob, tellOperatorJob } from '../requests/jobs.ts'
import { insertMessage, insertRequest } from '../requests/request-store.ts'
import { awaitAttachments } from './await-attachments.ts'

type Body = Omit<BodyOf<typeof contract.sendContact>, 'locale'> & { readonly locale: Locale }

/**
 * Takes a message to support (C-65): into the box of whoever is signed in, and into the queue. Its sender and the operator are told.
 * @throws DomainError `support.work_required`, `support.throttled`
 */
export async function sendContact(
  deps: SupportWebDeps,
  body: Body,
  from: { readonly actor: Actor | null; readonly block: string | null },
): Promise<ResponseOf<typeof contract.sendContact>> {
  const { work, ...asked } = body
  const address = parsedAddress(body.email)
  if (from.actor === null) await guardStranger(deps, { block: from.block, address, asked, work })
  else await guardAccount(deps, from.actor.userId)

  const now = deps.clock.now()
  const id = randomUUIDv7()
  const messageId = randomUUIDv7()
  const reference = referenceOf(deps.random(8))
  const userId = from.actor?.userId ?? null
  const { rows, awaited } = awaitAttachments(deps.secret, body.attachments)
  await deps.db.transaction().execute(async (tx) => {
    const { name, title, locale } = body
    await insertRequest(tx, { id, reference, userId, name, email: address.address, title, locale, createdAt: now })
    const said = { author: 'sender', staffId: null, text: body.description, createdAt: now } as const
    await insertMessage(tx, { id: messageId, requestId: id, ...said }, rows)
    await enqueue(tx, confirmRequestJob, { message_id: messageId })
    await enqueue(tx, tellOperatorJob, { message_id: messageId })
    if (from.actor !== null)
      await recordAct(tx, now, {
        action: 'support.sent_request',
        actor: from.actor,
        subject: { type: 'support_request', id },
        data: { reference },
      })
  })
  return { reference, id: userId === null ? null : id, attachments: awaited }
}
