import type { Amount, Outcome } from '../port.ts'
import { refusalOf } from './refusals.ts'

/** What every movement of money says of itself, as far as it is read here. */
export type Transaction = {
  readonly Id: string
  readonly Tag?: string | null
  readonly Status: string
  readonly Nature?: string
  readonly Type?: string
  readonly DebitedFunds: { readonly Currency: string; readonly Amount: number } | null
  readonly ResultCode: string | null
  readonly ExecutionDate: number | null
  readonly CreationDate: number
  readonly SecureModeRedirectURL?: string | null
  readonly RedirectURL?: string | null
  readonly ChargeDate?: number | null
  readonly PaymentType?: string
  readonly WireReference?: string | null
  readonly BankAccount?: { readonly OwnerName?: string; readonly IBAN?: string; readonly BIC?: string } | null
  readonly DeclaredDebitedFunds?: { readonly Amount: number } | null
}

/** @param asked what was to move; without, whatever moved in euros is right */
export function judgePayment(transaction: Transaction, asked?: Amount): Outcome {
  const { Id: payment, Status, DebitedFunds } = transaction
  if (Status === 'FAILED')
    return { state: 'refused', payment, reason: refusalOf(transaction.ResultCode), code: transaction.ResultCode }
  if (Status === 'SUCCEEDED') return judgeReceived(transaction, asked)
  if (Status !== 'CREATED' || DebitedFunds === null) return { state: 'unknown' }
  const address = transaction.SecureModeRedirectURL ?? transaction.RedirectURL
  if (typeof address === 'string' && address !== '') return { state: 'customer_needed', payment, address }
  if (transaction.PaymentType === 'BANK_WIRE' && typeof transaction.WireReference === 'string')
    return { state: 'transfer_awaited', payment, receivedCents: 0, instructions: instructionsOf(transaction) }
  return { state: 'processing', payment, expectedOn: dateOf(transaction.ChargeDate) }
}

function judgeReceived(transaction: Transaction, asked: Amount | undefined): Outcome {
  const { Id: payment, DebitedFunds, DeclaredDebitedFunds } = transaction
  const { Amount = 0, Currency = '' } = DebitedFunds ?? {}
  // A transfer is announced with an amount, and whatever the customer sent comes in.
  const wanted = asked?.cents ?? DeclaredDebitedFunds?.Amount ?? Amount
  if (Currency !== 'EUR' || wanted !== Amount) return { state: 'mismatched', payment, receivedCents: Amount, currency: Currency }
  const at = dateOf(transaction.ExecutionDate) ?? new Date(transaction.CreationDate * 1000)
  return { state: 'succeeded', payment, amount: { cents: Amount, currency: 'EUR' }, at }
}

function instructionsOf({ WireReference, BankAccount }: Transaction) {
  return {
    holder: BankAccount?.OwnerName ?? '',
    iban: BankAccount?.IBAN ?? '',
    bic: BankAccount?.BIC ?? null,
    reference: WireReference ?? '',
  }
}

function dateOf(seconds: number | null | undefined): Date | null {
  return typeof seconds === 'number' ? new Date(seconds * 1000) : null
}

/** What no provider is asked: nothing, less than nothing, part of a cent, another currency. */
export function refuseAmount({ cents, currency }: Amount): Outcome | null {
  if ((currency as string) !== 'EUR') return { state: 'refused', payment: null, reason: 'currency', code: null }
  if (!Number.isSafeInteger(cents) || cents <= 0) return { state: 'refused', payment: null, reason: 'amount_too_low', code: null }
  return null
}
