import { randomBytes } from 'node:crypto'
import type { Card, Money, Transaction, Wallet } from '../world/entities.ts'
import type { Form } from '../world/form.ts'
import type { ResultCode } from '../world/result-codes.ts'
import { findTestCard, highestCardAmount, isExpired, refusedAmounts } from '../world/test-cards.ts'
import { finish, newTransaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { type Call, formOf, param, route } from './route.ts'

/** How long the page of the cardholder's bank waits for him. */
const secureSession = 30 * 60

export type Parties = { readonly author: string; readonly wallet: Wallet | undefined }

/** Who pays, into which wallet: what pay-ins of every way name. */
export function readParties(call: Call, form: Form): Parties {
  const author = call.world.find('user', call.body['AuthorId'])
  if (author === undefined) form.wrong('AuthorId', 'The AuthorId field must name an existing user')
  const wallet = call.world.find('wallet', call.body['CreditedWalletId'])
  if (wallet === undefined) form.wrong('CreditedWalletId', 'The CreditedWalletId field must name an existing wallet')
  return { author: author?.Id ?? '', wallet }
}

/** Both in the wallet's currency, fees no higher than what is debited. */
export function readFunds(form: Form, wallet: Wallet | undefined, debited = 'DebitedFunds', fees = 'Fees'): [Money, Money] {
  const DebitedFunds = form.money(debited)
  const Fees = form.money(fees)
  if (wallet !== undefined && DebitedFunds.Currency !== '' && DebitedFunds.Currency !== wallet.Currency)
    form.wrong(`${debited}.Currency`, `The currency must be that of the wallet: ${wallet.Currency}`)
  if (Fees.Currency !== DebitedFunds.Currency)
    form.wrong(`${fees}.Currency`, `The currency of the fees must be that of ${debited}`)
  if (Fees.Amount > DebitedFunds.Amount) form.wrong(`${fees}.Amount`, `The fees cannot exceed ${debited}`)
  return [DebitedFunds, Fees]
}

export const regular = { Type: 'PAYIN', Nature: 'REGULAR', DebitedWalletId: null } as const

/** What the amount alone decides; `null` where the bank is asked. */
export function judgeAmount(debited: Money, fees: Money): ResultCode | null {
  if (debited.Amount === fees.Amount) return '001014'
  return debited.Amount > highestCardAmount ? '001011' : null
}

/** What the cardholder's bank answers. */
export function judgeCard(world: World, card: Card, debited: Money): ResultCode {
  if (!card.Active || card.Validity === 'INVALID') return '101106'
  if (isExpired(card.ExpirationDate, world.now())) return '101105'
  return findTestCard(String(world.hidden(card.Id)['number'])).refusal ?? refusedAmounts[debited.Amount] ?? '000000'
}

export function needsCardholder(world: World, card: Card, secureMode: string): boolean {
  const { challenge } = findTestCard(String(world.hidden(card.Id)['number']))
  return challenge === 'always' || secureMode === 'FORCE' || (challenge === 'when-free' && secureMode === 'NO_CHOICE')
}

/** The cardholder is sent to his bank's page; what he does there, or does not, ends the pay-in. */
export function askCardholder(world: World, payIn: Transaction, code: ResultCode): void {
  const token = randomBytes(16).toString('hex')
  payIn['SecureModeNeeded'] = true
  payIn['SecureModeRedirectURL'] = `${world.origin}/3ds/${token}`
  world.hide(`3ds:${token}`, { payIn: payIn.Id })
  world.hide(payIn.Id, { answer: code })
  world.later(secureSession, '3ds-expires', payIn.Id)
}

export function answerCardholder(world: World, payIn: Transaction, agreed: boolean): void {
  finish(world, payIn, agreed ? (world.hidden(payIn.Id)['answer'] as ResultCode) : '101301')
}

export function expireSecureMode(world: World, id: string): void {
  finish(world, world.get('transaction', id), '101304')
}

/** `?transactionId=…` is added to wherever the merchant wished the cardholder back. */
export function returnWith(url: string, name: string, value: string): string {
  const back = new URL(url)
  back.searchParams.append(name, value)
  return back.href
}

export function readCard(call: Call, form: Form): Card | undefined {
  const card = call.world.find('card', call.body['CardId'])
  if (card === undefined) form.wrong('CardId', 'The CardId field must name an existing card')
  return card
}

function createDirect(call: Call): Transaction {
  const { world } = call
  const form = formOf(call)
  const { author, wallet } = readParties(call, form)
  const [DebitedFunds, Fees] = readFunds(form, wallet)
  const card = readCard(call, form)
  const SecureModeReturnURL = form.url('SecureModeReturnURL')
  const SecureMode = form.oneOf('SecureMode', ['DEFAULT', 'FORCE', 'NO_CHOICE'], 'DEFAULT')
  const StatementDescriptor = form.optionalText('StatementDescriptor', { max: 10 })
  const IpAddress = form.text('IpAddress')
  form.inner('BrowserInfo').text('UserAgent')
  const Tag = form.tag()
  form.check()
  if (card === undefined || wallet === undefined) throw new RangeError('the form was checked')
  const payIn = newTransaction(world, {
    ...regular,
    Tag,
    AuthorId: author,
    CreditedUserId: wallet.Owners[0] ?? null,
    CreditedWalletId: wallet.Id,
    DebitedFunds,
    Fees,
    PaymentType: 'CARD',
    ExecutionType: 'DIRECT',
    CardId: card.Id,
    SecureMode,
    SecureModeNeeded: false,
    SecureModeRedirectURL: null,
    SecureModeReturnURL,
    StatementDescriptor,
    IpAddress,
    BrowserInfo: call.body['BrowserInfo'],
    Culture: call.body['Culture'] ?? null,
    Billing: call.body['Billing'] ?? null,
    Shipping: call.body['Shipping'] ?? null,
    SecurityInfo: { AVSResult: 'NO_CHECK' },
    Requested3DSVersion: 'V2_1',
    Applied3DSVersion: 'V2_1',
    PaymentCategory: 'ECommerce',
  })
  const byAmount = judgeAmount(DebitedFunds, Fees)
  if (byAmount !== null) finish(world, payIn, byAmount)
  else if (needsCardholder(world, card, SecureMode) && card.Active && card.Validity !== 'INVALID')
    askCardholder(world, payIn, judgeCard(world, card, DebitedFunds))
  else finish(world, payIn, judgeCard(world, card, DebitedFunds))
  return payIn
}

/** A payment whose card is typed in on the provider's own page. */
function createWeb(call: Call): Transaction {
  const { world } = call
  const form = formOf(call)
  const { author, wallet } = readParties(call, form)
  const [DebitedFunds, Fees] = readFunds(form, wallet)
  const ReturnURL = form.url('ReturnURL')
  const Culture = form.text('Culture')
  const CardType = form.oneOf('CardType', ['CB_VISA_MASTERCARD', 'AMEX', 'MAESTRO', 'BCMC'])
  const Tag = form.tag()
  form.check()
  const token = randomBytes(16).toString('hex')
  const payIn = newTransaction(world, {
    ...regular,
    Tag,
    AuthorId: author,
    CreditedUserId: wallet?.Owners[0] ?? null,
    CreditedWalletId: wallet?.Id ?? null,
    DebitedFunds,
    Fees,
    PaymentType: 'CARD',
    ExecutionType: 'WEB',
    CardType,
    Culture,
    SecureMode: form.body['SecureMode'] ?? 'DEFAULT',
    RedirectURL: `${world.origin}/pay/${token}`,
    ReturnURL,
    TemplateURL: form.body['TemplateURL'] ?? null,
  })
  payIn['ReturnURL'] = returnWith(ReturnURL, 'transactionId', payIn.Id)
  world.hide(`pay:${token}`, { payIn: payIn.Id })
  world.later(secureSession, 'pay-expires', payIn.Id)
  return payIn
}

export function expireWebPayIn(world: World, id: string): void {
  finish(world, world.get('transaction', id), '001034')
}

export const cardPayInRoutes = [
  route('POST payins/card/direct', createDirect),
  route('POST payins/card/web', createWeb),
  route('GET payins/:id', (call) => call.world.get('transaction', param(call, 'id'))),
]
