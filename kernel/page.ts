import { z } from 'zod'

/** Page object of every list (decision H-05). */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    count: z.int().nonnegative(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  })
}

export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
  ordering: z.string().max(60).optional(),
  search: z.string().max(200).optional(),
})
export type PageQuery = z.infer<typeof pageQuery>
