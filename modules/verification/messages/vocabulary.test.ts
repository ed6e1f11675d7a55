import { expect, test } from 'vitest'
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import pageEn from './page.en.json' with { type: 'json' }
import pageFr from './page.fr.json' with { type: 'json' }
import { proofWords as proofEn } from './proof-words.en.ts'
import { proofWords as proofFr } from './proof-words.fr.ts'

/** What says how a check, a proof or everything ended: the same words on the page, in verify.html, on the command line, in the minutes. */
const concludes = /\.(?:conclusion|summary|status|notice)\.|\.(?:passed|failed)$|\.minutes\.count$|\.outcome_(?:holds|failed)$/
const said = (all: Readonly<Record<string, string>>) => Object.entries(all).filter(([id]) => concludes.test(id))

test('French concludes by one word: conforme, non conforme, sans conclusion', () => {
  const all = said({ ...fr, ...pageFr, ...proofFr })
  expect(all.length).toBeGreaterThan(300)
  const others = /\bexacte?s?\b|\bne tien(?:t|nent)\b|\béchecs?\b|\bvalable|\bcorrecte?s?\b/i
  expect(all.filter(([, text]) => others.test(text))).toEqual([])
  const verdicts = all.filter(([id]) =>
    /conclusion\.(?:green|red)$|verification\.status\.(?:passed|failed)$|minutes\.count$/.test(id),
  )
  expect(verdicts.filter(([, text]) => !text.includes('conforme'))).toEqual([])
})

test('English concludes by one word: what holds, and what does not', () => {
  const all = said({ ...en, ...pageEn, ...proofEn })
  const verdicts = all.filter(([id]) => /conclusion\.(?:green|red)$/.test(id))
  expect(verdicts).toHaveLength(2)
  expect(verdicts.map(([, text]) => text).filter((text) => !/\b(?:holds|does not hold)\b/.test(text))).toEqual([])
  expect(all.filter(([, text]) => /\bis (?:correct|right|genuine)\b/i.test(text))).toEqual([])
})
