import { notFound } from '../world/api-error.ts'
import type { Transaction } from '../world/entities.ts'
import type { ResultCode } from '../world/result-codes.ts'
import { credit, debit, finish, newTransaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { readFunds, readParties, regular } from './card-pay-ins.ts'
import { type Call, formOf, List, param, route } from './route.ts'

const day = 86_400
/** Bank accounts made since then are no more paid out to: Recipients are. */
const lastPayableBankAccount = Date.UTC(2026, 4, 1) / 1000

/** A wire that the customer's bank will send, told by a reference. */
function announceWire(call: Call): Transaction {
  const form = formOf(call)
  const { author, wallet } = readParties(call, form)
  const [DebitedFunds, Fees] = readFunds(form, wallet, 'DeclaredDebitedFunds', 'DeclaredFees')
  if (DebitedFunds.Amount === 0) form.wrong('DeclaredDebitedFunds.Amount', 'The value must be higher than 0')
  const Tag = form.tag()
  form.check()
  const payIn = newTransaction(call.world, {
    ...regular,
    Tag,
    AuthorId: author,
    CreditedUserId: wallet?.Owners[0] ?? null,
    CreditedWalletId: wallet?.Id ?? null,
    DebitedFunds,
    Fees,
    PaymentType: 'BANK_WIRE',
    ExecutionType: 'DIRECT',
    DeclaredDebitedFunds: { ...DebitedFunds },
    DeclaredFees: { ...Fees },
    BankAccount: {
      Type: 'IBAN',
      OwnerName: 'TEST PAYMENTS',
      OwnerAddress: '1 rue de l’Essai, 75001 Paris',
      IBAN: 'FR7618829754160173622224251',
      BIC: 'CMBRFR2BXXX',
    },
  })
  payIn['WireReference'] = payIn.Id.slice(-10)
  call.world.later(30 * day, 'wire-missed', payIn.Id)
  return payIn
}

/** What came in is what is credited, whatever was announced. */
export function receiveWire(world: World, payIn: Transaction, amount: number): void {
  if (payIn.Status !== 'CREATED') return
  payIn.DebitedFunds.Amount = amount
  payIn.CreditedFunds.Amount = Math.max(0, amount - payIn.Fees.Amount)
  finish(world, payIn, '000000')
}

export function missWire(world: World, id: string): void {
  finish(world, world.get('transaction', id), '001034')
}

function createTransfer(call: Call): Transaction {
  const { world } = call
  const form = formOf(call)
  const { author, wallet } = readParties(call, form)
  const source = world.find('wallet', call.body['DebitedWalletId'])
  if (source === undefined) form.wrong('DebitedWalletId', 'The DebitedWalletId field must name an existing wallet')
  const [DebitedFunds, Fees] = readFunds(form, wallet)
  const Tag = form.tag()
  form.check()
  const transfer = newTransaction(world, {
    Type: 'TRANSFER',
    Nature: 'REGULAR',
    Tag,
    AuthorId: author,
    CreditedUserId: wallet?.Owners[0] ?? null,
    CreditedWalletId: wallet?.Id ?? null,
    DebitedWalletId: source?.Id ?? null,
    DebitedFunds,
    Fees,
  })
  finish(world, transfer, judgeSource(world, transfer))
  return transfer
}

function judgeSource(world: World, { AuthorId, DebitedWalletId, DebitedFunds, Fees }: Transaction): ResultCode {
  const source = world.get('wallet', String(DebitedWalletId))
  if (!source.Owners.includes(AuthorId)) return '001002'
  if (DebitedFunds.Amount === Fees.Amount) return '001014'
  return source.Balance.Amount < DebitedFunds.Amount ? '001001' : '000000'
}

function createPayOut(call: Call): Transaction {
  const { world } = call
  const form = formOf(call)
  const author = world.find('user', call.body['AuthorId'])
  if (author === undefined) form.wrong('AuthorId', 'The AuthorId field must name an existing user')
  const source = world.find('wallet', call.body['DebitedWalletId'])
  if (source === undefined) form.wrong('DebitedWalletId', 'The DebitedWalletId field must name an existing wallet')
  const [DebitedFunds, Fees] = readFunds(form, source)
  const account = world.find('bankAccount', call.body['BankAccountId'])
  const recipient = world.find('recipient', call.body['RecipientId'])
  if (account === undefined && recipient === undefined)
    form.wrong('BankAccountId', 'The BankAccountId or the RecipientId field must name where to pay')
  const BankWireRef = form.optionalText('BankWireRef', { max: 140 })
  const Tag = form.tag()
  form.check()
  const payOut = newTransaction(world, {
    Type: 'PAYOUT',
    Nature: 'REGULAR',
    Tag,
    AuthorId: author?.Id ?? '',
    CreditedUserId: null,
    CreditedWalletId: null,
    DebitedWalletId: source?.Id ?? null,
    DebitedFunds,
    Fees,
    PaymentType: 'BANK_WIRE',
    BankAccountId: account?.Id ?? null,
    RecipientId: recipient?.Id ?? null,
    BankWireRef,
    ModeRequested: form.body['PayoutModeRequested'] ?? 'STANDARD',
    ModeApplied: 'STANDARD',
    ChargeBearer: form.body['ChargeBearer'] ?? 'SHA',
    FallbackReason: null,
    PaymentRef: null,
  })
  debit(world, payOut.DebitedWalletId, DebitedFunds)
  const refusal = judgePayOut(world, payOut)
  if (refusal === null) world.later(day, 'payout-settles', payOut.Id)
  else world.later(0, `payout-refused`, payOut.Id)
  world.hide(payOut.Id, { refusal })
  return payOut
}

function judgePayOut(world: World, payOut: Transaction): ResultCode | null {
  const author = world.get('user', payOut.AuthorId)
  const source = world.get('wallet', String(payOut.DebitedWalletId))
  const account = world.find('bankAccount', payOut['BankAccountId'])
  if (!source.Owners.includes(author.Id)) return '001002'
  if (author.UserCategory === 'PAYER') return '002701'
  // The funds of this very payout are gone from it already.
  if (source.Balance.Amount < 0) return '001001'
  if (payOut.DebitedFunds.Amount === payOut.Fees.Amount) return '001014'
  if (author.KYCLevel !== 'REGULAR') return '002998'
  // Taken in all the same, as the provider does; whoever did not confirm the account is not paid there.
  if ((world.find('recipient', payOut['RecipientId'])?.Status ?? 'ACTIVE') !== 'ACTIVE') return '121999'
  return account !== undefined && account.CreationDate >= lastPayableBankAccount ? '121018' : null
}

export function settlePayOut(world: World, id: string): void {
  finish(world, world.get('transaction', id), '000000')
}

/** The payout is answered as created; that it is refused is told a moment later. */
export function refusePayOut(world: World, id: string): void {
  finish(world, world.get('transaction', id), (world.hidden(id)['refusal'] as ResultCode | null) ?? '121999')
}

/** The bank sends a payout back after it was made: the money is in the wallet again. */
export function returnPayOut(world: World, payOut: Transaction): Transaction {
  const refund = newTransaction(world, {
    Type: 'PAYOUT',
    Nature: 'REFUND',
    Tag: null,
    AuthorId: payOut.AuthorId,
    CreditedUserId: payOut.AuthorId,
    CreditedWalletId: payOut.DebitedWalletId,
    DebitedWalletId: null,
    DebitedFunds: { ...payOut.CreditedFunds },
    Fees: { Currency: payOut.Fees.Currency, Amount: 0 },
    InitialTransactionId: payOut.Id,
    InitialTransactionType: 'PAYOUT',
    RefundReason: { RefundReasonType: 'BANKACCOUNT_HAS_BEEN_CLOSED', RefundReasonMessage: null },
  })
  finish(world, refund, '000000')
  return refund
}

function initial(call: Call, type: Transaction['Type']): Transaction {
  const found = call.world.get('transaction', param(call, 'id'))
  if (found.Type !== type || found.Nature !== 'REGULAR') throw notFound(type, found.Id)
  return found
}

function refundsOf(world: World, id: string): Transaction[] {
  return world.list('transaction').filter((one) => one.Nature === 'REFUND' && one['InitialTransactionId'] === id)
}

function refund(call: Call, type: 'PAYIN' | 'TRANSFER'): Transaction {
  const { world } = call
  const of = initial(call, type)
  const form = formOf(call)
  if (call.world.find('user', call.body['AuthorId']) === undefined)
    form.wrong('AuthorId', 'The AuthorId field must name an existing user')
  const DebitedFunds = form.optionalMoney('DebitedFunds') ?? { ...of.DebitedFunds }
  const Fees = form.optionalMoney('Fees') ?? { ...of.Fees }
  const Tag = form.tag()
  form.check()
  const before = refundsOf(world, of.Id).filter(({ Status }) => Status !== 'FAILED')
  const made = newTransaction(world, {
    Type: type === 'PAYIN' ? 'PAYOUT' : 'TRANSFER',
    Nature: 'REFUND',
    Tag,
    AuthorId: String(call.body['AuthorId']),
    CreditedUserId: of.AuthorId,
    CreditedWalletId: type === 'PAYIN' ? null : of.DebitedWalletId,
    DebitedWalletId: of.CreditedWalletId,
    DebitedFunds,
    Fees,
    InitialTransactionId: of.Id,
    InitialTransactionType: type,
    RefundReason: { RefundReasonType: 'INITIALIZED_BY_CLIENT', RefundReasonMessage: null },
  })
  const sum = before.reduce((total, one) => total + one.DebitedFunds.Amount, 0)
  const disputed = world.list('dispute').some(({ InitialTransactionId }) => InitialTransactionId === of.Id)
  const source = world.find('wallet', of.CreditedWalletId)
  if (of.Status !== 'SUCCEEDED' || disputed) finish(world, made, '001403')
  else if (sum >= of.DebitedFunds.Amount) finish(world, made, '001401')
  else if (DebitedFunds.Amount === 0 || sum + DebitedFunds.Amount > of.DebitedFunds.Amount) finish(world, made, '005403')
  else if ((source?.Balance.Amount ?? 0) < DebitedFunds.Amount - Fees.Amount) finish(world, made, '001001')
  else {
    finish(world, made, '000000')
    // What left the wallet is without the fees, which the platform gives back itself.
    credit(world, made.DebitedWalletId, Fees)
    world.state.fees -= 2 * Fees.Amount
  }
  return made
}

export const moneyMoveRoutes = [
  route('POST payins/bankwire/direct', announceWire),
  route('POST transfers', createTransfer),
  route('GET transfers/:id', (call) => initial(call, 'TRANSFER')),
  route('POST transfers/:id/refunds', (call) => refund(call, 'TRANSFER')),
  route('GET transfers/:id/refunds', (call) => new List(refundsOf(call.world, initial(call, 'TRANSFER').Id))),
  route('POST payouts/bankwire', createPayOut),
  route('GET payouts/bankwire/:id', (call) => initial(call, 'PAYOUT')),
  route('GET payouts/:id', (call) => initial(call, 'PAYOUT')),
  route('GET payouts/:id/refunds', (call) => new List(refundsOf(call.world, initial(call, 'PAYOUT').Id))),
  route('POST payins/:id/refunds', (call) => refund(call, 'PAYIN')),
  route('GET payins/:id/refunds', (call) => new List(refundsOf(call.world, initial(call, 'PAYIN').Id))),
  route('GET refunds/:id', (call) => {
    const found = call.world.get('transaction', param(call, 'id'))
    if (found.Nature !== 'REFUND') throw notFound('Refund', found.Id)
    return found
  }),
]
