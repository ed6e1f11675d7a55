import { expect, test } from 'vitest'
import english from '../../messages/en.json' with { type: 'json' }
import french from '../../messages/fr.json' with { type: 'json' }
import { nameOfAuthority, type Words } from './describe-check.ts'

const wordsOf = (messages: Readonly<Record<string, string>>): Words => ({
  format: (id) => messages[id] ?? id,
  has: (id) => id in messages,
  instant: (iso) => iso,
})

test.each([
  ['en', english],
  ['fr', french],
])(
  'what a platform’s own authorities call themselves is said in the reader’s language, and leaves it to the verdict what is qualified (%s)',
  (_locale, messages) => {
    const words = wordsOf(messages)
    const own = [
      'Probant platform authority',
      'Probant platform seal',
      'Probant embedded time authority root (not qualified)',
      'Probant embedded time authority (not qualified)',
    ]
    const said = own.map((name) => nameOfAuthority(name, words))
    expect(new Set(said).size).toBe(4)
    for (const [index, name] of said.entries()) {
      expect(name).not.toContain(own[index])
      expect(name).not.toMatch(/qualif|verification\./i)
    }
    // Whatever anybody else calls himself stays as it is, but for what cannot be seen.
    expect(nameOfAuthority('Another (not qualified)', words)).toBe('Another (not qualified)')
  },
)
