import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'

const count = z.int().min(0).max(9_999_999)

/** T-05: nothing of it names anybody: what could is left out by the page, and by the server again. */
export const reportClientError = endpoint({
  method: 'POST',
  path: '/client_errors/',
  summary: 'Tell the operator of an error in a page, without personal data',
  access: ['open'],
  body: z.object({
    name: z.string().max(80).describe('Kind of error, as programs name it.'),
    message: z.string().max(300).describe('Words of the message that can be nobody’s; the others are replaced.'),
    page: z.string().max(100).describe('Pattern of the page, such as `/capture/:id/`.'),
    frames: z
      .array(z.object({ file: z.string().max(140), name: z.string().max(80), line: count, column: count }))
      .max(20)
      .describe('Where in the web application, innermost first.'),
  }),
  response: z.object({ status: z.literal('taken') }),
  status: 202,
})
