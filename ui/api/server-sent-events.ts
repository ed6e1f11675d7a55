/** One event of `text/event-stream` (WHATWG HTML §9.2). */
export type ServerSentEvent = { readonly id: string; readonly event: string; readonly data: string }

/** A line longer than this is not ours; it is refused rather than kept in memory. */
const longestLine = 8_000_000

/** Parses a stream of text chunks, cut anywhere. An event without its closing blank line is dropped, as the standard asks. */
export async function* parseServerSentEvents(chunks: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  let rest = ''
  let afterCarriageReturn = false
  let id = ''
  let event = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    // A CRLF cut between two chunks is one line end.
    rest += afterCarriageReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    if (chunk !== '') afterCarriageReturn = chunk.endsWith('\r')
    const lines = rest.split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new RangeError('event stream line too long')
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { id, event: event === '' ? 'message' : event, data: data.join('\n') }
        event = ''
        data = []
        continue
      }
      const colon = line.indexOf(':')
      if (colon === 0) continue
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'data') data.push(value)
      else if (field === 'event') event = value
      else if (field === 'id' && !value.includes('\0')) id = value
    }
  }
}
