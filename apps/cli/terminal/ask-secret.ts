import { StringDecoder } from 'node:string_decoder'

/** A terminal's keyboard, as Node gives it. */
export type Keyboard = NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }

/**
 * A line typed at the terminal, shown to nobody: no echo, not even of its length.
 * @returns null when it was given up with Ctrl-C or Ctrl-D, or the terminal went away
 * @throws RangeError where there is no terminal
 */
export async function askSecret(
  question: string,
  terminal: { readonly keyboard: Keyboard; readonly screen: { write(text: string): unknown } },
): Promise<string | null> {
  const { keyboard, screen } = terminal
  if (keyboard.isTTY !== true || keyboard.setRawMode === undefined) throw new RangeError('there is no terminal')
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const decoder = new StringDecoder('utf8')
  let typed: string[] = []
  const onData = (bytes: Buffer | string) => {
    for (const key of typeof bytes === 'string' ? bytes : decoder.write(bytes)) {
      if (key === '\r' || key === '\n') return resolve(typed.join(''))
      if (key === '\u0003' || key === '\u0004') return resolve(null)
      if (key === '\u007F' || key === '\b') typed = typed.slice(0, -1)
      // Ctrl-U takes the line back, as terminals do.
      else if (key === '\u0015') typed = []
      else if (key >= ' ') typed.push(key)
    }
  }
  const onEnd = () => resolve(null)
  keyboard.setRawMode(true)
  keyboard.on('data', onData)
  keyboard.once('end', onEnd)
  keyboard.resume()
  // Only now: whoever types at once would see it otherwise.
  screen.write(question)
  try {
    return await promise
  } finally {
    keyboard.off('data', onData)
    keyboard.off('end', onEnd)
    keyboard.setRawMode(false)
    keyboard.pause()
    screen.write('\n')
  }
}
