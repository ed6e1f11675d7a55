import { expect, test } from 'vitest'
import { detectLocale, rememberedLocale } from './language.ts'

test('K-21 K-24: the browser’s first known language, else English', () => {
  expect(detectLocale(['de-CH', 'fr-CH', 'en'], null)).toBe('fr')
  expect(detectLocale(['de'], null)).toBe('en')
  expect(detectLocale([], null)).toBe('en')
})

test('K-23: the remembered choice wins, unless it is no language of ours', () => {
  expect(detectLocale(['fr'], rememberedLocale('a=1; locale=en'))).toBe('en')
  expect(detectLocale(['fr'], rememberedLocale('locale=xx'))).toBe('fr')
  expect(rememberedLocale('mylocale=fr')).toBeNull()
})
