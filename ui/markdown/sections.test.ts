import { globSync, readFileSync } from 'node:fs'
import { Lexer } from 'marked'
import { expect, test } from 'vitest'
import { sectionsOf } from './sections.ts'

const root = new URL('../../', import.meta.url)

/** Read section by section a text is what it is when it is read as a whole. */
function holds(source: string): number {
  const sections = sectionsOf(source)
  expect(sections.join('')).toBe(source)
  expect(sections.flatMap((each) => [...Lexer.lex(each)])).toEqual([...Lexer.lex(source)])
  return sections.length
}

test('every text of the product is read alike in sections and as a whole', () => {
  const files = globSync('content/**/*.md', { cwd: root })
  expect(files.length).toBeGreaterThan(20)
  const counts = files.map((name) => holds(readFileSync(new URL(name, root), 'utf8')))
  expect(Math.max(...counts)).toBeGreaterThan(8)
})

test('a heading within a fence, a list or a line cuts nothing, and what is told for the whole text keeps it whole', () => {
  expect(holds('# T\n\n## a\n\nx\n\n## b\n\ny\n')).toBe(3)
  expect(holds('## a\n\n```sh\n## no\n```\n\n## b\n')).toBe(2)
  expect(holds('## a\n\n````\n```\n## no\n````\n## b')).toBe(2)
  expect(holds('## a\n\n~~~\n```\n## no\n~~~\n\n- one\n  ## two\n\nof ## three\n')).toBe(1)
  expect(holds('## a\n\n[x][1]\n\n## b\n\n[1]: https://example.com/\n')).toBe(1)
  expect(holds('Told below\n---\n\n## b\n')).toBe(1)
  expect(holds('')).toBe(1)
})
