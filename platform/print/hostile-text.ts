import type { SafePart } from '../../kernel/document/blocks.ts'

/**
 * Titles and addresses of captured pages are attack strings: characters that cannot be seen could make the paper say
 * something else than the bytes (UTS #39, UAX #9). Controls, bidirectional controls, invisible operators, tag characters and
 * lone surrogates are shown by their code point. Zero-width joiners stay: Persian, Indic scripts and emoji need them.
 */
const unseen =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- such characters, each alone, are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\p{Cs}\u{e0000}-\u{e0fff}]/u

export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Splits `text` into parts that show as they are and characters that would not be seen. */
export function partsOf(text: string): SafePart[] {
  const parts: SafePart[] = []
  let run = ''
  for (const character of text) {
    if (!unseen.test(character)) {
      run += character
      continue
    }
    if (run !== '') parts.push({ text: run })
    run = ''
    parts.push({ code: codePointName(character) })
  }
  if (run !== '') parts.push({ text: run })
  return parts
}

/** Cuts after `limit` code points, never inside one; says how many were left out through `leftOut`. */
export function cut(text: string, limit: number): { readonly text: string; readonly leftOut: number } {
  if (text.length <= limit) return { text, leftOut: 0 }
  const points = Array.from(text.slice(0, limit * 2))
  const kept = points.slice(0, limit).join('')
  return { text: kept, leftOut: text.length - kept.length }
}

/** The same for plain text: `a<U+202E>b`. */
export function plainText(text: string, limit: number): string {
  const { text: shown, leftOut } = cut(text, limit)
  return (
    partsOf(shown)
      .map((part) => ('text' in part ? part.text : `<${part.code}>`))
      .join('') + (leftOut > 0 ? ' […]' : '')
  )
}
