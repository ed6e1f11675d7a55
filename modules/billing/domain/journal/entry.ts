import type { Amount, Cents } from '../money/money.ts'

/** Of the French chart of accounts (ANC 2014-03, art. 932-1). */
export const accounts = {
  customers: '411000',
  services: '706000',
  vatCollected: '445710',
  provider: '517000',
  bank: '512000',
  /** Whom we pay: what was earned by referral and by licences. */
  payees: '467100',
  /** What the provider keeps for them, on its way to their banks. */
  purses: '517100',
  commissions: '622200',
  royalties: '651100',
  vatDeductible: '445660',
  bankCharges: '627000',
} as const
export type Account = (typeof accounts)[keyof typeof accounts]

/** Sales, what comes in and goes out, and what is owed to those who brought it. */
export type Journal = 'VE' | 'BQ' | 'HA'

export type Posting = {
  readonly account: Account
  /** Whether it is on the customer's own account too. */
  readonly ofCustomer: boolean
  readonly debit: Cents
  readonly credit: Cents
}
export type Entry = { readonly journal: Journal; readonly postings: readonly Posting[] }

const debit = (account: Account, cents: Cents): Posting => ({
  account,
  ofCustomer: account === accounts.customers,
  debit: cents,
  credit: 0,
})
const credit = (account: Account, cents: Cents): Posting => ({
  account,
  ofCustomer: account === accounts.customers,
  debit: 0,
  credit: cents,
})

/** Nothing is posted of nothing. */
const entry = (journal: Journal, postings: readonly Posting[]): Entry => ({
  journal,
  postings: postings.filter((each) => each.debit !== 0 || each.credit !== 0),
})

export function isBalanced({ postings }: Entry): boolean {
  return postings.reduce((sum, each) => sum + each.debit - each.credit, 0) === 0
}

/** An invoice is owed; it is earned, and its VAT is the state's. */
export const entryOfInvoice = ({ net, vat, gross }: Amount): Entry =>
  entry('VE', [debit(accounts.customers, gross), credit(accounts.services, net), credit(accounts.vatCollected, vat)])

/** A credit note is the invoice's mirror. */
export const entryOfCredit = ({ net, vat, gross }: Amount): Entry =>
  entry('VE', [debit(accounts.services, net), debit(accounts.vatCollected, vat), credit(accounts.customers, gross)])

export type Channel = 'provider' | 'bank'

export const entryOfPayment = (cents: Cents, through: Channel): Entry =>
  entry('BQ', [debit(accounts[through], cents), credit(accounts.customers, cents)])

/** A payment that the bank took back is owed again. */
export const entryOfReversal = (cents: Cents, through: Channel): Entry =>
  entry('BQ', [debit(accounts.customers, cents), credit(accounts[through], cents)])

/** What the bank takes for taking a payment back is nobody's but ours; given again, it is less than nothing. */
export const entryOfFee = (cents: Cents, through: Channel): Entry =>
  cents < 0
    ? entry('BQ', [debit(accounts[through], -cents), credit(accounts.bankCharges, -cents)])
    : entry('BQ', [debit(accounts.bankCharges, cents), credit(accounts[through], cents)])

/** What was to the customer's credit leaves by the way that it is paid. */
export const entryOfRefund = (cents: Cents, through: Channel): Entry =>
  entry('BQ', [debit(accounts.customers, cents), credit(accounts[through], cents)])

export type Source = 'referral' | 'license'
const costs = { referral: accounts.commissions, license: accounts.royalties } as const

/** What somebody earned is owed to him once it has matured. */
export const entryOfEarning = (source: Source, cents: Cents): Entry =>
  entry('HA', [debit(costs[source], cents), credit(accounts.payees, cents)])

/** What it was earned by went back. */
export const entryOfClawback = (source: Source, cents: Cents): Entry =>
  entry('HA', [debit(accounts.payees, cents), credit(costs[source], cents)])

/** To the payee's purse at the provider: it is still owed to him. */
export const entryOfGrant = (cents: Cents): Entry =>
  entry('BQ', [debit(accounts.purses, cents), credit(accounts.provider, cents)])

const left = { provider: accounts.purses, bank: accounts.bank } as const

/** It reached his bank; VAT falls due with it (CGI 269, 2, c). */
export const entryOfPayout = ({ net, vat, gross }: Amount, through: Channel): Entry =>
  entry('BQ', [debit(accounts.payees, net), debit(accounts.vatDeductible, vat), credit(left[through], gross)])

/** His bank sent it back: it is owed again. */
export const entryOfReturn = ({ net, vat, gross }: Amount, through: Channel): Entry =>
  entry('BQ', [debit(left[through], gross), credit(accounts.payees, net), credit(accounts.vatDeductible, vat)])
