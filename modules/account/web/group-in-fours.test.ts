import { expect, test } from 'vitest'
import { bankFieldFault } from '../domain/bank-account.ts'
import { groupInFours } from './group-in-fours.ts'

test('E-15 an IBAN is shown in groups of four while it is typed, and stays what it is', () => {
  expect(groupInFours('fr7630006')).toBe('FR76 3000 6')
  expect(groupInFours('FR76 3000')).toBe('FR76 3000')
  expect(groupInFours('')).toBe('')
  const whole = groupInFours('gb29-NWBK 6016 1331 9268 19')
  expect(whole).toBe('GB29 NWBK 6016 1331 9268 19')
  expect(bankFieldFault('IBAN', 'iban', whole)).toBeNull()
})
