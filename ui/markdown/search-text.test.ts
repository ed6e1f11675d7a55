import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { locales } from '../../kernel/locale.ts'
import { readMarkdown } from '../../platform/http/pages/read-markdown.ts'
import { makeSearch, sectionsOf } from './search-text.ts'

const guide = (locale: string) => readMarkdown(readFileSync(new URL(`../../content/${locale}/guide.md`, import.meta.url), 'utf8'))
const ids = (query: string, locale = 'fr') => makeSearch(guide(locale))(query).map(({ id }) => id)

test('a section is found without its accents, by the beginning of a word, and with a letter that is wrong', () => {
  const [first] = ids('vérifier une preuve')
  expect(first).toBe('vérifier-une-preuve')
  for (const typed of ['verifier une preuve', 'VÉRIF PREUV', 'verifer une preuve']) expect(ids(typed)[0], typed).toBe(first)
  expect(makeSearch(readMarkdown('## Une œuvre\n\nà part\n\n## Autre\n\nrien'))('oeuvre').map(({ id }) => id)).toEqual([
    'une-œuvre',
  ])
})

test('what was found is marked in the title and in a piece of the text, which is given as it stands there', () => {
  const [hit] = makeSearch(readMarkdown('## A **title**\n\nOne `two` &amp; [three](/x).\n\n| H |\n|---|\n| Four |\n'))(
    'three four',
  )
  expect(hit?.excerpt.map(({ text }) => text).join('')).toBe('One two & three. H. Four')
  expect(hit?.excerpt.filter(({ marked }) => marked).map(({ text }) => text)).toEqual(['three', 'Four'])
  const long = `## L\n\n${'word '.repeat(100)}needle ${'word '.repeat(100)}`
  const said =
    makeSearch(readMarkdown(long))('needle')[0]
      ?.excerpt.map(({ text }) => text)
      .join('') ?? ''
  expect(said).toMatch(/^… word .*needle.* …$/)
  expect(said.length).toBeLessThan(200)
})

test('what stands for nothing finds nothing, and whatever is typed breaks nothing', () => {
  for (const typed of ['', '   ', 'qzxjk', '*()[]\\', '\u0000', '’', 'a'.repeat(10_000)]) expect(ids(typed), typed).toEqual([])
})

test.each(locales)('each example that is offered where nothing was found finds something: %s', (locale) => {
  const words = JSON.parse(readFileSync(new URL(`../messages/${locale}.json`, import.meta.url), 'utf8')) as Record<string, string>
  const examples = words['ui.search.examples']?.split(', ') ?? []
  expect(examples.length).toBeGreaterThan(2)
  for (const example of examples) expect(ids(example, locale).length, example).toBeGreaterThan(0)
  expect(sectionsOf(guide(locale)).every(({ id, text }) => id !== '' && text !== '')).toBe(true)
})
