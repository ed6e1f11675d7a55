/** Letters that are written from right to left; those of the other scripts are rarer than their sum (Unicode Standard Annex 9). */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** Bidirectional controls, zero-width and other invisible characters become `⟨U+202E⟩` (Unicode TR 36, TR 39). */
export function showUnseen(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

/**
 * Shows what is unseen, and isolates what has letters from right to left (UAX 9 §2.5), so that a name turns nothing of the sentence around
 * it.
 */
export function visible(text: string): string {
  const shown = showUnseen(text)
  return rightToLeft.test(shown) ? `\u2068${shown}\u2069` : shown
}
