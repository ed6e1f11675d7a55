import { describe, expect, test } from 'vitest'
import {
  formatBytes,
  formatCountdown,
  formatDay,
  formatExact,
  formatInstant,
  formatMoney,
  formatMonth,
  formatSeconds,
  groupHex,
  utcOffset,
} from './format.ts'

test('H-40 a month is named, and the one before it, across a year', () => {
  expect(formatMonth('2026-01', 0, 'en')).toBe('January 2026')
  expect(formatMonth('2026-01', 1, 'fr')).toBe('décembre 2025')
  expect(formatMonth('2026-11', 0, 'en', 'short')).toBe('Nov 2026')
})

test('a day is written as its language does: the first of a month is an ordinal in French', () => {
  expect(formatDay('2026-12-01', 'fr')).toBe('1er décembre 2026')
  expect(formatDay('2026-12-11', 'fr')).toBe('11 décembre 2026')
  expect(formatDay('2026-12-01', 'en')).toBe('1 December 2026')
})

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('dates say their zone', () => {
  const at = '2026-11-20T11:10:09.000Z'
  test.each([
    ['en', 'Europe/Paris', '20 Nov 2026, 12:10 (UTC+1)'],
    ['fr', 'Europe/Paris', '20/11/2026 à 12 h 10 (heure de Paris)'],
    ['fr', 'America/Guadeloupe', '20/11/2026 à 07 h 10 (UTC-4)'],
    ['en', 'UTC', '20 Nov 2026, 11:10 (UTC)'],
    ['en', 'Asia/Kolkata', '20 Nov 2026, 16:40 (UTC+5:30)'],
  ] as const)('%s in %s', (locale, timeZone, expected) => {
    expect(plain(formatInstant(at, locale, { timeZone }))).toBe(expected)
  })
  test.each([
    ['en', 'Europe/Paris', '20 November 2026, 11:10:09 UTC = 20 Nov 2026, 12:10:09 (UTC+1)'],
    ['fr', 'Europe/Paris', '20 novembre 2026 à 11 h 10 min 09 s UTC = 20/11/2026 à 12 h 10 min 09 s (heure de Paris)'],
    ['en', 'UTC', '20 November 2026, 11:10:09 UTC'],
    ['fr', 'UTC', '20 novembre 2026 à 11 h 10 min 09 s UTC'],
  ] as const)('of evidence in %s in %s: as the report writes it, then by the reader’s clock', (locale, timeZone, expected) => {
    expect(plain(formatExact(at, locale, { timeZone }))).toBe(expected)
  })
  test('midnight is 00, and September is Sep', () => {
    expect(formatInstant('2026-09-01T00:00:00Z', 'en', { timeZone: 'UTC' })).toBe('1 Sep 2026, 00:00 (UTC)')
  })
  test('the offset is the one in force at the instant', () => {
    expect(utcOffset(new Date('2026-07-01T00:00:00Z'), 'Europe/Paris')).toBe('UTC+2')
  })
})

test('money', () => {
  expect(plain(formatMoney(11_880, 'EUR', 'fr'))).toBe('118,80 €')
  expect(formatMoney(11_880, 'EUR', 'en')).toBe('€118.80')
  expect(formatMoney(383_040, 'EUR', 'en')).toBe('€3,830.40')
  expect(formatMoney(-150, 'EUR', 'en')).toBe('\u2212€1.50')
  expect(formatMoney(-150, 'EUR', 'fr')).toBe('\u22121,50\u00a0€')
})

test('sizes, durations and time left', () => {
  expect(plain(formatBytes(2_600_000, 'fr'))).toBe('2,6 Mo')
  expect(plain(formatBytes(2_600_000, 'en'))).toBe('2.6 MB')
  expect(plain(formatBytes(999_900, 'en'))).toBe('1 MB')
  expect(plain(formatBytes(512, 'fr'))).toBe('512 o')
  expect(plain(formatSeconds(65.9))).toBe('1 min 05 s')
  expect(plain(formatSeconds(-3))).toBe('0 s')
  expect(formatCountdown(86_400_000)).toBe('24\u00a0h\u00a000\u00a0min')
  expect(formatCountdown(86_399_000)).toBe('23\u00a0h\u00a059\u00a0min')
  expect(formatCountdown(3_599_000)).toBe('59\u00a0min')
  expect(formatCountdown(-1)).toBe('0\u00a0min')
})

test('hashes are grouped without losing a digit', () => {
  const hash = '0123456789abcdef'.repeat(4)
  expect(groupHex(hash).split(' ')).toHaveLength(8)
  expect(groupHex(hash).replaceAll(' ', '')).toBe(hash)
})
