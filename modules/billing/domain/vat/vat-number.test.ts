import { assert, property, string } from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { isOfCountry, readVatNumber } from './vat-number.ts'

test.each([
  ['de 129 273 398', 'DE129273398'],
  ['GR094014201', 'EL094014201'],
  ['XI 123456789', 'XI123456789'],
  ['FR 44 732829320', 'FR44732829320'],
  ['NL123456789B01', 'NL123456789B01'],
  ['ESX1234567X', 'ESX1234567X'],
  ['BE0123.456.749', 'BE0123456749'],
  ['IE6388047V', 'IE6388047V'],
  ['ATU12345675', 'ATU12345675'],
])('H-37 %s is read as %s', (typed, text) => {
  expect(readVatNumber(typed)).toEqual({ text, state: text.slice(0, 2), rest: text.slice(2) })
})

test.each(['', 'DE12927339', 'DE1292733980', 'GB123456789', 'CHE123456788', 'FR45732829320', 'US12', '129273398', 'DE12927339X'])(
  'H-37 %s is no number of the union: nobody is asked about it',
  (typed) => {
    expect(readVatNumber(typed)).toBeNull()
  },
)

test('whatever is typed, what is read has a prefix of its state and no sign that a query could carry out', () => {
  assert(
    property(string(), (typed) => {
      const number = readVatNumber(`DE${typed}`)
      expect(number === null || /^DE\d{9}$/.test(number.text)).toBe(true)
    }),
  )
})

test('H-37 a number is of its country: Greece by another name, Monaco with France, Northern Ireland in the kingdom', () => {
  const all = ['DE1', 'EL1', 'FR1', 'XI1'].flatMap((number) =>
    ['DE', 'GR', 'FR', 'MC', 'GB', 'EL'].filter((country) => isOfCountry(number, country)).map((country) => [number, country]),
  )
  expect(all).toEqual([
    ['DE1', 'DE'],
    ['EL1', 'GR'],
    ['FR1', 'FR'],
    ['FR1', 'MC'],
    ['XI1', 'GB'],
  ])
})
