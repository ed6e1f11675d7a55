/** Keys, text and compositions, as a page gets them from a keyboard of any layout. */
import { BrowserGone, CdpError, CdpTimeout, isGone, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import type { LiveInput } from '../../../contract/live.ts'
import { isForbiddenShortcut, keyNumber, modifier, textOfKey } from './key-codes.ts'
import { keysSeen } from '../tabs/watch-page.ts'

type KeyInput = Extract<LiveInput, { type: 'key' }>

/** A page that answers nothing for so long has the key in its queue; the next one is not kept waiting for it. */
const answerMs = 2_000

/** `gone`: the frame that it was for went before it had seen it. Nobody has taken it, and another may. */
export type Taken = 'sent' | 'gone'

export type Keyboard = {
  /** @returns what became of it; `refused` is a shortcut that no visitor has */
  press(session: CdpSession, input: KeyInput): Promise<Taken | 'refused'>
  type(session: CdpSession, text: string): Promise<Taken>
  compose(session: CdpSession, text: string, start: number, end: number): Promise<Taken>
  paste(session: CdpSession): Promise<Taken>
  /** Every key that is down goes up. */
  release(session: CdpSession): Promise<void>
  down(): number
}

export function createKeyboard(): Keyboard {
  const held = new Map<string, { readonly key: string; readonly code: string }>()
  let composing = false
  const bound = { timeoutMs: answerMs }
  const busy = new WeakSet<CdpSession>()
  // A page that is busy, has crashed or went away takes no key: nothing else is lost by it. Once one was not answered in time, those
  // that follow are sent after it and not waited for, until the page answers again.
  const patiently = async (session: CdpSession, send: () => Promise<unknown>): Promise<Taken> => {
    const seenBefore = keysSeen(session)
    const done = send().then(
      (): Taken => {
        busy.delete(session)
        return 'sent'
      },
      (error: unknown): Taken => {
        if (error instanceof CdpTimeout) busy.add(session)
        else if (!(error instanceof CdpError || error instanceof BrowserGone)) throw error
        // A frame that is removed because of the key has had it.
        return isGone(session) && keysSeen(session) === seenBefore ? 'gone' : 'sent'
      },
    )
    if (!busy.has(session)) return await done
    done.catch(() => undefined)
    return 'sent'
  }
  const up = (session: CdpSession, { key, code }: { key: string; code: string }, modifiers: number) =>
    patiently(session, () =>
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
      await patiently(session, () =>
        session.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 }, bound),
      )
    }
  }
  return {
    press: async (session, { kind, code, key, modifiers: given, repeat }) => {
      // Meta is Control here: a Mac's ⌘C copies. Alone it would open menus of systems that nobody sees.
      const modifiers = (given & modifier.meta) === 0 ? given : (given & ~modifier.meta) | modifier.control
      const name = code === '' ? key : code
      if (name.startsWith('Meta')) return 'refused'
      if (kind === 'up') {
        // Kept until somebody has it: it may be asked for again.
        if (!held.has(name)) return 'sent'
        const taken = await up(session, { key, code }, modifiers)
        if (taken === 'sent') held.delete(name)
        return taken
      }
      if (isForbiddenShortcut(code, key, modifiers)) return 'refused'
      if (held.size > 30) await release(session)
      held.set(name, { key, code })
      const text = textOfKey(key, modifiers)
      // AltGr was for the character alone: with the modifiers, the page would take it for a shortcut.
      const sent = text !== '' && key !== 'Enter' ? modifiers & modifier.shift : modifiers
      return await patiently(session, () =>
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
    },
    type: async (session, text) => {
      composing = false
      return await patiently(session, () => session.send('Input.insertText', { text }, { timeoutMs: 5_000 }))
    },
    compose: async (session, given, start, end) => {
      // A composition that ends by a joiner is not replaced whole by what follows it (seen after flags); the text itself has it.
      const text = given.replace(/\u200d+$/, '')
      composing = text !== ''
      const [from, to] = [Math.min(start, text.length), Math.min(end, text.length)]
      return await patiently(session, () =>
        session.send('Input.imeSetComposition', { text, selectionStart: from, selectionEnd: to }, bound),
      )
    },
    paste: async (session) => {
      const key = { key: 'v', code: 'KeyV', modifiers: modifier.control, windowsVirtualKeyCode: 86 }
      const taken = await patiently(session, () =>
        session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key, commands: ['paste'] }, { timeoutMs: 10_000 }),
      )
      if (taken === 'sent')
        await patiently(session, () => session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }, bound))
      return taken
    },
    release,
    down: () => held.size,
  }
}
