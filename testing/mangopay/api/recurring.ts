import type { RecurringRegistration, Transaction } from '../world/entities.ts'
import type { ResultCode } from '../world/result-codes.ts'
import { finish, newTransaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import {
  askCardholder,
  judgeAmount,
  judgeCard,
  needsCardholder,
  readCard,
  readFunds,
  readParties,
  regular,
} from './card-pay-ins.ts'
import { type Call, formOf, param, route } from './route.ts'

function createRegistration(call: Call): RecurringRegistration {
  const form = formOf(call)
  const { author, wallet } = readParties(call, form)
  const card = readCard(call, form)
  const [first, firstFees] = readFunds(form, wallet, 'FirstTransactionDebitedFunds', 'FirstTransactionFees')
  const next = form.optionalMoney('NextTransactionDebitedFunds')
  const nextFees = form.optionalMoney('NextTransactionFees')
  const Tag = form.tag()
  form.check()
  const zero = { Currency: first.Currency, Amount: 0 }
  const { body } = call
  return call.world.add('recurring', {
    Tag,
    Status: 'CREATED',
    AuthorId: author,
    CardId: card?.Id ?? '',
    CreditedUserId: wallet?.Owners[0] ?? '',
    CreditedWalletId: wallet?.Id ?? '',
    FirstTransactionDebitedFunds: first,
    FirstTransactionFees: firstFees,
    NextTransactionDebitedFunds: next,
    NextTransactionFees: nextFees,
    Billing: body['Billing'] ?? null,
    Shipping: body['Shipping'] ?? null,
    EndDate: (body['EndDate'] as number | undefined) ?? null,
    Frequency: body['Frequency'] ?? null,
    FixedNextAmount: body['FixedNextAmount'] === true,
    FractionedPayment: body['FractionedPayment'] === true,
    Migration: body['Migration'] === true,
    FreeCycles: body['FreeCycles'] ?? 0,
    CycleNumber: 0,
    TotalAmount: null,
    RecurringType:
      body['FractionedPayment'] === true
        ? 'FRACTIONED_PAYMENT'
        : body['Frequency'] === undefined
          ? 'CUSTOM'
          : 'CLASSIC_SUBSCRIPTION',
    PaymentType: 'CARD_DIRECT',
    CurrentState: { PayinsLinked: 0, CumulatedDebitedAmount: { ...zero }, CumulatedFeesAmount: { ...zero }, LastPayinId: null },
    ResultCode: null,
    ResultMessage: null,
  })
}

/** The provider's own mocks: an amount, and what the second line of the payer's address says. */
const mockedAmount = 335_01
const mocks: Readonly<Record<string, ResultCode>> = {
  '01100': '101101',
  '01116': '101199',
  '01125': '101106',
  '01131': '101305',
  '03022': '101301',
}

function mockOf(registration: RecurringRegistration, amount: number): ResultCode | undefined {
  const billing = registration['Billing'] as { Address?: { AddressLine2?: string } } | null
  return amount === mockedAmount ? mocks[billing?.Address?.AddressLine2 ?? ''] : undefined
}

/** With what a browser says of itself the customer is there (CIT); without, he is not (MIT). */
function createPayIn(call: Call): Transaction {
  const { world, body } = call
  const form = formOf(call)
  const registration = world.find('recurring', body['RecurringPayinRegistrationId'])
  const card = world.find('card', registration?.CardId)
  const wallet = world.find('wallet', registration?.CreditedWalletId)
  if (registration === undefined || card === undefined || wallet === undefined)
    form.wrong('RecurringPayinRegistrationId', 'The RecurringPayinRegistrationId field must name an existing registration')
  const present = body['BrowserInfo'] !== undefined
  const fallback = present
    ? { DebitedFunds: registration?.FirstTransactionDebitedFunds, Fees: registration?.FirstTransactionFees }
    : { DebitedFunds: registration?.NextTransactionDebitedFunds, Fees: registration?.NextTransactionFees }
  const funded = formOf({ ...call, body: { ...fallback, ...body } })
  const [DebitedFunds, Fees] = readFunds(funded, wallet)
  const SecureModeReturnURL = present ? form.url('SecureModeReturnURL') : null
  if (present) form.text('IpAddress')
  const Tag = form.tag()
  form.check()
  funded.check()
  if (registration === undefined || card === undefined || wallet === undefined) throw new RangeError('the form was checked')
  const payIn = newTransaction(world, {
    ...regular,
    Tag,
    AuthorId: registration.AuthorId,
    CreditedUserId: registration.CreditedUserId,
    CreditedWalletId: wallet.Id,
    DebitedFunds,
    Fees,
    PaymentType: 'CARD',
    ExecutionType: 'DIRECT',
    CardId: card.Id,
    RecurringPayinRegistrationId: registration.Id,
    SecureMode: 'DEFAULT',
    SecureModeNeeded: false,
    SecureModeRedirectURL: null,
    SecureModeReturnURL,
    StatementDescriptor: form.body['StatementDescriptor'] ?? null,
    SecurityInfo: { AVSResult: 'NO_CHECK' },
    Requested3DSVersion: 'V2_1',
    Applied3DSVersion: 'V2_1',
    PaymentCategory: 'ECommerce',
  })
  decide(world, payIn, registration, present)
  return payIn
}

function decide(world: World, payIn: Transaction, registration: RecurringRegistration, present: boolean): void {
  const card = world.get('card', registration.CardId)
  const expected = present ? ['CREATED', 'AUTHENTICATION_NEEDED', 'IN_PROGRESS'] : ['IN_PROGRESS']
  if (!expected.includes(registration.Status)) return finish(world, payIn, '205002')
  if (registration.CurrentState.PayinsLinked >= 99) return finish(world, payIn, '205001')
  const early = judgeAmount(payIn.DebitedFunds, payIn.Fees) ?? mockOf(registration, payIn.DebitedFunds.Amount)
  if (early !== undefined && early !== null) return finish(world, payIn, early)
  const answer = judgeCard(world, card, payIn.DebitedFunds)
  if (!present) return finish(world, payIn, answer)
  return needsCardholder(world, card, 'NO_CHOICE') ? askCardholder(world, payIn, answer) : finish(world, payIn, answer)
}

function saveRegistration(call: Call): RecurringRegistration {
  const registration = call.world.get('recurring', param(call, 'id'))
  const form = formOf(call)
  const card = call.body['CardId'] === undefined ? undefined : readCard(call, form)
  const ended = call.body['Status'] !== undefined && form.oneOf('Status', ['ENDED']) === 'ENDED'
  if (registration.Status === 'ENDED') form.wrong('Status', 'The registration is ended')
  form.check()
  if (card !== undefined && card.Id !== registration.CardId) {
    registration.CardId = card.Id
    if (registration.Status === 'IN_PROGRESS') registration.Status = 'AUTHENTICATION_NEEDED'
  }
  if (call.body['Billing'] !== undefined) registration['Billing'] = call.body['Billing']
  if (call.body['Shipping'] !== undefined) registration['Shipping'] = call.body['Shipping']
  if (ended) {
    registration.Status = 'ENDED'
    call.world.emit('RECURRING_REGISTRATION_ENDED', registration.Id)
  }
  return registration
}

export const recurringRoutes = [
  route('POST recurringpayinregistrations', createRegistration),
  route('GET recurringpayinregistrations/:id', (call) => call.world.get('recurring', param(call, 'id'))),
  route('PUT recurringpayinregistrations/:id', saveRegistration),
  route('POST payins/recurring/card/direct', createPayIn),
]
