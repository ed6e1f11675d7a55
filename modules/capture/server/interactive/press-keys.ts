/** Keys, text and compositions, as a page gets them from a keyboard of any layout. */
import { BrowserGone, CdpError, CdpTimeout, type CdpSession } from '../../../../platform/browser/cdp-connection.ts'
import type { LiveInput } from '../../contract/live.ts'
import { isForbiddenShortcut, keyNumber, modifier, textOfKey } from './key-codes.ts'

type KeyInput = Extract<LiveInput, { type: 'key' }>

/** A page that answers nothing for so long has the key in its queue; the next one is not kept waiting for it. */
const answerMs = 2_000

export type Keyboard = {
  /** @returns what became of it; `refused` is a shortcut that no visitor has */
  press(session: CdpSession, input: KeyInput): Promise<'sent' | 'refused'>
  type(session: CdpSession, text: string): Promise<void>
  compose(session: CdpSession, text: string, start: number, end: number): Promise<void>
  paste(session: CdpSession): Promise<void>
  /** Every key that is down goes up. */
  release(session: CdpSession): Promise<void>
  down(): number
}

export function createKeyboard(): Keyboard {
  const held = new Map<string, { readonly key: string; readonly code: string }>()
  let composing = false
  const bound = { timeoutMs: answerMs }
  let busy = false
  // A page that is busy, has crashed or went away takes no key: nothing else is lost by it. Once one was not answered in time, those
  // that follow are sent after it and not waited for, until the page answers again.
  const patiently = async (work: Promise<unknown>): Promise<void> => {
    const done = work.then(
      () => {
        busy = false
      },
      (error: unknown) => {
        if (error instanceof CdpTimeout) busy = true
        else if (!(error instanceof CdpError || error instanceof BrowserGone)) throw error
      },
    )
    if (busy) done.catch(() => undefined)
    else await done
  }
  const up = (session: CdpSession, { key, code }: { key: string; code: string }, modifiers: number) =>
    patiently(
      session.send(
        'Input.dispatchKeyEvent',
        { type: 'keyUp', key, code, modifiers, windowsVirtualKeyCode: keyNumber(code, key) },
        bound,
      ),
    )
  const release = async (session: CdpSession): Promise<void> => {
    const keys = [...held.values()]
    held.clear()
    for (const each of keys.toReversed()) await up(session, each, 0)
    if (composing) {
      composing = false
      await patiently(session.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 }, bound))
    }
  }
  return {
    press: async (session, { kind, code, key, modifiers: given, repeat }) => {
      // Meta is Control here: a Mac's ⌘C copies. Alone it would open menus of systems that nobody sees.
      const modifiers = (given & modifier.meta) === 0 ? given : (given & ~modifier.meta) | modifier.control
      const name = code === '' ? key : code
      if (name.startsWith('Meta')) return 'refused'
      if (kind === 'up') {
        if (held.delete(name)) await up(session, { key, code }, modifiers)
        return 'sent'
      }
      if (isForbiddenShortcut(code, key, modifiers)) return 'refused'
      if (held.size > 30) await release(session)
      held.set(name, { key, code })
      const text = textOfKey(key, modifiers)
      // AltGr was for the character alone: with the modifiers, the page would take it for a shortcut.
      const sent = text !== '' && key !== 'Enter' ? modifiers & modifier.shift : modifiers
      await patiently(
        session.send(
          'Input.dispatchKeyEvent',
          {
            type: text === '' ? 'rawKeyDown' : 'keyDown',
            key,
            code,
            modifiers: sent,
            autoRepeat: repeat,
            windowsVirtualKeyCode: keyNumber(code, key),
            ...(text === '' ? {} : { text, unmodifiedText: text }),
            ...(code.startsWith('Numpad') ? { isKeypad: true, location: 3 } : {}),
          },
          bound,
        ),
      )
      return 'sent'
    },
    type: async (session, text) => {
      composing = false
      await patiently(session.send('Input.insertText', { text }, { timeoutMs: 5_000 }))
    },
    compose: async (session, given, start, end) => {
      // A composition that ends by a joiner is not replaced whole by what follows it (seen after flags); the text itself has it.
      const text = given.replace(/\u200d+$/, '')
      composing = text !== ''
      const [from, to] = [Math.min(start, text.length), Math.min(end, text.length)]
      await patiently(session.send('Input.imeSetComposition', { text, selectionStart: from, selectionEnd: to }, bound))
    },
    paste: async (session) => {
      const key = { key: 'v', code: 'KeyV', modifiers: modifier.control, windowsVirtualKeyCode: 86 }
      await patiently(
        session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key, commands: ['paste'] }, { timeoutMs: 10_000 }),
      )
      await patiently(session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }, bound))
    },
    release,
    down: () => held.size,
  }
}
