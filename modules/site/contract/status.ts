import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { locales } from '../../../kernel/locale.ts'
import { statusParts } from '../../../kernel/page-status.ts'

/** `impaired`: it works late or in part. `off`: this installation has none. `unmeasured`: nothing is known of it yet. */
export const partStates = ['works', 'impaired', 'fails', 'off', 'unmeasured'] as const

export const serviceStatus = z.object({
  /** When all this was looked at; answers are some seconds old at most. */
  looked_at: z.iso.datetime(),
  /** That instant in words. */
  text: z.string(),
  parts: z.array(
    z.object({
      part: z.enum(statusParts),
      state: z.enum(partStates),
      /** The state in a word, and what was measured, in the language asked for. */
      word: z.string(),
      measured: z.string(),
      /** The same as numbers and instants, by name. */
      facts: z.record(z.string(), z.union([z.number(), z.iso.datetime(), z.null()])),
    }),
  ),
})
export type ServiceStatus = z.infer<typeof serviceStatus>

export const readServiceStatus = endpoint({
  method: 'GET',
  path: '/service_status/',
  summary: 'What of the installation works, as it was measured',
  access: ['open'],
  query: z.object({ language: z.enum(locales).optional() }),
  response: serviceStatus,
})
