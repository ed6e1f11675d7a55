/** Pages of a visit as an archive lists them: each with the moment at which its bytes began to come, so that a replay shows those. */
import { comparableUrl, type Exchange } from '../record/index.ts'

export type Visited = {
  readonly url: string
  readonly title: string
  /** When the page was there, milliseconds since the epoch. */
  readonly at: number
}

/**
 * One entry a navigation, in their order, of those whose address was answered on the wire before they were there: a step within a
 * document, or to what never came, has nothing that could be replayed (decision 0230). Pure.
 */
export function listPages(
  visits: readonly Visited[],
  exchanges: readonly Pick<Exchange, 'url' | 'started_at' | 'response'>[],
): readonly Visited[] {
  const answered = new Map<string, number[]>()
  for (const { url, started_at, response } of exchanges) {
    if (response === null) continue
    const key = comparableUrl(url)
    const known = answered.get(key)
    if (known === undefined) answered.set(key, [started_at])
    else known.push(started_at)
  }
  const taken = new Map<string, number>()
  return visits.flatMap(({ url, title, at }) => {
    const key = comparableUrl(url)
    const began = (answered.get(key) ?? []).filter((start) => start <= at).reduce((a, b) => Math.max(a, b), -1)
    if (began === -1) return []
    // Shown again from what the browser had: the time is that of showing it.
    if (began === taken.get(key)) return [{ url, title, at }]
    taken.set(key, began)
    return [{ url, title, at: began }]
  })
}
