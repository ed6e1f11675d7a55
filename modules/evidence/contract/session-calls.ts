/** The calls of the specification that ask something of a live session. Each answers with the evidence as it stands afterwards. */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { evidenceState } from './endpoints.ts'

const byId = z.object({ id: z.uuid() })
const acting = { access: ['evidence_token', 'user'], delegable: 'create' } as const

/** C-35, V-28. */
export const pasteText = endpoint({
  method: 'POST',
  path: '/evidences/:id/paste/',
  summary: 'Paste text into the page of the live session',
  ...acting,
  params: byId,
  body: z.object({
    text: z.string({ error: 'required' }).min(1, 'required').max(60_000, 'too_long'),
    /** Stands in no piece of the package (decision H-45). */
    secret: z.boolean().default(false),
  }),
  response: evidenceState,
})

/** C-36 to C-38 by GET for conformity, which a prefetch cannot send: it lacks the token. Each has its twin by POST (H-44). */
function sessionCalls(path: `/evidences/:id/${string}/`, summary: string) {
  const spec = { path, summary, ...acting, params: byId, response: evidenceState } as const
  return { get: endpoint({ method: 'GET', ...spec }), post: endpoint({ method: 'POST', ...spec }) }
}
export const viewportScreenshot = sessionCalls(
  '/evidences/:id/viewport_screenshot/',
  'Take a screenshot of what the live session shows',
)
export const fullPageScreenshot = sessionCalls(
  '/evidences/:id/full_page_screenshot/',
  'Take a screenshot of the whole page of the live session',
)
/** Asked again, or after the session ended by itself, it changes nothing. */
export const quitInteractivity = sessionCalls('/evidences/:id/quit_interactivity/', 'End the live session')
