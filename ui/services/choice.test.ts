import { expect, test } from 'vitest'
import { parseChoice } from './choice.ts'

const at = Date.parse('2026-03-01T10:00:00Z')
const day = 86_400_000
const choice = { at, agreed: ['chat https://chat.example'], asked: ['chat https://chat.example'] }

test('H-41: a choice holds for six months, and what is no choice is none', () => {
  const stored = JSON.stringify(choice)
  expect(parseChoice(stored, at)).toEqual(choice)
  expect(parseChoice(stored, at + 182 * day)).toEqual(choice)
  expect(parseChoice(stored, at + 183 * day)).toBeNull()
  // A clock that was wrong keeps nobody's agreement for years.
  expect(parseChoice(stored, at - 1)).toBeNull()
  for (const other of [null, '', '{', '[]', 'null', '{"at":"x","agreed":[],"asked":[]}', '{"at":1,"agreed":[1],"asked":[]}'])
    expect(parseChoice(other, at)).toBeNull()
})
