import MiniSearch from 'minisearch'
import { wordsOf, type MarkdownText } from '../../kernel/markdown-text.ts'

export type Part = { readonly text: string; readonly marked: boolean }
export type Hit = { readonly id: string; readonly title: readonly Part[]; readonly excerpt: readonly Part[] }

type Section = { readonly id: string; readonly title: string; readonly text: string }

/** `Événement` is found by `evenement`, `œuvre` by `oeuvre`. */
const folded = (word: string): string =>
  word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('œ', 'oe').replaceAll('æ', 'ae')

const words = /[\p{L}\p{N}]+/gu

/** A heading, of whatever level, with what stands below it; what stands before the first belongs to nowhere one could go. */
export function sectionsOf(content: MarkdownText): readonly Section[] {
  const sections: { id: string; title: string; text: string[] }[] = []
  for (const node of content.flat()) {
    if (typeof node !== 'string' && node.kind === 'heading') {
      sections.push({ id: node.id, title: wordsOf(node.nodes), text: [] })
    } else sections.at(-1)?.text.push(wordsOf([node]))
  }
  return sections.map(({ text, ...section }) => ({ ...section, text: text.filter((each) => each !== '').join(' ') }))
}

/** @param found words as they were folded */
function marked(text: string, found: ReadonlySet<string>): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const word of text.matchAll(words)) {
    if (!found.has(folded(word[0]))) continue
    if (word.index > end) parts.push({ text: text.slice(end, word.index), marked: false })
    end = word.index + word[0].length
    parts.push({ text: word[0], marked: true })
  }
  if (end < text.length) parts.push({ text: text.slice(end), marked: false })
  return parts
}

const before = 60
const length = 180

/** So much of a text as shows where it was found, from one blank to another. */
function excerptOf(text: string, found: ReadonlySet<string>): Part[] {
  const first = [...text.matchAll(words)].find(([word]) => found.has(folded(word)))?.index ?? 0
  const from = first <= before ? 0 : text.indexOf(' ', first - before) + 1
  const cut = from + length >= text.length ? text.length : text.lastIndexOf(' ', from + length)
  const parts = marked(text.slice(from, cut), found)
  return [
    ...(from > 0 ? [{ text: '… ', marked: false }] : []),
    ...parts,
    ...(cut < text.length ? [{ text: ' …', marked: false }] : []),
  ]
}

/**
 * Searches the sections of a text: whole words and their beginnings, without accents, with a letter that is wrong. The index is made of the
 * text that is shown, which may be the operator's own.
 */
export function makeSearch(content: MarkdownText): (query: string) => readonly Hit[] {
  const sections = sectionsOf(content)
  const index = new MiniSearch<Section>({
    fields: ['title', 'text'],
    tokenize: (text) => text.match(words) ?? [],
    processTerm: folded,
    searchOptions: {
      boost: { title: 4 },
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    },
  })
  index.addAll(sections)
  return (query) => {
    const all = index.search(query, { combineWith: 'AND' })
    const found = all.length > 0 ? all : index.search(query)
    return found.slice(0, 8).flatMap(({ id, match }) => {
      const section = sections.find((each) => each.id === id)
      const terms = new Set(Object.keys(match))
      return section === undefined
        ? []
        : [{ id: section.id, title: marked(section.title, terms), excerpt: excerptOf(section.text, terms) }]
    })
  }
}
