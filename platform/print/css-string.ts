/** A string of CSS (CSS Syntax §4.3.7): everything but plain ASCII letters, digits and spaces by number. */
export function cssString(text: string): string {
  return `"${text.replace(/[^A-Za-z0-9 ]/gu, (character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `)}"`
}
