import { expect, test } from 'vitest'
import { expiryOf, faultsOfCard, grouped, kindOf } from './card-rule.ts'

const now = new Date('2026-11-23T09:00:00Z')
const good = { number: '4970 1071 1111 1119', expiry: '12/28', cvc: '123' }

test.each([
  ['V-29', 'nothing is wrong with a good one', {}, {}],
  ['V-29', 'its type is known by its number', { number: '9999 9999 9999 9995' }, { number: 'type_required' }],
  ['V-30', 'its number is required', { number: ' ' }, { number: 'number_required' }],
  ['V-31', 'its expiry is required', { expiry: '' }, { expiry: 'expiry_required' }],
  ['V-32', 'its code is required', { cvc: '' }, { cvc: 'cvc_required' }],
  ['V-33', 'a month that is over', { expiry: '10/26' }, { expiry: 'expiry_over' }],
  ['V-33', 'the month that it holds to is not over', { expiry: '11/26' }, {}],
  ['V-33', 'what is no month', { expiry: '13/28' }, { expiry: 'expiry_wrong' }],
  ['V-34', 'a digit is wrong', { number: '4970 1071 1111 1118' }, { number: 'number_wrong' }],
  ['V-34', 'a digit is missing', { number: '4970 1071 1111 111' }, { number: 'number_wrong' }],
  ['V-34', 'it is no number', { number: '4970x' }, { number: 'number_wrong' }],
  ['V-32', 'a code of another length is none', { number: '3759 891111 11119', cvc: '123' }, { cvc: 'cvc_wrong' }],
] as const)('%s a card: %s', (_, __, change, faults) => {
  expect(faultsOfCard({ ...good, ...change }, now)).toEqual(faults)
})

test('V-29 V-31 cards are written as they stand on the card, and read however they are typed', () => {
  expect(grouped('4970107111111119')).toBe('4970 1071 1111 1119')
  expect(grouped('375989111111119')).toBe('3759 891111 11119')
  expect(grouped('375')).toBe('375')
  expect(['4970', '5033', '3759', '2720', '9'].map(kindOf)).toEqual(['Visa', 'Maestro', 'American Express', 'Mastercard', null])
  expect(['1/29', '01/2029', '0129', '12-28', '00/28', '1'].map(expiryOf)).toEqual(['0129', '0129', '0129', '1228', null, null])
})
