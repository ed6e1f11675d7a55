import type { recipient } from 'mangopay4-nodejs-sdk'
import type { AccountHolder, Amount, Attempt, BankAccount, Found, Outcome, PayeeReading, Payouts } from '../port.ts'
import { ask } from './ask.ts'
import { askOnce, judgeAnswer, type Once } from './ask-once.ts'
import { judgeMade } from './charge-card.ts'
import { addressOf } from './customers.ts'
import { euros, type MangopayDeps, noFees } from './deps.ts'
import { judgePayment, refuseAmount, type Transaction } from './judge-payment.ts'

/** Payees are what the provider calls recipients: since May 2026 nobody else is paid out to. */
export function payouts(deps: MangopayDeps): Payouts {
  const { sdk, clock, seller } = deps
  return {
    registerPayee: async (customer, holder, account, returnTo, attempt) => {
      const described = describe(holder, account)
      if (described === null) return noEuros
      const body = { ...described, Tag: attempt.tag } as unknown as recipient.CreateRecipientData
      const made = await askOnce(sdk, clock.now(), attempt, (options) => sdk.Recipients.create({ ...body }, customer, options))
      return judge(made, returnTo)
    },
    readPayee: async (payee, returnTo) =>
      judge(judgeAnswer(await ask(sdk, (options) => sdk.Recipients.get(payee, options))), returnTo),
    grant: async ({ customer, amount }, attempt) => {
      const refused = refuseAmount(amount)
      if (refused !== null) return refused
      const wallet = await walletOf(deps, customer)
      if (wallet.state !== 'done') return wallet
      const body = {
        AuthorId: seller.user,
        DebitedFunds: euros(amount.cents),
        Fees: { ...noFees },
        DebitedWalletId: seller.wallet,
        CreditedWalletId: wallet.body,
        Tag: attempt.tag,
      }
      const made = await askOnce(sdk, clock.now(), attempt, (options) => sdk.Transfers.create({ ...body }, options))
      return judgeMade(made, amount)
    },
    payOut: (payout, attempt) => payOut(deps, payout, attempt),
    readPayOut: (id) => readPayOut(deps, id),
    findGrant: async ({ customer, attempt }) => {
      const found = await findInPurse(deps, customer, attempt, 'TRANSFER')
      return 'state' in found ? found : judgePayment(found.body)
    },
    findPayOut: async ({ customer, attempt }) => {
      const found = await findInPurse(deps, customer, attempt, 'PAYOUT')
      return 'state' in found ? found : await readPayOut(deps, found.body.Id)
    },
  }
}

async function readPayOut({ sdk }: MangopayDeps, id: string): Promise<Outcome> {
  const read = judgeAnswer(await ask(sdk, (options) => sdk.PayOuts.get(id, options)))
  if (read.state !== 'done') return read
  const outcome = judgePayment(read.body)
  if (outcome.state !== 'succeeded') return outcome
  // The bank may send it back weeks later, which the payout itself does not say.
  const returned = judgeAnswer(await ask(sdk, (options) => sdk.PayOuts.getRefunds(id, options)))
  if (returned.state !== 'done') return { state: 'unknown' }
  return returned.body.some(({ Status }) => Status === 'SUCCEEDED')
    ? { state: 'reversed', payment: id, amount: outcome.amount, cause: 'returned' }
    : outcome
}

const pageSize = 100
/** Clocks of two houses differ. */
const clockSkew = 3600

async function findInPurse(
  deps: MangopayDeps,
  customer: string,
  { tag, since }: Attempt,
  type: 'TRANSFER' | 'PAYOUT',
): Promise<{ readonly body: Transaction } | Extract<Found, { state: 'absent' | 'unsent' | 'unknown' }>> {
  const { sdk } = deps
  const wallet = await walletOf(deps, customer)
  if (wallet.state !== 'done') return wallet.state === 'unsent' ? { state: 'unsent' } : { state: 'unknown' }
  const AfterDate = Math.floor(since.getTime() / 1000) - clockSkew
  for (let Page = 1; ; Page++) {
    const parameters = { Page, Per_Page: pageSize, AfterDate, Sort: 'CreationDate:ASC', Type: type }
    const listed = judgeAnswer(await ask(sdk, (options) => sdk.Wallets.getTransactions(wallet.body, { ...options, parameters })))
    if (listed.state !== 'done') return listed.state === 'unsent' ? { state: 'unsent' } : { state: 'unknown' }
    const transactions = listed.body as unknown as Transaction[]
    const mine = transactions.find((one) => one.Tag === tag && one.Type === type && one.Nature === 'REGULAR')
    if (mine !== undefined) return { body: mine }
    if (transactions.length < pageSize) return { state: 'absent' }
  }
}

