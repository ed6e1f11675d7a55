import { expect, test } from 'vitest'
import { compileWords } from '../../../../apps/web/words/compile-words.ts'
import { lead } from './ActFilters.tsx'

test('what an action is called is the same of words as they are written and as a build reads them: words, without what is filled in', () => {
  const written = {
    closed: 'Session fermée',
    closed_others: 'Autres sessions fermées ({count, number})',
    answered: 'Réponse : {what}',
    counted: '{count, plural, one {# clé} other {# clés}}',
  }
  const built = compileWords(written)
  expect(Object.values(written).map(lead)).toEqual(['Session fermée', 'Autres sessions fermées', 'Réponse :', ''])
  expect(Object.keys(written).map((key) => lead(built[key]))).toEqual(Object.values(written).map(lead))
})
