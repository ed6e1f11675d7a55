import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { compileWords } from './compile-words.ts'

test('a text that says the same whatever is filled in stays a text; the others are read ahead, and say what they said', () => {
  const words = {
    plain: 'Nothing to fill in, l’heure',
    quoted: "It''s '{this}'",
    count: '{count, plural, =0 {none} one {# page} other {# pages}} of <b>{name}</b>',
    chosen: '{kind, select, a {First} other {Other}} {at, number}',
  }
  const compiled = compileWords(words)
  expect(compiled['plain']).toBe(words.plain)
  expect(compiled['quoted']).toBe('It’s {this}'.replace('’', "'"))
  const values = { count: 3, name: 'x', kind: 'a', at: 1234.5, b: (chunks: readonly string[]) => `*${chunks.join('')}*` }
  for (const id of ['count', 'chosen'] as const) {
    expect(compiled[id]).toBeInstanceOf(Array)
    for (const locale of ['en', 'fr'])
      expect(new IntlMessageFormat(compiled[id] as never, locale).format(values)).toBe(
        new IntlMessageFormat(words[id], locale).format(values),
      )
  }
})
