import * as fc from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { amountOf } from '../money/money.ts'
import { accounts, entryOfCredit, entryOfInvoice, entryOfPayment, entryOfReversal, isBalanced, type Entry } from './entry.ts'

const cents = fc.nat({ max: 1_000_000_000 })
const owed = (entries: readonly Entry[]) =>
  entries
    .flatMap(({ postings }) => postings)
    .filter(({ account }) => account === accounts.customers)
    .reduce((sum, { debit, credit }) => sum + debit - credit, 0)

/** Invariant 4. */
const balances = (make: typeof entryOfInvoice) =>
  fc.property(cents, cents, (net, vat) => {
    expect(isBalanced(make(amountOf(net, vat)))).toBe(true)
  })

test('every entry of the journal balances', () => {
  fc.assert(balances(entryOfInvoice))
  fc.assert(balances(entryOfCredit))
  fc.assert(
    fc.property(cents, fc.constantFrom('provider', 'bank'), (paid, through) => {
      expect(isBalanced(entryOfPayment(paid, through)) && isBalanced(entryOfReversal(paid, through))).toBe(true)
    }),
  )
})
test('… which VAT that is left out would break', () => {
  expect(fc.check(balances((amount) => entryOfInvoice({ ...amount, vat: 0 }))).failed).toBe(true)
})

test('an invoice that is paid, or credited, is owed no more; one that the bank took back is again', () => {
  const amount = amountOf(9900, 1980)
  expect(owed([entryOfInvoice(amount), entryOfPayment(amount.gross, 'provider')])).toBe(0)
  expect(owed([entryOfInvoice(amount), entryOfCredit(amount)])).toBe(0)
  expect(owed([entryOfInvoice(amount), entryOfPayment(11_880, 'bank'), entryOfReversal(11_880, 'bank')])).toBe(11_880)
  expect(entryOfInvoice(amountOf(100, 0)).postings).toHaveLength(2)
})
