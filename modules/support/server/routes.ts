import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition } from '../../../platform/http/answer/content-disposition.ts'
import { addressPrefix, isLoopback } from '../../../platform/http/request/address-prefix.ts'
import { localeOf } from '../../../platform/http/request/locale-of.ts'
import { route, sentFile, signedIn, type Route } from '../../../platform/http/route.ts'
import * as contract from '../contract/endpoints.ts'
import * as newsletter from '../contract/newsletter.ts'
import { readOwnAttachment, readQueuedAttachment, type AttachmentFile } from './attachments/read-attachment.ts'
import { receiveAttachment } from './attachments/receive-attachment.ts'
import { listBox, readOwnRequest, reply, settle } from './box/keep-box.ts'
import { sendContact } from './box/send-contact.ts'
import { confirm, exportList, leave, signUp } from './newsletter/keep-newsletter.ts'
import { answer, decide, readQueue, readQueued } from './queue/keep-queue.ts'
import type { SupportWebDeps } from './requests/deps.ts'

/** Whatever it is, it is saved and never opened here: nobody has looked into it. */
async function sendSaved(reply: FastifyReply, { name, bytes }: AttachmentFile): Promise<FastifyReply> {
  return await reply
    .headers({
      'cache-control': 'no-store',
      'content-disposition': contentDisposition('attachment', name),
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'content-length': bytes.length,
    })
    .type('application/octet-stream')
    .send(bytes)
}

export function supportRoutes(deps: SupportWebDeps): Route[] {
  const blockOf = ({ ip }: FastifyRequest) => (deps.trustLoopback && isLoopback(ip) ? null : addressPrefix(ip))
  return [
    route(contract.sendContact, async ({ actor, body, request }) => {
      const said = { ...body, locale: body.locale ?? localeOf(request) }
      return await sendContact(deps, said, { actor, block: blockOf(request) })
    }),
    route(
      contract.sendAttachment,
      async ({ params, query, bytes, admission: { signal } }) =>
        await receiveAttachment(deps, { id: params.id, key: query.key, bytes: sentFile(bytes), signal }),
    ),
    route(contract.listSupportRequests, async ({ actor, query }) => await listBox(deps, signedIn(actor), query)),
    route(contract.readSupportRequest, async ({ actor, params }) => await readOwnRequest(deps, signedIn(actor), params.id)),
    route(contract.replyToSupport, async ({ actor, params, body }) => await reply(deps, signedIn(actor), params.id, body)),
    route(contract.closeSupportRequest, async ({ actor, params }) => await settle(deps, signedIn(actor), params.id)),
    route(contract.readSupportAttachment, async ({ actor, params, reply: answered }) => {
      const which = { requestId: params.id, attachmentId: params.attachment }
      return await sendSaved(answered, await readOwnAttachment(deps, signedIn(actor), which))
    }),
    ...newsletterRoutes(deps, blockOf),
    ...staffRoutes(deps),
  ]
}

function newsletterRoutes(deps: SupportWebDeps, blockOf: (request: FastifyRequest) => string | null): Route[] {
  const done = { status: 'done' } as const
  return [
    route(newsletter.readNewsletter, async ({ query, request }) => {
      const { newsletter: kept } = deps
      const form =
        kept.mode === 'provider' ? { action: kept.forms[query.language ?? localeOf(request)], field: kept.field } : null
      return await Promise.resolve({ mode: kept.mode, form })
    }),
    route(newsletter.signUpToNewsletter, async ({ body, request }) => {
      await signUp(deps, { ...body, locale: body.locale ?? localeOf(request) }, blockOf(request))
      return { status: 'sent' } as const
    }),
    route(newsletter.confirmNewsletter, async ({ body }) => {
      await confirm(deps, body.key)
      return done
    }),
    route(newsletter.leaveNewsletter, async ({ body }) => {
      await leave(deps, body.key)
      return done
    }),
    route(newsletter.exportNewsletter, async ({ actor, reply }) => {
      const list = await exportList(deps, signedIn(actor))
      return await reply
        .headers({ 'cache-control': 'no-store', 'content-disposition': contentDisposition('attachment', 'newsletter.csv') })
        .type('text/csv; charset=utf-8')
        .send(list)
    }),
  ]
}

function staffRoutes(deps: SupportWebDeps): Route[] {
  return [
    route(contract.listSupportQueue, async ({ query }) => await readQueue(deps, query)),
    route(contract.readQueuedRequest, async ({ params }) => await readQueued(deps, params.id)),
    route(contract.answerSupportRequest, async ({ actor, params, body }) => await answer(deps, signedIn(actor), params.id, body)),
    route(
      contract.changeSupportRequest,
      async ({ actor, params, body }) => await decide(deps, signedIn(actor), params.id, body.status),
    ),
    route(contract.readQueuedAttachment, async ({ actor, params, reply }) => {
      const which = { requestId: params.id, attachmentId: params.attachment }
      return await sendSaved(reply, await readQueuedAttachment(deps, signedIn(actor), which))
    }),
  ]
}
