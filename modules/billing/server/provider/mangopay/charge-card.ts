import type { payIn } from 'mangopay4-nodejs-sdk'
import type { Amount, Attempt, Browser, Outcome, PresentCharge } from '../port.ts'
import type { Once } from './ask-once.ts'
import { askOnce } from './ask-once.ts'
import { euros, type MangopayDeps, noFees } from './deps.ts'
import { judgePayment, refuseAmount, type Transaction } from './judge-payment.ts'

/** The customer is there: his bank may ask him, at an address of its own. */
export async function chargeNow(deps: MangopayDeps, charge: PresentCharge, attempt: Attempt): Promise<Outcome> {
  const refused = refuseAmount(charge.amount)
  if (refused !== null) return refused
  const { sdk, clock } = deps
  const by = charge.by
  const common = {
    Tag: attempt.tag,
    DebitedFunds: euros(charge.amount.cents),
    Fees: { ...noFees },
    SecureModeReturnURL: charge.returnTo,
    IpAddress: charge.browser.ip,
    BrowserInfo: browserInfo(charge.browser),
  }
  const made = await askOnce<unknown>(sdk, clock.now(), attempt, (options) =>
    'series' in by
      ? sdk.PayIns.createRecurringPayInRegistrationCIT({ ...common, RecurringPayinRegistrationId: by.series }, options)
      : sdk.PayIns.create(
          {
            ...common,
            PaymentType: 'CARD',
            ExecutionType: 'DIRECT',
            AuthorId: charge.customer,
            CreditedWalletId: deps.seller.wallet,
            CardId: by.card,
            SecureMode: charge.confirm ? 'FORCE' : 'DEFAULT',
            Culture: charge.language.toUpperCase() as 'FR',
          } as payIn.CreateCardDirectPayIn,
          options,
        ),
  )
  return judgeMade(made, charge.amount)
}

/** He is not: what his bank would ask of him, it refuses. */
export async function chargeLater(
  deps: MangopayDeps,
  charge: { series: string; amount: Amount },
  attempt: Attempt,
): Promise<Outcome> {
  const refused = refuseAmount(charge.amount)
  if (refused !== null) return refused
  const { sdk, clock } = deps
  const body = {
    RecurringPayinRegistrationId: charge.series,
    DebitedFunds: euros(charge.amount.cents),
    Fees: { ...noFees },
    Tag: attempt.tag,
  }
  const made = await askOnce(sdk, clock.now(), attempt, (options) =>
    sdk.PayIns.createRecurringPayInRegistrationMIT({ ...body }, options),
  )
  return judgeMade(made, charge.amount)
}

export function judgeMade(made: Once<unknown>, amount: Amount): Outcome {
  return made.state === 'done' ? judgePayment(made.body as Transaction, amount) : made
}

function browserInfo(browser: Browser) {
  return {
    AcceptHeader: browser.accept,
    JavaEnabled: browser.javaEnabled,
    Language: browser.language,
    ColorDepth: browser.colorDepth,
    ScreenHeight: browser.screenHeight,
    ScreenWidth: browser.screenWidth,
    JavascriptEnabled: true,
    TimeZoneOffset: String(browser.timeZoneOffset),
    UserAgent: browser.userAgent,
  }
}
