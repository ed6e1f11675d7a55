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
  search: z
    .string()
    .max(200)
    // No text of a database holds U+0000.
    .refine((text) => !text.includes('\0'), { error: 'characters' })
    .optional(),
})
export type PageQuery = z.infer<typeof pageQuery>

/** A page as the store found it: which rows, and how many there are in all. */
export type Page<T> = { readonly count: number; readonly rows: readonly T[] }

/**
 * The page object of a list. `next` and `previous` are paths with the query that was asked, changed in its page alone.
 * @param path of the call, with a trailing slash
 */
export function toPageObject<Row, Result>(
  path: string,
  query: PageQuery,
  page: Page<Row>,
  results: readonly Result[],
): { count: number; next: string | null; previous: string | null; results: Result[] } {
  const link = (number: number) => {
    const parts = Object.entries({ ...query, page: number }).flatMap(([key, value]) =>
      value === undefined ? [] : [`${key}=${encodeURIComponent(String(value))}`],
    )
    return `${path}?${parts.join('&')}`
  }
  const last = Math.max(1, Math.ceil(page.count / query.page_size))
  return {
    count: page.count,
    next: query.page < last ? link(query.page + 1) : null,
    previous: query.page > 1 ? link(Math.min(query.page - 1, last)) : null,
    results: [...results],
  }
}
