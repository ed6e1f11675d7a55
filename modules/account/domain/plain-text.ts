export type TextFault = 'too_long' | 'characters'

/** Blanks of any kind become one space, letters their composed form (Unicode NFC). */
export function tidy(typed: string): string {
  return typed.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}

/** One line that people wrote. Refused is what deceives readers or breaks lines: controls, bidirectional and invisible marks, unassigned and private characters. */
export function textFault(text: string, longest: number): TextFault | null {
  if (Array.from(text).length > longest) return 'too_long'
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? 'characters' : null
}
