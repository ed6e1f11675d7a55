import { randomBytes } from 'node:crypto'
import { ApiError } from '../world/api-error.ts'
import type { Mandate, Transaction } from '../world/entities.ts'
import { type ResultCode, resultCodes } from '../world/result-codes.ts'
import { finish, newTransaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { judgeAmount, readFunds, readParties, regular, returnWith } from './card-pay-ins.ts'
import { type Call, formOf, List, param, route } from './route.ts'

const hour = 3600
const day = 24 * hour
/** A mandate by which nothing was collected for so long is of no more use. */
const unusedMandate = 730 * day

function createMandate(call: Call): Mandate {
  const { world } = call
  const form = formOf(call)
  const account = world.find('bankAccount', call.body['BankAccountId'])
  if (account === undefined || !['IBAN', 'GB'].includes(account.Type))
    form.wrong('BankAccountId', 'The BankAccountId field must name a bank account of type IBAN or GB')
  else if (!account.Active) form.wrong('BankAccountId', 'The bank account is not active')
  const Culture = form.oneOf('Culture', ['EN', 'FR', 'NL', 'DE', 'ES', 'IT', 'PL'])
  const ReturnURL = form.url('ReturnURL')
  const Tag = form.tag()
  form.check()
  const token = randomBytes(16).toString('hex')
  const mandate = world.add('mandate', {
    Tag,
    UserId: account?.UserId ?? '',
    BankAccountId: account?.Id ?? '',
    BankReference: null,
    Scheme: null,
    Status: 'CREATED',
    Culture,
    ReturnURL,
    RedirectURL: `${world.origin}/mandates/${token}/confirmation`,
    DocumentURL: `${world.origin}/mandates/${token}/document`,
    ExecutionType: 'WEB',
    MandateType: 'DIRECT_DEBIT',
    ResultCode: null,
    ResultMessage: null,
  })
  mandate.ReturnURL = returnWith(ReturnURL, 'MandateId', mandate.Id)
  world.hide(`mandate:${token}`, { mandate: mandate.Id })
  world.later(hour, 'mandate-unconfirmed', mandate.Id)
  world.emit('MANDATE_CREATED', mandate.Id)
  return mandate
}

/** The customer agreed on the page: debits may be asked for, and the bank is told. */
export function confirmMandate(world: World, mandate: Mandate): void {
  if (mandate.Status !== 'CREATED') return
  mandate.Status = 'SUBMITTED'
  mandate.Scheme = world.get('bankAccount', mandate.BankAccountId).Type === 'GB' ? 'BACS' : 'SEPA'
  mandate.BankReference = `TEST${mandate.Id.slice(-8)}`
  world.later(2 * day, 'mandate-accepted', mandate.Id)
  world.later(unusedMandate, 'mandate-unused', mandate.Id)
  world.emit('MANDATE_SUBMITTED', mandate.Id)
}

export function failMandate(world: World, mandate: Mandate, code: ResultCode): void {
  if (mandate.Status === 'FAILED' || mandate.Status === 'EXPIRED') return
  Object.assign(mandate, { Status: 'FAILED', ResultCode: code, ResultMessage: resultCodes[code] })
  world.emit('MANDATE_FAILED', mandate.Id)
}

export function leaveUnconfirmed(world: World, id: string): void {
  const mandate = world.get('mandate', id)
  if (mandate.Status === 'CREATED') failMandate(world, mandate, '001807')
}

export function acceptMandate(world: World, id: string): void {
  const mandate = world.get('mandate', id)
  if (mandate.Status !== 'SUBMITTED') return
  mandate.Status = 'ACTIVE'
  world.emit('MANDATE_ACTIVATED', id)
}

export function expireUnusedMandate(world: World, id: string): void {
  const mandate = world.get('mandate', id)
  if (mandate.Status !== 'SUBMITTED' && mandate.Status !== 'ACTIVE') return
  const last = world.list('transaction').findLast((one) => one['MandateId'] === id)
  const rest = last === undefined ? 0 : last.CreationDate + unusedMandate - world.now()
  if (rest > 0) return world.later(rest, 'mandate-unused', id)
  Object.assign(mandate, { Status: 'EXPIRED', ResultCode: '001835', ResultMessage: resultCodes['001835'] })
  world.emit('MANDATE_EXPIRED', id)
}

function cancelMandate(call: Call): Mandate {
  const mandate = call.world.get('mandate', param(call, 'id'))
  if (mandate.Status !== 'SUBMITTED' && mandate.Status !== 'ACTIVE') {
    throw new ApiError(400, 'mandate_cannot_be_cancelled', `You can not cancel this mandate: its status is ${mandate.Status}`)
  }
  failMandate(call.world, mandate, '001806')
  return mandate
}

/** Collected after two days, known to have been paid three days later; the bank may yet take it back for weeks. */
function createDebit(call: Call): Transaction {
  const { world } = call
  const form = formOf(call)
  const { author, wallet } = readParties(call, form)
  const [DebitedFunds, Fees] = readFunds(form, wallet)
  const mandate = world.find('mandate', call.body['MandateId'])
  if (mandate === undefined) form.wrong('MandateId', 'The MandateId field must name an existing mandate')
  const Tag = form.tag()
  form.check()
  const usable = mandate?.Status === 'SUBMITTED' || mandate?.Status === 'ACTIVE'
  const charged = Math.ceil(world.now() / day) * day + 2 * day
  const payIn = newTransaction(world, {
    ...regular,
    Tag,
    AuthorId: author,
    CreditedUserId: wallet?.Owners[0] ?? null,
    CreditedWalletId: wallet?.Id ?? null,
    DebitedFunds,
    Fees,
    PaymentType: 'DIRECT_DEBIT',
    ExecutionType: 'DIRECT',
    MandateId: mandate?.Id ?? null,
    ChargeDate: usable ? charged : null,
    StatementDescriptor: form.body['StatementDescriptor'] ?? null,
  })
  const byAmount = judgeAmount(DebitedFunds, Fees)
  if (!usable) finish(world, payIn, mandate?.Status === 'EXPIRED' ? '001835' : '001833')
  else if (byAmount !== null) finish(world, payIn, byAmount)
  else world.later(charged + 3 * day - world.now(), 'debit-settles', payIn.Id)
  return payIn
}

export function settleDebit(world: World, id: string): void {
  const payIn = world.get('transaction', id)
  const mandate = world.get('mandate', String(payIn['MandateId']))
  if (mandate.Status === 'FAILED') return finish(world, payIn, mandate.ResultCode === '001805' ? '001804' : '001833')
  finish(world, payIn, '000000')
  acceptMandate(world, mandate.Id)
}

export const mandateRoutes = [
  route('POST mandates/directdebit/web', createMandate),
  route('GET mandates', ({ world }) => new List(world.list('mandate'))),
  route('GET mandates/:id', (call) => call.world.get('mandate', param(call, 'id'))),
  route('PUT mandates/:id/cancel', cancelMandate),
  route('GET mandates/:id/transactions', (call) => {
    const { Id } = call.world.get('mandate', param(call, 'id'))
    return new List(call.world.list('transaction').filter((one) => one['MandateId'] === Id))
  }),
  route('GET users/:id/mandates', (call) => {
    const { Id } = call.world.get('user', param(call, 'id'))
    return new List(call.world.list('mandate').filter(({ UserId }) => UserId === Id))
  }),
  route('GET users/:id/bankaccounts/:account/mandates', (call) => {
    const { Id } = call.world.get('bankAccount', param(call, 'account'))
    return new List(call.world.list('mandate').filter(({ BankAccountId }) => BankAccountId === Id))
  }),
  route('POST payins/directdebit/direct', createDebit),
]
