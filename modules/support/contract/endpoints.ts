import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { largestAttachmentBytes, requestStatuses } from '../domain/request.ts'
import {
  awaitedAttachment,
  contactBody,
  messageBody,
  queuedRequest,
  sentRequest,
  staffRequest,
  supportAttachment,
  supportEntry,
  supportRequest,
} from './support.ts'

const byId = z.object({ id: z.uuid() })
const ofRequest = byId.extend({ attachment: z.uuid() })
const staff = ['support', 'administrator'] as const

/**
 * C-65, V-40…V-43, P-05. Of whoever is not signed in a proof of work is asked for (H-41).
 * @throws `support.work_required` with `challenge`, `parts`, `hashes` and `reason`; `support.throttled`
 */
export const sendContact = endpoint({
  method: 'POST',
  path: '/contact/',
  summary: 'Write to support',
  access: ['open'],
  body: contactBody,
  response: sentRequest,
  status: 201,
})

/**
 * A file that was announced with a message; the file is the body. Sent twice, it is taken once.
 * @throws `support.attachment_not_awaited`, `support.attachment_size` where it is not as long as announced
 */
export const sendAttachment = endpoint({
  method: 'POST',
  path: '/contact/attachments/:id/',
  summary: 'Send a file that was announced with a message to support',
  access: ['open'],
  params: byId,
  query: z.object({ key: z.string().min(1).max(100) }),
  bytes: { largest: largestAttachmentBytes },
  response: supportAttachment,
  status: 201,
})

/** The message box. */
export const listSupportRequests = endpoint({
  method: 'GET',
  path: '/support_requests/',
  summary: 'List one’s requests to support, the last that something was said of first',
  access: ['user'],
  query: pageQuery.pick({ page: true, page_size: true }),
  response: pageOf(supportEntry),
})

export const readSupportRequest = endpoint({
  method: 'GET',
  path: '/support_requests/:id/',
  summary: 'Read one of one’s requests to support, and its answers',
  access: ['user'],
  params: byId,
  response: supportRequest,
})

/** It is open again. @throws `support.throttled` */
export const replyToSupport = endpoint({
  method: 'POST',
  path: '/support_requests/:id/messages/',
  summary: 'Write again about one of one’s requests',
  access: ['user'],
  params: byId,
  body: messageBody,
  response: z.object({ request: supportRequest, attachments: z.array(awaitedAttachment) }),
  status: 201,
})

export const closeSupportRequest = endpoint({
  method: 'POST',
  path: '/support_requests/:id/close/',
  summary: 'Say that one of one’s requests is settled',
  access: ['user'],
  params: byId,
  response: supportRequest,
})

export const readSupportAttachment = endpoint({
  method: 'GET',
  path: '/support_requests/:id/attachments/:attachment/',
  summary: 'Read a file of one of one’s requests',
  access: ['user'],
  params: ofRequest,
  response: 'stream',
})

/** The queue: what waits longest first. */
export const listSupportQueue = endpoint({
  method: 'GET',
  path: '/admin/support_requests/',
  summary: 'List requests to support, those that wait longest first',
  access: staff,
  query: pageQuery.omit({ ordering: true }).extend({ status: z.enum([...requestStatuses, 'any']).default('open') }),
  response: pageOf(queuedRequest),
})

export const readQueuedRequest = endpoint({
  method: 'GET',
  path: '/admin/support_requests/:id/',
  summary: 'Read a request to support',
  access: staff,
  params: byId,
  response: staffRequest,
})

/** By mail, and in the box of whoever has one. */
export const answerSupportRequest = endpoint({
  method: 'POST',
  path: '/admin/support_requests/:id/messages/',
  summary: 'Answer a request to support',
  access: staff,
  params: byId,
  body: messageBody.pick({ description: true }).extend({ close: z.boolean().default(false) }),
  response: staffRequest,
  status: 201,
})

export const changeSupportRequest = endpoint({
  method: 'PATCH',
  path: '/admin/support_requests/:id/',
  summary: 'Close a request to support, or open it again, without a word',
  access: staff,
  params: byId,
  body: z.object({ status: z.enum(['open', 'closed']) }),
  response: staffRequest,
})

/** Each look is written to the record of acts. */
export const readQueuedAttachment = endpoint({
  method: 'GET',
  path: '/admin/support_requests/:id/attachments/:attachment/',
  summary: 'Read a file of a request to support',
  access: staff,
  params: ofRequest,
  response: 'stream',
})
