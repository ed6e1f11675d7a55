import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import type { RecordedDisplay } from './recorded-display.ts'
import { stage } from './stage-script.ts'

/** Left, middle, right; wheel up, down, left, right; back and forward. */
const buttons = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9])

const namedKeys: Readonly<Record<string, string>> = {
  Enter: 'Return',
  Escape: 'Escape',
  Tab: 'Tab',
  Backspace: 'BackSpace',
  Delete: 'Delete',
  Home: 'Home',
  End: 'End',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
}

/** Keysym of a key; of a character by its number (X11 protocol, appendix A: 0x01000000 and the code point). */
function symbolOf(key: string): string | null {
  const named = Object.hasOwn(namedKeys, key) ? namedKeys[key] : undefined
  if (named !== undefined) return named
  const code = Array.from(key).length === 1 ? (key.codePointAt(0) ?? 0) : 0
  const typed = code > 0x1f && (code < 0x7f || code > 0x9f) && (code < 0xd800 || code > 0xdfff)
  return typed ? `U${code.toString(16).padStart(4, '0')}` : null
}

/**
 * The mouse and the keys of the display: a running `xdotool -`, which speaks XTEST. After each event it is asked where the pointer
 * is: its answer means that the X server has taken the event.
 */
export function openPointer(options: { readonly stdin: Duplex; readonly stdout: Duplex }): {
  readonly pointer: RecordedDisplay['pointer']
  readonly keys: RecordedDisplay['keys']
  /** Control and V, as a hand would. */
  paste(): Promise<void>
  /** The program ended and another takes its place: what waits for an answer gets none. */
  restarted(): void
  close(): void
} {
  const { stdin, stdout } = options
  let waiting: PromiseWithResolvers<void>[] = []
  let closed = false
  stdin.on('error', () => undefined)
  stdout.on('error', () => undefined)
  createInterface({ input: stdout, crlfDelay: Infinity }).on('line', (line) => {
    if (/^x:\d+ y:\d+ /.test(line)) waiting.shift()?.resolve()
  })
  const fail = (why: string): void => {
    const failed = waiting
    waiting = []
    for (const one of failed) one.reject(new Error(why))
  }
  const send = (command: string): Promise<void> => {
    if (closed) return Promise.reject(new Error('the display is gone'))
    const one = Promise.withResolvers<void>()
    waiting.push(one)
    stdin.write(`${command}\ngetmouselocation\n`)
    return one.promise
  }
  const button = (verb: 'mousedown' | 'mouseup', number: number): Promise<void> =>
    buttons.has(number) ? send(`${verb} ${String(number)}`) : Promise.reject(new RangeError(`no button ${String(number)}`))
  const within = (value: number, size: number): string =>
    String(Number.isFinite(value) ? Math.min(size - 1, Math.max(0, Math.floor(value))) : 0)
  return {
    pointer: {
      move: (x, y) => send(`mousemove ${within(x, stage.width)} ${within(y, stage.pageHeight)}`),
      down: (number) => button('mousedown', number),
      up: (number) => button('mouseup', number),
    },
    keys: {
      press: async (key) => {
        const symbol = symbolOf(key)
        if (symbol !== null) await send(`key ${symbol}`)
      },
      type: async (text) => {
        for (const character of Array.from(text).slice(0, 1_000)) {
          const symbol = symbolOf(character)
          if (symbol !== null) await send(`key ${symbol}`)
        }
      },
    },
    paste: () => send('key ctrl+v'),
    restarted: () => fail('the pointer was started again'),
    close: () => {
      closed = true
      fail('the display is gone')
      stdin.destroy()
      stdout.destroy()
    },
  }
}