async function payOut(
  deps: MangopayDeps,
  payout: { customer: string; payee: string; amount: Amount; reference: string },
  attempt: Attempt,
): Promise<Outcome> {
  const { sdk, clock } = deps
  const refused = refuseAmount(payout.amount)
  if (refused !== null) return refused
  const wallet = await walletOf(deps, payout.customer)
  if (wallet.state !== 'done') return wallet
  const body = {
    AuthorId: payout.customer,
    DebitedFunds: euros(payout.amount.cents),
    Fees: { ...noFees },
    RecipientId: payout.payee,
    DebitedWalletId: wallet.body,
    BankWireRef: payout.reference,
    PaymentType: 'BANK_WIRE' as const,
    Tag: attempt.tag,
  }
  const made = await askOnce(sdk, clock.now(), attempt, (options) => sdk.PayOuts.create({ ...body }, options))
  return judgeMade(made, payout.amount)
}

/** A customer has one wallet in euros, made when he first earns: under a key of his own, so that two calls make one. */
async function walletOf({ sdk, clock }: MangopayDeps, customer: string): Promise<Once<string>> {
  const listed = judgeAnswer(await ask(sdk, (options) => sdk.Users.getWallets(customer, options)))
  if (listed.state !== 'done') return listed
  const found = listed.body.find(({ Currency }) => Currency === 'EUR')
  if (found !== undefined) return { state: 'done', body: found.Id }
  const now = clock.now()
  const key = `wallet-${customer}`.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(-36)
  const body = { Owners: [customer] as [string], Currency: 'EUR' as const, Description: 'Earnings' }
  const made = await askOnce(sdk, now, { key, tag: '', since: now }, (options) => sdk.Wallets.create({ ...body }, options))
  return made.state === 'done' ? { state: 'done', body: made.body.Id } : made
}

/** Local transfers reach accounts of Britain, the States and Canada in their own currency alone; euros want the code of the bank, which these do not have. */
const noEuros: PayeeReading = { state: 'refused', payment: null, reason: 'account_refused', code: 'no_bic' }

/** null: no euros reach it. */
function describe({ name, address }: AccountHolder, account: BankAccount): Record<string, unknown> | null {
  const [FirstName = '', ...rest] = name.split(' ')
  const common = {
    ScaContext: 'USER_PRESENT',
    DisplayName: name,
    RecipientType: 'Individual',
    Currency: 'EUR',
    Country: address.country,
    IndividualRecipient: { FirstName, LastName: rest.join(' ') || FirstName, Address: addressOf(address) },
  }
  if (account.kind === 'iban')
    return { ...common, PayoutMethodType: 'LocalBankTransfer', LocalBankTransfer: { EUR: { IBAN: account.iban } } }
  if (account.kind !== 'other') return null
  // Euros reach an account elsewhere by its number and the code of its bank.
  const InternationalBankTransfer = { AccountNumber: account.number, BIC: account.bic }
  return { ...common, PayoutMethodType: 'InternationalBankTransfer', InternationalBankTransfer }
}

function judge(read: Once<recipient.RecipientData>, returnTo: string): PayeeReading {
  if (read.state !== 'done') return read
  const { Id: id, Status } = read.body
  if (Status === 'ACTIVE') return { state: 'usable', id }
  const pending = read.body.PendingUserAction as { RedirectUrl?: string } | null
  if (Status !== 'PENDING' || typeof pending?.RedirectUrl !== 'string') return { state: 'ended', id }
  const address = new URL(pending.RedirectUrl)
  address.searchParams.set('returnUrl', returnTo)
  return { state: 'customer_needed', id, address: address.href }
}
