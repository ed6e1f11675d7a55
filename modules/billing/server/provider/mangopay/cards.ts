import type { payIn } from 'mangopay4-nodejs-sdk'
import type { Cards, Made, RegisteredCard } from '../port.ts'
import { ask } from './ask.ts'
import { askOnce, judgeAnswer, type Once } from './ask-once.ts'
import { chargeLater, chargeNow } from './charge-card.ts'
import { addressOf } from './customers.ts'
import { euros, type MangopayDeps, noFees } from './deps.ts'
import { refuseAmount } from './judge-payment.ts'
import { refusalOf } from './refusals.ts'

const seriesStates = {
  CREATED: 'new',
  IN_PROGRESS: 'ready',
  AUTHENTICATION_NEEDED: 'customer_needed',
  ENDED: 'ended',
} as const

export function cards(deps: MangopayDeps): Cards {
  const { sdk, clock, seller } = deps
  return {
    beginRegistration: async (customer, attempt) => {
      const body = { UserId: customer, Currency: 'EUR' as const, Tag: attempt.tag }
      const made = await askOnce(sdk, clock.now(), attempt, (options) => sdk.CardRegistrations.create({ ...body }, options))
      if (made.state !== 'done') return made
      const { Id, CardRegistrationURL, AccessKey, PreregistrationData } = made.body
      return { state: 'begun', id: Id, address: CardRegistrationURL, accessKey: AccessKey, data: PreregistrationData }
    },
    finishRegistration: (registration, answer) => finishRegistration(deps, registration, answer),
    endCard: async (card) =>
      idOf(judgeAnswer(await ask(sdk, (options) => sdk.Cards.update({ Id: card, Active: false }, options)))),
    openSeries: async ({ customer, card, amount, holder }, attempt) => {
      const refused = refuseAmount(amount)
      if (refused?.state === 'refused') return refused
      const [FirstName = '', ...rest] = holder.name.split(' ')
      const body = {
        AuthorId: customer,
        CardId: card,
        CreditedWalletId: seller.wallet,
        FirstTransactionDebitedFunds: euros(amount.cents),
        FirstTransactionFees: { ...noFees },
        Billing: { FirstName, LastName: rest.join(' ') || FirstName, Address: addressOf(holder.address) },
        Tag: attempt.tag,
      } as unknown as payIn.CreatePayInRecurringRegistration
      return idOf(await askOnce(sdk, clock.now(), attempt, (options) => sdk.PayIns.createRecurringPayment({ ...body }, options)))
    },
    readSeries: async (series) => {
      const read = judgeAnswer(await ask(sdk, (options) => sdk.PayIns.getRecurringPayin(series, options)))
      return read.state === 'done' ? seriesStates[read.body.Status] : 'unknown'
    },
    endSeries: async (series) =>
      idOf(judgeAnswer(await ask(sdk, (options) => sdk.PayIns.updateRecurringPayin(series, { Status: 'ENDED' }, options)))),
    chargeNow: (charge, attempt) => chargeNow(deps, charge, attempt),
    chargeLater: (charge, attempt) => chargeLater(deps, charge, attempt),
  }
}

/** What the tokenising server answered to the browser becomes a card; doing so twice yields the same card. */
async function finishRegistration(
  { sdk }: MangopayDeps,
  registration: string,
  answer: string,
): Promise<RegisteredCard | Exclude<Made, { state: 'made' }>> {
  const saved = judgeAnswer(
    await ask(sdk, (options) => sdk.CardRegistrations.update({ Id: registration, RegistrationData: answer }, options)),
  )
  const known =
    saved.state === 'done' ? saved : judgeAnswer(await ask(sdk, (options) => sdk.CardRegistrations.get(registration, options)))
  if (known.state !== 'done') return known
  const { Status, CardId, ResultCode } = known.body
  if (Status === 'ERROR') return { state: 'refused', payment: null, reason: refusalOf(ResultCode), code: ResultCode }
  if (Status !== 'VALIDATED') return saved.state === 'done' ? { state: 'unknown' } : saved
  const card = judgeAnswer(await ask(sdk, (options) => sdk.Cards.get(CardId, options)))
  if (card.state !== 'done') return card
  return { state: 'registered', card: CardId, alias: card.body.Alias, expires: dayAfter(card.body.ExpirationDate) }
}

/** `MMYY` holds to the end of the month. */
function dayAfter(expiry: string): string {
  const month = Number(expiry.slice(0, 2))
  const year = 2000 + Number(expiry.slice(2, 4))
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}

export function idOf(made: Once<{ readonly Id: string }>): Made {
  return made.state === 'done' ? { state: 'made', id: made.body.Id } : made
}
