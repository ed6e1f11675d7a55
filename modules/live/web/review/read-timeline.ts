import { apiAddress } from '../../../../ui/api/api-address.ts'
import { parseLine, type TimelineLine } from './timeline.ts'

/** As much as a session writes (decision 0209), and some more. */
const mostBytes = 64 * 1024 * 1024
const mostLines = 120_000
/** Lines parsed before the page gets its turn. */
const linesAtOnce = 2_000

export type ReadTimeline = {
  readonly lines: readonly TimelineLine[]
  /** Lines that are none; a sealed timeline has no such. */
  readonly unreadable: number
  /** True when it was longer than any session writes: the rest is in the package. */
  readonly cut: boolean
}

/** Reads the timeline as it arrives, without holding up the page. @throws Error when the link does not answer */
export async function readTimeline(url: string, signal: AbortSignal): Promise<ReadTimeline> {
  const answer = await fetch(apiAddress(url), { signal })
  if (!answer.ok || answer.body === null) throw new Error(`timeline: ${answer.status}`)
  return await parseTimeline(answer.body, () => new Promise((resolve) => setTimeout(resolve, 0)))
}

export async function parseTimeline(body: ReadableStream<Uint8Array>, breathe: () => Promise<unknown>): Promise<ReadTimeline> {
  const lines: TimelineLine[] = []
  let [unreadable, bytes, rest, count] = [0, 0, '', 0]
  const decoder = new TextDecoder()
  const take = (text: string) => {
    if (text === '') return
    const line = parseLine(text)
    if (line === null) unreadable += 1
    else lines.push(line)
  }
  const reader = body.getReader()
  for (;;) {
    // A stream is read one piece after the other.
    // oxlint-disable-next-line no-await-in-loop
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      take(part)
      count += 1
      // oxlint-disable-next-line no-await-in-loop
      if (count % linesAtOnce === 0) await breathe()
    }
    if (bytes > mostBytes || lines.length > mostLines) {
      // oxlint-disable-next-line no-await-in-loop
      await reader.cancel()
      return { lines: lines.slice(0, mostLines), unreadable, cut: true }
    }
  }
  take(rest + decoder.decode())
  return { lines, unreadable, cut: false }
}
