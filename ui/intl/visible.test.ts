import { expect, test } from 'vitest'
import { visible } from './visible.ts'

test('characters that reverse or hide others in an address or title become visible', () => {
  expect(visible('https://example.com/\u202Egpj.exe')).toBe('https://example.com/⟨U+202E⟩gpj.exe')
  expect(visible('a\u200Bb\u0000c\u2066d\u2028e')).toBe('a⟨U+200B⟩b⟨U+0000⟩c⟨U+2066⟩d⟨U+2028⟩e')
  expect(visible('Œuvre d’été – 東京 🙂')).toBe('Œuvre d’été – 東京 🙂')
})

test('ASVS 1.3.3 a name from right to left turns nothing around it, and marks of its own close nothing', () => {
  for (const name of ['ליאור', 'فاطمة 12', 'Ali علي']) expect(visible(name)).toBe(`\u2068${name}\u2069`)
  expect(visible('a\u2069b\u2068')).toBe('a⟨U+2069⟩b⟨U+2068⟩')
})
