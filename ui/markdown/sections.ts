/** Links that are defined for the whole text, headings that are told by the line below them or stand further in: such a text is read as one. */
const isOne = /^ {0,3}(?:\[[^\]]+\]:|-+\s*$|=+\s*$)|^ {1,3}##\s/m

/** A Markdown text cut before each of its second-level headings, which is then the first line of its section. Together they are the text. */
export function sectionsOf(source: string): readonly string[] {
  if (isOne.test(source)) return [source]
  const sections: string[] = []
  let fence = ''
  let from = 0
  for (const { 0: line, 1: mark, index } of source.matchAll(/^(?: {0,3}(`{3,}|~{3,})|## ).*$/gm)) {
    if (mark !== undefined) {
      if (fence === '') fence = mark
      else if (mark.startsWith(fence) && line.trim() === mark) fence = ''
    } else if (fence === '' && index > from) {
      sections.push(source.slice(from, index))
      from = index
    }
  }
  return [...sections, source.slice(from)]
}
