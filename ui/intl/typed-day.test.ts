import { expect, test } from 'vitest'
import { readDay, showDay } from './typed-day.ts'

test.each([
  ['2026-11-20', '2026-11-20'],
  ['20/11/2026', '2026-11-20'],
  [' 3.4.2026 ', '2026-04-03'],
  ['20-11-2026', '2026-11-20'],
  ['20 11 2026', '2026-11-20'],
  ['20112026', '2026-11-20'],
  ['20261120', '2026-11-20'],
  ['20 Nov 2026', '2026-11-20'],
  ['20 november 2026', '2026-11-20'],
  ['November 20, 2026', '2026-11-20'],
  ['1er août 2026', '2026-08-01'],
  ['1 févr. 2026', '2026-02-01'],
  ['14 juillet 1989', '1989-07-14'],
  ['14 juin 1989', '1989-06-14'],
  ['29/02/2024', '2024-02-29'],
])('%s is a day in either language', (typed, day) => expect(readDay(typed)).toBe(day))

test.each([
  '',
  '29/02/2026',
  '31/04/2026',
  '20/13/2026',
  '0/1/2026',
  '20/11/26',
  '2026',
  'tomorrow',
  '20 foo 2026',
  '20 ju 2026',
  '2026-11-20T10:00',
  '٢٠/١١/٢٠٢٦',
])('“%s” is none', (typed) => expect(readDay(typed)).toBeNull())

test('every day that is shown is read again as the same, in both languages', () => {
  for (let at = Date.UTC(1999, 11, 25); at < Date.UTC(2001, 2, 5); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10)
    expect([readDay(showDay(day, 'en')), readDay(showDay(day, 'fr'))]).toEqual([day, day])
  }
  expect([showDay('2026-09-03', 'en'), showDay('2026-09-03', 'fr'), showDay('2026-9', 'fr'), showDay('', 'en')]).toEqual([
    '3 Sep 2026',
    '03/09/2026',
    '2026-9',
    '',
  ])
})
