/** Keys as browsers name them (UI Events KeyboardEvent code and key Values), and the numbers that pages still read. */

/** `keyCode` of keys that no printed character decides (UI Events §8.3, appendix of legacy values). */
const numbers: Readonly<Record<string, number>> = {
  Backspace: 8, Tab: 9, Enter: 13, NumpadEnter: 13, ShiftLeft: 16, ShiftRight: 16, ControlLeft: 17, ControlRight: 17, AltLeft: 18,
  AltRight: 18, Pause: 19, CapsLock: 20, Escape: 27, Space: 32, PageUp: 33, PageDown: 34, End: 35, Home: 36, ArrowLeft: 37,
  ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Insert: 45, Delete: 46, MetaLeft: 91, MetaRight: 92, ContextMenu: 93,
  NumpadMultiply: 106, NumpadAdd: 107, NumpadSubtract: 109, NumpadDecimal: 110, NumpadDivide: 111, NumLock: 144, ScrollLock: 145,
  Semicolon: 186, Equal: 187, Comma: 188, Minus: 189, Period: 190, Slash: 191, Backquote: 192, BracketLeft: 219, Backslash: 220,
  BracketRight: 221, Quote: 222, IntlBackslash: 226,
} // prettier-ignore

export const modifier = { alt: 1, control: 2, meta: 4, shift: 8 } as const

export function keyNumber(code: string, key: string): number {
  // Of letters and digits the layout decides: an AZERTY keyboard's `a` is 65, wherever it lies.
  if (/^[a-z]$/i.test(key)) return key.toUpperCase().charCodeAt(0)
  const known = numbers[code]
  if (known !== undefined) return known
  const [, digit] = /^(?:Digit)(\d)$/.exec(code) ?? []
  if (digit !== undefined) return 48 + Number(digit)
  const [, pad] = /^Numpad(\d)$/.exec(code) ?? []
  if (pad !== undefined) return 96 + Number(pad)
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? []
  if (letter !== undefined) return letter.charCodeAt(0)
  const [, f] = /^F(\d{1,2})$/.exec(code) ?? []
  if (f !== undefined && Number(f) >= 1 && Number(f) <= 24) return 111 + Number(f)
  // A keyboard on a screen has no codes: the keys that have names are known by these.
  return numbers[key] ?? (key === ' ' ? 32 : 0)
}

/** What a key types: one character, or nothing. */
export function textOfKey(key: string, modifiers: number): string {
  if (key === 'Enter') return '\r'
  if (Array.from(key).length !== 1) return ''
  // Where AltGr is told as Control and Alt together, the character is what counts.
  const altGr = (modifiers & modifier.control) !== 0 && (modifiers & modifier.alt) !== 0 && !/^[a-z0-9]$/i.test(key)
  if (altGr) return key
  return (modifiers & (modifier.control | modifier.alt | modifier.meta)) === 0 ? key : ''
}

/**
 * Shortcuts that are no visitor's: the browser's developer tools, windows, printing, saving, leaving. Keys sent to a page never
 * reach the browser's own menus; they are not passed on to the page either, so that nobody relies on it.
 */
export function isForbiddenShortcut(code: string, key: string, modifiers: number): boolean {
  const control = (modifiers & (modifier.control | modifier.meta)) !== 0
  const shift = (modifiers & modifier.shift) !== 0
  const alt = (modifiers & modifier.alt) !== 0
  if (/^F(?:1|3|4|6|7|11|12)$/.test(code)) return true
  if (alt && control && textOfKey(key, modifiers) === '') return true
  if (!control) return false
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? '')
  if (shift && /^[a-z]$/.test(letter)) return !/^[zvaxc]$/.test(letter) || letter === 'c'
  return /^[dhjlnopqrstuw]$/.test(letter) || /^(?:Tab|PageUp|PageDown)$/.test(code)
}
