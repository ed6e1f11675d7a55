import { expect, test } from 'vitest'
import en from '../../../messages/en.json' with { type: 'json' }
import fr from '../../../messages/fr.json' with { type: 'json' }
import { renewalReasons } from './examine-renewals.ts'

test('everything that is said of a renewal has words in both languages', () => {
  const wanted = [
    ...['title', 'passed', 'failed', 'indeterminate'].map((part) => `verification.check.renewal.${part}`),
    ...renewalReasons.map((reason) => `verification.reason.${reason}`),
  ]
  for (const words of [en, fr]) expect(wanted.filter((id) => !Object.hasOwn(words, id))).toEqual([])
})
