/** Pages further down are found by dates: the way there would have to be read row by row (decision 0254). */
export const deepest = 10_000

/** As far as there are pages to go to: past what was counted while pages are full, and not past what is served. */
export function foundUpTo(
  { page, page_size: size }: { readonly page: number; readonly page_size: number },
  { count, capped, rows }: { readonly count: number; readonly capped: boolean; readonly rows: readonly unknown[] },
): number {
  const more = capped && rows.length === size ? page * size + 1 : count
  return Math.min(Math.max(count, more), Math.ceil(deepest / size) * size)
}
