import { expect, test } from 'vitest'
import { parsePlanOptions } from './plan-options.ts'

const parse = (line: string) => parsePlanOptions(line.split(' '))

test('H-35 prices are changed in whole cents from a day of the calendar', () => {
  expect(parse('set essential --from 2027-01-01 --month 41000 --reports any --seats 2 --lang fr')).toEqual({
    command: 'set',
    locale: 'fr',
    plan: 'essential',
    from: '2027-01-01',
    change: { monthCents: 41_000, reportsPerMonth: null, seats: 2 },
  })
  expect(parse('list')).toEqual({ command: 'list', locale: 'en' })
})

test.each([
  'set essential --from 2027-02-31 --month 1',
  'set essential --from 2027-1-1 --month 1',
  'set essential --month 1',
  'set essential --from 2027-01-01',
  'set essential --from 2027-01-01 --month 1.5',
  'set essential --from 2027-01-01 --month -1',
  'set essential --from 2027-01-01 --month any',
  'set essential --from 2027-01-01 --seats 0',
  'set essential --from 2027-01-01 --month 12345678901',
  'set gold --from 2027-01-01 --month 1',
  'set essential comfort --from 2027-01-01 --month 1',
  'list essential',
  'list --month 1',
  'list --lang de',
  'drop essential',
])('%s is wrong use', (line) => {
  expect(parse(line)).toBeNull()
})
