import { z } from 'zod'

/** The shape of every error answer (decision H-06). Stable codes; the client translates. */
export const wireError = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.array(z.string())),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  request_id: z.string(),
})
export type WireError = z.infer<typeof wireError>
