import { expect, test } from 'vitest'
import { readDay } from './read-day.ts'

test.each([
  ['31122039', '2039-12-31'],
  ['311239', '2039-12-31'],
  ['1/2/2030', '2030-02-01'],
  [' 01.02.30 ', '2030-02-01'],
  ['29-02-2028', '2028-02-29'],
  ['2039-12-31', '2039-12-31'],
  ['29/02/2027', null],
  ['31/04/2030', null],
  ['12/31/2030', null],
  ['22039-03-11', null],
  ['31/12/0039', null],
  ['2039', null],
  ['', null],
  ['in May', null],
])('%j is %j', (typed, day) => {
  expect(readDay(typed)).toBe(day)
})
