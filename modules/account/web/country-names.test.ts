import { expect, test } from 'vitest'
import { countryCodes } from '../domain/countries.ts'
import { countryNames } from './country-names.ts'

test('E-06 E-07 a country is found by its name in either language, without its accents, and by its code', () => {
  const french = countryNames('fr', ['en'])
  expect(french.codeOf('Côte d’Ivoire')).toBe('CI')
  expect(french.codeOf("  cote d'ivoire ")).toBe('CI')
  expect(french.codeOf('Germany')).toBe('DE')
  expect(french.codeOf('allemagne')).toBe('DE')
  expect(french.codeOf('be')).toBe('BE')
  expect(french.nameOf('CH')).toBe('Suisse')
})

test('E-06 E-07 what is no country is left for the rule to refuse', () => {
  const english = countryNames('en', ['fr'])
  expect(english.codeOf('Atlantis')).toBe('Atlantis')
  expect(english.codeOf('')).toBe('')
  expect(english.nameOf('Atlantis')).toBe('Atlantis')
})

test('E-06 E-07 every name leads back to its own country', () => {
  for (const language of ['en', 'fr']) {
    const names = countryNames(language, ['en', 'fr'])
    for (const code of countryCodes) expect(names.codeOf(names.nameOf(code))).toBe(code)
  }
})
