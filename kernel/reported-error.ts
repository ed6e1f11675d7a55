/**
 * What may be told of an error: its kind, where in our own code it came up, and those words of its message that can be nobody's. Both sides
 * scrub: the page before it tells the server, the server before it writes or hands on (decision 0435).
 */
export type ErrorFrame = { readonly file: string; readonly name: string; readonly line: number; readonly column: number }

/** How errors of programs begin; a name at the beginning of a sentence has a capital too. */
const beginnings = new Set(
  'A An Assertion Can Cannot Connection Could Error Expected Failed Invalid Loading Maximum Minified Missing Module Network No Not Object Request Response Socket The Timeout Unable Unexpected Unhandled Unknown'.split(
    ' ',
  ),
)
/** A word of a program's English: no capital, no digit, no sign that an address, a token or a name would have. */
const plain = /^(?:[a-z]{1,24}(?:[-'][a-z]{1,24})?|ERR_[A-Z_]{1,40}|[A-Z][A-Za-z]{0,40}Error)$/
const left = '…'
const longestMessage = 300
const mostFrames = 20

/** An opening sign whose closing one was cut off runs to the end; an apostrophe and a comparison may stand alone. */
const quoted =
  /"[^"]*(?:"|$)|`[^`]*(?:`|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$)|\([^)]*(?:\)|$)|\[[^\]]*(?:\]|$)|\{[^}]*(?:\}|$)|'[^']*'|‘[^’]*’|<[^>]*>/g

/**
 * What is quoted or stands in brackets is somebody's value; of the rest, only plain words stay. What touches such a value goes with it: those
 * signs stand in addresses, too (`jeanne.'d'.arc@people.example`, RFC 5322 §3.2.3).
 */
export function scrubMessage(message: string): string {
  const said = message.slice(0, 2000).replaceAll(quoted, left)
  const words = said.split(/\s+/).filter((word) => word !== '')
  const kept = words.map((word, i) => {
    const [, bare = '', end = ''] = /^(.*?)([.,:;!?]*)$/s.exec(word) ?? []
    return plain.test(bare) || (i === 0 && beginnings.has(bare)) ? `${bare}${end}` : left
  })
  return kept
    .join(' ')
    .replaceAll(/…(?: …)+/g, left)
    .slice(0, longestMessage)
}

/** A kind of error is a name that a program gives. */
export const scrubName = (name: string): string => (/^[A-Z][A-Za-z]{0,60}$/.test(name) ? name : 'Error')

/**
 * @param stack as V8 or Firefox write it
 * @param own the name of a file of ours by its address, or null: of what is not ours nothing is told
 */
export function framesOf(stack: string, own: (address: string) => string | null): ErrorFrame[] {
  const frames: ErrorFrame[] = []
  for (const line of stack.slice(0, 20_000).split('\n')) {
    const [, v8Name, v8Address, v8Line, v8Column] =
      /^\s+at (?:(.{1,200}?) \()?([^()\s]{1,500}):(\d{1,7}):(\d{1,7})\)?$/.exec(line) ?? []
    const [, foxName, foxAddress, foxLine, foxColumn] = /^([^@]{0,200})@([^@\s]{1,500}):(\d{1,7}):(\d{1,7})$/.exec(line) ?? []
    const file = own(v8Address ?? foxAddress ?? '')
    if (file === null) continue
    const name = v8Name ?? foxName ?? ''
    frames.push({
      file,
      name: /^(?:(?:async|new) )?[\w$.#]{1,60}$/.test(name) ? name : '',
      line: Number(v8Line ?? foxLine),
      column: Number(v8Column ?? foxColumn),
    })
    if (frames.length === mostFrames) break
  }
  return frames
}

/** The name of a built file of the web application, by its address or its name. */
export function builtFile(address: string): string | null {
  return /(?:^|\/)(assets\/[\w.$-]{1,120}\.js)(?:\?.*)?$/.exec(address)?.[1] ?? null
}

/** A pattern of pages: names of rooms and parameters, no value of any. */
export const isPagePattern = (text: string): boolean => /^\/(?:(?::?[a-z]+(?:-[a-z]+)*)\/){0,6}$/.test(text) && text.length <= 100
