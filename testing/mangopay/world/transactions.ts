import type { Card, Money, RecurringRegistration, Transaction } from './entities.ts'
import { type ResultCode, resultCodes } from './result-codes.ts'
import type { World } from './world.ts'

type New = {
  readonly Tag: string | null
  readonly AuthorId: string
  readonly CreditedUserId: string | null
  readonly DebitedFunds: Money
  readonly Fees: Money
  readonly Type: Transaction['Type']
  readonly Nature: Transaction['Nature']
  readonly CreditedWalletId: string | null
  readonly DebitedWalletId: string | null
  /** What pay-ins of one way alone have. */
  readonly [field: string]: unknown
}

const eventNature = { REGULAR: 'NORMAL', REFUND: 'REFUND', REPUDIATION: 'REPUDIATION', SETTLEMENT: 'SETTLEMENT' } as const

export function newTransaction(world: World, facts: New): Transaction {
  const { DebitedFunds, Fees } = facts
  const made = world.add('transaction', {
    ...facts,
    CreditedFunds: { Currency: DebitedFunds.Currency, Amount: DebitedFunds.Amount - Fees.Amount },
    Status: 'CREATED',
    ResultCode: null,
    ResultMessage: null,
    ExecutionDate: null,
  })
  emit(world, made)
  return made
}

/** Ends it, once: what is ended already stays as it is, whoever asks again. */
export function finish(world: World, transaction: Transaction, code: ResultCode): void {
  if (transaction.Status !== 'CREATED') return
  transaction.Status = code === '000000' ? 'SUCCEEDED' : 'FAILED'
  transaction.ResultCode = code
  transaction.ResultMessage = resultCodes[code]
  if (transaction.Status === 'SUCCEEDED') {
    transaction.ExecutionDate = world.now()
    credit(world, transaction.CreditedWalletId, transaction.CreditedFunds)
    if (!isPayout(transaction)) debit(world, transaction.DebitedWalletId, transaction.DebitedFunds)
    world.state.fees += transaction.Fees.Amount
  } else if (isPayout(transaction)) {
    // The funds left the wallet when the payout was asked for.
    credit(world, transaction.DebitedWalletId, transaction.DebitedFunds)
  }
  markCard(world, transaction, code)
  followRecurring(world, transaction)
  emit(world, transaction)
}

export function credit(world: World, walletId: string | null, money: Money): void {
  const wallet = world.find('wallet', walletId)
  if (wallet !== undefined) wallet.Balance.Amount += money.Amount
}

export function debit(world: World, walletId: string | null, money: Money): void {
  const wallet = world.find('wallet', walletId)
  if (wallet !== undefined) wallet.Balance.Amount -= money.Amount
}

export function isPayout({ Type, Nature }: Transaction): boolean {
  return Type === 'PAYOUT' && Nature === 'REGULAR'
}

/** An event of a refund is named after what is refunded. */
function emit(world: World, transaction: Transaction): void {
  const { Type, Nature, Status, Id } = transaction
  const of = Nature === 'REFUND' ? String(transaction['InitialTransactionType']) : Type
  world.emit(`${of}_${eventNature[Nature]}_${Status}`, Id)
}

/** What says nothing about the card: the cardholder did not authenticate, or the amount was at fault. */
const notOfTheCard: readonly ResultCode[] = [
  '001011',
  '001013',
  '001014',
  '101301',
  '101304',
  '101305',
  '205001',
  '205002',
  '001034',
  '001031',
]

/** The first payment by a card makes it valid, or invalid for ever. */
function markCard(world: World, transaction: Transaction, code: ResultCode): void {
  const card: Card | undefined = world.find('card', transaction['CardId'])
  if (card === undefined || transaction.Nature !== 'REGULAR' || card.Validity !== 'UNKNOWN' || notOfTheCard.includes(code)) return
  card.Validity = code === '000000' ? 'VALID' : 'INVALID'
}

/** A refused pay-in of a series asks for the customer again; the first one that succeeds starts the series. */
function followRecurring(world: World, transaction: Transaction): void {
  const registration: RecurringRegistration | undefined = world.find('recurring', transaction['RecurringPayinRegistrationId'])
  if (registration === undefined || registration.Status === 'ENDED' || transaction.ResultCode === '205002') return
  const state = registration.CurrentState
  state.PayinsLinked += 1
  state.LastPayinId = transaction.Id
  if (transaction.Status === 'FAILED') {
    registration.Status = 'AUTHENTICATION_NEEDED'
    world.emit('RECURRING_REGISTRATION_AUTH_NEEDED', registration.Id)
    return
  }
  state.CumulatedDebitedAmount.Amount += transaction.DebitedFunds.Amount
  state.CumulatedFeesAmount.Amount += transaction.Fees.Amount
  if (registration.Status !== 'IN_PROGRESS') {
    registration.Status = 'IN_PROGRESS'
    world.emit('RECURRING_REGISTRATION_IN_PROGRESS', registration.Id)
  }
}
