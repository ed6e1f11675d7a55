import { expect, test } from 'vitest'
import adminEnglish from '../messages/admin.en.json' with { type: 'json' }
import adminFrench from '../messages/admin.fr.json' with { type: 'json' }
import pagesEnglish from '../messages/pages.en.json' with { type: 'json' }
import pagesFrench from '../messages/pages.fr.json' with { type: 'json' }

const english = { ...pagesEnglish, ...adminEnglish }
const french = { ...pagesFrench, ...adminFrench }

/** Names of the values; the words of a choice are none. */
const named = (sentence: string) => {
  const plain = sentence.replaceAll(/\{(\w+), (?:select|plural),(?:[^{}]|\{[^{}]*\})*\}/g, '{$1}')
  return [...new Set([...plain.matchAll(/\{(\w+)[,}]/g)].map((match) => match[1] ?? ''))].toSorted((a, b) => a.localeCompare(b))
}

test('the pages of money say the same in both languages, of the same values', () => {
  const words: Readonly<Record<string, string>> = french
  expect(Object.keys(french)).toEqual(Object.keys(english))
  for (const [id, sentence] of Object.entries(english)) expect([id, named(words[id] ?? '')]).toEqual([id, named(sentence)])
})

test('French has its narrow blank before double signs, and no straight apostrophe', () => {
  for (const [id, sentence] of Object.entries(french)) {
    expect([id, /[^\u202f][:;!?»%]|«[^\u202f]|'/.exec(sentence)?.[0]]).toEqual([id, undefined])
  }
})
