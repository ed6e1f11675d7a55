import { assert as check, property, string } from '../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { cut, partsOf } from './hostile-text.ts'

describe('text from outside', () => {
  it('shows bidirectional controls, controls and invisible characters by their code point', () => {
    expect(partsOf('a\u202eb\u0000\u200b\u2066\u{e0041}\ud800')).toEqual([
      { text: 'a' },
      { code: 'U+202E' },
      { text: 'b' },
      { code: 'U+0000' },
      { code: 'U+200B' },
      { code: 'U+2066' },
      { code: 'U+E0041' },
      { code: 'U+D800' },
    ])
  })

  it('leaves writing alone: French, Persian with a non-joiner, Chinese, emoji families', () => {
    const text = 'Cœur « été » می\u200cخواهم 漢字 👩\u200d👧'
    expect(partsOf(text)).toEqual([{ text }])
  })

  it('says what it leaves out, and never cuts a character in two', () => {
    expect(cut('👩'.repeat(10), 3)).toEqual({ text: '👩👩👩', leftOut: 14 })
  })

  it('never lets an unseen character through', () => {
    check(
      property(string({ unit: 'binary', maxLength: 50 }), (text) => {
        const shown = partsOf(text)
          .map((part) => ('text' in part ? part.text : part.code))
          .join('')
        expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff]|\p{Cc}|\p{Cs}/u)
      }),
    )
  })
})
