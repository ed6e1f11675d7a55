/** Characters that PDF/A has no place for, and words that would run out of their column (ISO 19005-3 §6.2.11.7, Unicode Annex 14). */
import { codePointName } from '../hostile-text.ts'

/** Private use, unassigned, half a character, and controls but for the line break: no reader could be told what they are. */
// oxlint-disable-next-line no-control-regex -- such characters are what is looked for
const unprintable = /[\p{Co}\p{Cn}\p{Cs}\u0000-\u0009\u000b-\u001f\u007f-\u009f]/gu

export const printable = (text: string): string => text.replaceAll(unprintable, (found) => `⟨${codePointName(found)}⟩`)

/** How many characters of all texts in blocks are shown by their code: those, and parts of text from outside that nobody would see. */
export function shownByCode(value: unknown): number {
  if (typeof value === 'string') return value.match(unprintable)?.length ?? 0
  if (typeof value !== 'object' || value === null) return 0
  if ('code' in value) return 1
  return Object.values(value).reduce<number>((sum, each) => sum + shownByCode(each), 0)
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Each piece is an element of the document's structure: fewer are read more quickly, and break a line less evenly. */
const pieceLength = 4
/** Longest run without a space that is left to itself, in characters. */
const longestRun = 24

/** Pieces between which a line may break: a run that is too long has one for every four characters, what stands before and after is one. */
export function piecesOf(text: string, longest = longestRun): readonly string[] {
  const pieces: string[] = []
  let whole = ''
  for (const run of text.split(/(\S+)/)) {
    if (run.length <= longest || /^\s/.test(run)) whole += run
    else {
      if (whole !== '') pieces.push(whole)
      whole = ''
      const characters = Array.from(graphemes.segment(run), ({ segment }) => segment)
      for (let at = 0; at < characters.length; at += pieceLength) pieces.push(characters.slice(at, at + pieceLength).join(''))
    }
  }
  return whole === '' ? pieces : [...pieces, whole]
}
