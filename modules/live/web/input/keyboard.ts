import type { LiveInputSent } from '../../contract/live.ts'

/** What a KeyboardEvent says (UI Events), as plain data. */
export type KeyFacts = {
  readonly code: string
  readonly key: string
  readonly repeat: boolean
  readonly isComposing: boolean
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
  readonly meta: boolean
  /** Of `getModifierState('AltGraph')`. */
  readonly altGraph: boolean
}

export type KeyAct =
  /** To the remote page, and nothing happens here. */
  | { readonly act: 'send'; readonly messages: readonly LiveInputSent[] }
  /** The field takes it: text, compositions and pastes arrive by events of their own. */
  | { readonly act: 'field' }
  /** The visitor's own browser takes it. */
  | { readonly act: 'browser' }
  | { readonly act: 'nothing' }
  /** Out of the remote page, to the bar. */
  | { readonly act: 'leave' }
  | { readonly act: 'address' }
  | { readonly act: 'zoom'; readonly step: 1 | -1 | 0 }

/** The one key that never reaches the remote page: as in the browsers themselves, it goes on to the next part of the window. */
export const leaveKey = 'F6'

const bit = { alt: 1, ctrl: 2, meta: 4, shift: 8 } as const
/** Of no use to a page that is being recorded, or the visitor's own: full screen, developer tools, caret browsing. */
const browserKeys = new Set(['F7', 'F11', 'F12', 'PrintScreen', 'BrowserBack', 'BrowserForward'])
const silentKeys = new Set([
  'Dead',
  'Unidentified',
  'Process',
  'Compose',
  'GroupNext',
  'CapsLock',
  'NumLock',
  'ScrollLock',
  'AltGraph',
])
const modifierCodes = /^(Control|Alt|Shift|Meta)(Left|Right)$/

const press = (code: string, key: string, modifiers = 0): readonly LiveInputSent[] => [
  { type: 'key', kind: 'down', code, key, modifiers },
  { type: 'key', kind: 'up', code, key, modifiers },
]

export const backspace = press('Backspace', 'Backspace')
export const enter = press('Enter', 'Enter')

/** A character that has a key on every keyboard is that key, so that a page which listens for keys hears it; else text that arrived whole. */
export function typed(text: string): readonly LiveInputSent[] {
  if (/^[a-zA-Z]$/.test(text)) return press(`Key${text.toUpperCase()}`, text, /[A-Z]/.test(text) ? bit.shift : 0)
  if (/^[0-9]$/.test(text)) return press(`Digit${text}`, text)
  if (text === ' ') return press('Space', ' ')
  return [{ type: 'text', text }]
}

/**
 * Keys by their place and by what they mean. `apple`: the command key does there what Control does on the remote machine, and
 * Option makes characters. `soft`: a keyboard on the screen; its characters come by the field, which corrects and suggests.
 */
export function makeKeyboard(options: { readonly apple: boolean; readonly soft: boolean }) {
  const { apple, soft } = options
  /** Codes that are down at the other end, with the key they went down as. */
  const down = new Map<string, string>()
  /** Something was copied in the remote page after anything here: pasting takes that. */
  let copiedThere = false

  const isShortcut = (facts: KeyFacts) =>
    !facts.altGraph &&
    (apple
      ? facts.meta || (facts.ctrl && !facts.alt)
      : facts.ctrl && !(facts.alt && facts.key.length === 1 && !/^[a-z0-9]$/i.test(facts.key)))

  function modifiersOf(facts: KeyFacts): number {
    const printable = /^.$/u.test(facts.key)
    const shortcut = isShortcut(facts)
    // AltGr, or Option on a Mac, has made the character already.
    const alt = facts.alt && !facts.altGraph && !(printable && (apple || (facts.ctrl && !shortcut)))
    const ctrl = shortcut ? true : facts.ctrl && !facts.altGraph && !printable
    const meta = facts.meta && !apple
    return (alt ? bit.alt : 0) | (ctrl ? bit.ctrl : 0) | (meta ? bit.meta : 0) | (facts.shift ? bit.shift : 0)
  }

  function own(facts: KeyFacts): KeyAct | null {
    const key = facts.key.toLowerCase()
    if (facts.key === leaveKey) return { act: 'leave' }
    if (browserKeys.has(facts.key)) return { act: 'browser' }
    if (facts.key === 'F5') return { act: 'send', messages: facts.repeat ? [] : [{ type: 'history', to: 'reload' }] }
    if (!apple && facts.alt && !facts.ctrl && facts.key === 'ArrowLeft')
      return { act: 'send', messages: [{ type: 'history', to: 'back' }] }
    if (!apple && facts.alt && !facts.ctrl && facts.key === 'ArrowRight')
      return { act: 'send', messages: [{ type: 'history', to: 'forward' }] }
    if (!isShortcut(facts)) return null
    if (key === 'v' && !facts.alt) return copiedThere ? null : { act: 'field' }
    if (key === 'r') return { act: 'send', messages: facts.repeat ? [] : [{ type: 'history', to: 'reload' }] }
    if (key === 'l') return { act: 'address' }
    if (key === '+' || key === '=') return { act: 'zoom', step: 1 }
    if (key === '-') return { act: 'zoom', step: -1 }
    if (key === '0' && !facts.shift) return { act: 'zoom', step: 0 }
    // Printing and saving would be of the viewer, not of the page.
    if (['p', 's', 'o', 'u', 'd'].includes(key) && !facts.shift) return { act: 'nothing' }
    if (facts.shift && ['i', 'j', 'c'].includes(key)) return { act: 'browser' }
    if (['t', 'n', 'w'].includes(key)) return { act: 'browser' }
    return null
  }

  function onDown(facts: KeyFacts): KeyAct {
    if (facts.isComposing || silentKeys.has(facts.key)) return { act: 'field' }
    const taken = own(facts)
    if (taken !== null) return taken
    const shortcut = isShortcut(facts)
    const printable = /^.$/u.test(facts.key)
    if (soft && !shortcut && (printable || facts.key === 'Backspace')) return { act: 'field' }
    if (shortcut && ['c', 'x'].includes(facts.key.toLowerCase())) copiedThere = true
    const modifiers = modifiersOf(facts)
    // On a Mac the command key is Control there, and keys let go while it is down are never heard of.
    const isCommand = apple && facts.code.startsWith('Meta')
    const code = isCommand ? facts.code.replace('Meta', 'Control') : facts.code
    const key = isCommand ? 'Control' : facts.key
    const message: LiveInputSent = { type: 'key', kind: 'down', code, key, modifiers, repeat: facts.repeat }
    if (apple && facts.meta && !modifierCodes.test(facts.code))
      return { act: 'send', messages: [message, { type: 'key', kind: 'up', code, key, modifiers }] }
    down.set(code, key)
    return { act: 'send', messages: [message] }
  }

  function onUp(facts: KeyFacts): KeyAct {
    const code = apple ? facts.code.replace('Meta', 'Control') : facts.code
    const key = down.get(code)
    if (key === undefined) return { act: 'field' }
    down.delete(code)
    return { act: 'send', messages: [{ type: 'key', kind: 'up', code, key, modifiers: modifiersOf(facts) }] }
  }

  return {
    down: onDown,
    up: onUp,
    /** Everything goes up: the window is no longer looked at, and keys are let go elsewhere. */
    release(): void {
      down.clear()
      copiedThere = false
    },
  }
}
