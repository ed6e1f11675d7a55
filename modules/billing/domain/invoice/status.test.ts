import { expect, test } from 'vitest'
import english from '../../messages/pages.en.json' with { type: 'json' }
import french from '../../messages/pages.fr.json' with { type: 'json' }
import {
  assertFollows,
  attemptTransitions,
  documentTransitions,
  instalmentStatuses,
  instalmentTransitions,
  publicStatusOf,
  settlementOf,
  settlements,
  settlementTransitions,
} from './status.ts'
import { numberIn, seriesOf } from './number.ts'

test('S-15 S-16 S-17 every settlement is success, pending or failed to whoever reads it', () => {
  expect(settlements.map((each) => [each, publicStatusOf(each)])).toEqual([
    ['pending', 'pending'],
    ['processing', 'pending'],
    ['success', 'success'],
    ['failed', 'failed'],
    ['reversed', 'pending'],
  ])
  // In words: pending is to be paid.
  const statuses = ['success', 'pending', 'failed'] as const
  expect(statuses.map((each) => english[`billing.invoice.status.${each}`])).toEqual(['Paid', 'To be paid', 'Payment failed'])
  expect(statuses.map((each) => french[`billing.invoice.status.${each}`])).toEqual(['Payée', 'À payer', 'Paiement échoué'])
})

test('what an instalment may become, its invoice may follow', () => {
  for (const from of instalmentStatuses)
    for (const to of instalmentTransitions[from]) {
      const [before, after] = [settlementOf[from], settlementOf[to]]
      // A bank's taking back goes through reversed.
      if (before === after || from === 'paid') continue
      expect(() => assertFollows(settlementTransitions, before, after)).not.toThrow()
    }
})

test('what is issued, dropped, succeeded or failed for good never changes again', () => {
  expect(() => assertFollows(documentTransitions, 'issued', 'draft')).toThrow('billing.illegal_transition')
  expect(() => assertFollows(instalmentTransitions, 'dropped', 'due')).toThrow('billing.illegal_transition')
  expect(() => assertFollows(instalmentTransitions, 'paid', 'failed')).toThrow('billing.illegal_transition')
  expect(() => assertFollows(attemptTransitions, 'succeeded', 'failed')).toThrow('billing.illegal_transition')
  expect(() => assertFollows(attemptTransitions, 'unknown', 'succeeded')).not.toThrow()
})

test('H-36 a number is of its series and year', () => {
  expect(numberIn(seriesOf('invoice', '2026-11-23'), 1)).toBe('F2026-000001')
  expect(numberIn(seriesOf('credit_note', '2027-01-01'), 1_234_567)).toBe('A2027-1234567')
})
