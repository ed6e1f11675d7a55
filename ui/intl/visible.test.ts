import { expect, test } from 'vitest'
import { visible } from './visible.ts'

test('characters that reverse or hide others in an address or title become visible', () => {
  expect(visible('https://example.com/\u202Egpj.exe')).toBe('https://example.com/⟨U+202E⟩gpj.exe')
  expect(visible('a\u200Bb\u0000c\u2066d\u2028e')).toBe('a⟨U+200B⟩b⟨U+0000⟩c⟨U+2066⟩d⟨U+2028⟩e')
  expect(visible('Œuvre d’été – 東京 🙂')).toBe('Œuvre d’été – 東京 🙂')
})
