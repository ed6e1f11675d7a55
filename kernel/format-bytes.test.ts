import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

const byIntl = (bytes: number, locale: 'en' | 'fr', digits: number, unit: string, size: number) =>
  `${new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', { maximumFractionDigits: digits }).format(bytes / size)}\u00A0${unit}`

test('sizes are written in decimal units, with the comma of French and the point of English', () => {
  expect(
    [0, 1, 999, 1000, 1049, 1050, 2_649_999, 99_949, 99_950, 999_499, 999_500].map((bytes) => formatBytes(bytes, 'en')),
  ).toEqual(
    ['0 B', '1 B', '999 B', '1 kB', '1 kB', '1.1 kB', '2.6 MB', '99.9 kB', '100 kB', '999 kB', '1 MB'].map((each) =>
      each.replace(' ', '\u00A0'),
    ),
  )
  expect([2_600_000, 10_000_000, 4_200_000_000_000, 4_200_000_000_000_000].map((bytes) => formatBytes(bytes, 'fr'))).toEqual([
    '2,6\u00A0Mo',
    '10\u00A0Mo',
    '4,2\u00A0To',
    '4\u202F200\u00A0To',
  ])
})

test('they are as Intl.NumberFormat writes them', () => {
  for (let tenth = 10; tenth < 10_000; tenth += 7)
    for (const [unit, french, size] of [
      ['kB', 'ko', 1e3],
      ['MB', 'Mo', 1e6],
      ['GB', 'Go', 1e9],
    ] as const) {
      // Halfway between two figures, too.
      const bytes = Math.round((tenth / 10 + 0.05) * size)
      if (bytes / size >= 999.5) continue
      const digits = bytes / size >= 100 ? 0 : 1
      expect(formatBytes(bytes, 'en')).toBe(byIntl(bytes, 'en', digits, unit, size))
      expect(formatBytes(bytes, 'fr')).toBe(byIntl(bytes, 'fr', digits, french, size))
    }
})
