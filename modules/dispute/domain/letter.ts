/** The text of a letter, in which words in braces stand for what was measured, or given by its sender. */

export const placeholders = ['address', 'captured', 'report', 'root', 'claim', 'delay', 'amount', 'offer'] as const
export type Placeholder = (typeof placeholders)[number]

/** Of one language: what stands in the braces. */
export type PlaceholderNames = Readonly<Record<Placeholder, string>>

export type LetterPart = { readonly text: string } | { readonly placeholder: Placeholder }
export type ReadLetter = {
  readonly parts: readonly LetterPart[]
  /** Words in braces that stand for nothing: nobody sends a letter with them. */
  readonly unknown: readonly string[]
}

export function readLetter(letter: string, names: PlaceholderNames): ReadLetter {
  const byName = new Map(placeholders.map((each) => [names[each], each]))
  const parts: LetterPart[] = []
  const unknown = new Set<string>()
  let from = 0
  for (const { 0: whole, 1: name = '', index } of letter.matchAll(/\{([^{}\n]{0,60})\}/g)) {
    const placeholder = byName.get(name.trim().toLowerCase())
    if (placeholder === undefined) {
      unknown.add(whole)
      continue
    }
    if (index > from) parts.push({ text: letter.slice(from, index) })
    parts.push({ placeholder })
    from = index + whole.length
  }
  if (from < letter.length) parts.push({ text: letter.slice(from) })
  return { parts, unknown: [...unknown] }
}

/** Those that the letter asks for and that nothing is there for, in their order. */
export function missingIn({ parts }: ReadLetter, values: Readonly<Record<Placeholder, string | null>>): readonly Placeholder[] {
  const asked = new Set(parts.flatMap((part) => ('placeholder' in part ? [part.placeholder] : [])))
  return placeholders.filter((each) => asked.has(each) && values[each] === null)
}
