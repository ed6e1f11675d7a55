/** The request side of a client's plain-HTTP connection: heads are rewritten, bodies pass untouched and are delimited. */
import { parseRequestHead, type RequestHead } from './parse-request-head.ts'

export type RequestEvent =
  /** A head is complete; the caller may refuse it. Nothing of it has been passed on yet. */
  | { readonly kind: 'head'; readonly head: RequestHead }
  /** Bytes of a body, to be passed on as they are. */
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'malformed'; readonly reason: string }

type State =
  | { readonly at: 'head' | 'chunk_size' | 'chunk_end' | 'trailer' | 'opaque' | 'broken' }
  | { readonly at: 'body' | 'chunk'; readonly left: number }

const maxLineBytes = 8 * 1024
const maxTrailerBytes = 32 * 1024

export type RequestSplitter = {
  /** Events of these bytes, in order. Bytes of an unfinished head are held, at most `maxHeadBytes`. */
  push(chunk: Buffer): RequestEvent[]
  /** Everything from here on is passed as it is (after CONNECT). Returns what was held. */
  makeOpaque(): Buffer
}

export function createRequestSplitter(maxHeadBytes: number): RequestSplitter {
  let state: State = { at: 'head' }
  let held: Buffer = Buffer.alloc(0)
  let trailerBytes = 0

  const broken = (events: RequestEvent[], reason: string): RequestEvent[] => {
    state = { at: 'broken' }
    held = Buffer.alloc(0)
    events.push({ kind: 'malformed', reason })
    return events
  }

  /** Takes a line with its CRLF from `held`; null when there is none yet, `malformed` for a bare LF or an endless line. */
  const takeLine = (): Buffer | null | 'malformed' => {
    const end = held.indexOf(0x0a)
    if (end < 0) return held.length > maxLineBytes ? 'malformed' : null
    if (end > maxLineBytes || end === 0 || held[end - 1] !== 0x0d || held.subarray(0, end - 1).includes(0x0d)) return 'malformed'
    const line = held.subarray(0, end + 1)
    held = held.subarray(end + 1)
    return line
  }

  const push = (chunk: Buffer): RequestEvent[] => {
    const events: RequestEvent[] = []
    if (state.at === 'broken') return events
    const searchFrom = Math.max(0, held.length - 3)
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let first = true
    while (held.length > 0) {
      switch (state.at) {
        case 'opaque':
          events.push({ kind: 'body', bytes: held })
          held = Buffer.alloc(0)
          break
        case 'body':
        case 'chunk': {
          const take: number = Math.min(state.left, held.length)
          events.push({ kind: 'body', bytes: held.subarray(0, take) })
          held = held.subarray(take)
          const left: number = state.left - take
          if (left > 0) state = { at: state.at, left }
          else state = { at: state.at === 'body' ? 'head' : 'chunk_end' }
          break
        }
        case 'head': {
          const end = held.indexOf('\r\n\r\n', first ? searchFrom : 0, 'latin1')
          if (end < 0) return held.length > maxHeadBytes ? broken(events, 'head_too_long') : events
          if (end + 4 > maxHeadBytes) return broken(events, 'head_too_long')
          const parsed = parseRequestHead(held.subarray(0, end + 4))
          if (!parsed.ok) return broken(events, parsed.reason)
          held = held.subarray(end + 4)
          const { head } = parsed
          if (head.kind === 'connect' || head.upgrade) state = { at: 'opaque' }
          else if (head.framing.kind === 'chunked') state = { at: 'chunk_size' }
          else if (head.framing.kind === 'length' && head.framing.bytes > 0) state = { at: 'body', left: head.framing.bytes }
          events.push({ kind: 'head', head })
          break
        }
        case 'chunk_size': {
          const line = takeLine()
          if (line === 'malformed') return broken(events, 'chunk')
          if (line === null) return events
          const size = /^([0-9a-fA-F]{1,12})(?:[ \t]*;[\t\x20-\x7e]*)?\r\n$/.exec(line.toString('latin1'))?.[1]
          if (size === undefined) return broken(events, 'chunk')
          events.push({ kind: 'body', bytes: line })
          const bytes = Number.parseInt(size, 16)
          trailerBytes = 0
          state = bytes === 0 ? { at: 'trailer' } : { at: 'chunk', left: bytes }
          break
        }
        case 'chunk_end': {
          if (held.length < 2) {
            if (held[0] !== 0x0d) return broken(events, 'chunk')
            return events
          }
          if (held[0] !== 0x0d || held[1] !== 0x0a) return broken(events, 'chunk')
          events.push({ kind: 'body', bytes: held.subarray(0, 2) })
          held = held.subarray(2)
          state = { at: 'chunk_size' }
          break
        }
        case 'trailer': {
          const line = takeLine()
          if (line === 'malformed') return broken(events, 'trailer')
          if (line === null) return events
          trailerBytes += line.length
          const text = line.toString('latin1')
          const valid = text === '\r\n' || /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*\r\n$/.test(text)
          if (!valid || trailerBytes > maxTrailerBytes) return broken(events, 'trailer')
          events.push({ kind: 'body', bytes: line })
          if (text === '\r\n') state = { at: 'head' }
          break
        }
        case 'broken':
          return events
      }
      first = false
    }
    return events
  }

  return {
    push,
    makeOpaque: () => {
      state = { at: 'opaque' }
      const rest = held
      held = Buffer.alloc(0)
      return rest
    },
  }
}
