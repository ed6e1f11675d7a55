/** Bidirectional controls, zero-width and other invisible characters become `⟨U+202E⟩` (Unicode TR 36, TR 39). */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}
