/** Lines of sealed text pieces that the report sends its reader to. */
import { open, stat } from 'node:fs/promises'

/** What is looked for: the line of a condition in the checklist, the first line of an action in the log. */
export type Landmark = { readonly path: string; readonly text: string }

/** @returns 1-based line of the landmark's first place, or null when the piece does not hold it. */
export type LineNumbers = (path: string, text: string) => number | null

const mostBytes = 8 * 1024 * 1024

/**
 * Reads each piece once, line by line, as far as 8 MiB.
 * @param files local copy by package path; pieces that are not there have no lines.
 */
export async function findLines(landmarks: readonly Landmark[], files: ReadonlyMap<string, string>): Promise<LineNumbers> {
  const found = new Map<string, number>()
  const key = (path: string, text: string): string => `${path}\n${text}`
  for (const [path, local] of files) {
    const wanted = new Set(landmarks.filter((landmark) => landmark.path === path).map((landmark) => landmark.text))
    if (wanted.size === 0) continue
    const size = (await stat(local)).size
    const file = await open(local)
    try {
      let line = 0
      const stream = file.createReadStream({
        encoding: 'utf8',
        end: Math.max(0, Math.min(size, mostBytes) - 1),
        autoClose: false,
      })
      let rest = ''
      const take = (text: string): void => {
        line += 1
        for (const one of wanted) {
          if (!text.includes(one)) continue
          found.set(key(path, one), line)
          wanted.delete(one)
        }
      }
      for await (const part of stream as AsyncIterable<string>) {
        const lines = (rest + part).split('\n')
        rest = lines.pop() ?? ''
        for (const text of lines) take(text)
        if (wanted.size === 0) break
      }
      if (rest !== '') take(rest)
    } finally {
      await file.close()
    }
  }
  return (path, text) => found.get(key(path, text)) ?? null
}
