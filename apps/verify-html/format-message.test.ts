import {
  isArgumentElement,
  isNumberElement,
  isPluralElement,
  isSelectElement,
  parse,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import en from '../../modules/verification/messages/en.json' with { type: 'json' }
import fr from '../../modules/verification/messages/fr.json' with { type: 'json' }
import { proofWords as proofEn } from '../../modules/verification/messages/proof-words.en.ts'
import { proofWords as proofFr } from '../../modules/verification/messages/proof-words.fr.ts'
import { formatMessage } from './format-message.ts'

const catalogues = { 'en-GB': { ...en, ...proofEn }, 'fr-FR': { ...fr, ...proofFr } } as const

/** Values that reach every case of every argument. */
function argumentsOf(parts: readonly MessageFormatElement[], found = new Map<string, (string | number)[]>()): typeof found {
  for (const part of parts) {
    if (isPluralElement(part) || isSelectElement(part)) {
      const cases = Object.keys(part.options)
      found.set(part.value, isPluralElement(part) ? [0, 1, 2, 5, 1_000_000] : cases)
      for (const each of Object.values(part.options)) argumentsOf(each.value, found)
    } else if (isNumberElement(part)) found.set(part.value, [0, 1_234_567])
    else if (isArgumentElement(part) && !found.has(part.value)) found.set(part.value, ['x “y”'])
  }
  return found
}

test.each(['en-GB', 'fr-FR'] as const)('every message of %s is written as the library writes it', (locale) => {
  const messages: readonly (readonly [string, string])[] = Object.entries(catalogues[locale])
  expect(messages.length).toBeGreaterThan(500)
  for (const [id, text] of messages) {
    const library = new IntlMessageFormat(text, locale)
    const names = argumentsOf(parse(text))
    const most = Math.max(1, ...[...names.values()].map((each) => each.length))
    for (let i = 0; i < most; i += 1) {
      const values = Object.fromEntries([...names].map(([name, each]) => [name, each[i % each.length] ?? '']))
      expect([id, formatMessage(text, values, locale)]).toEqual([id, String(library.format(values))])
    }
  }
})
