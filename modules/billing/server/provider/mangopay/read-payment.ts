import type { Amount, Attempt, Found, Outcome } from '../port.ts'
import { ask } from './ask.ts'
import { judgeAnswer } from './ask-once.ts'
import type { MangopayDeps } from './deps.ts'
import { judgePayment, type Transaction } from './judge-payment.ts'

type Dispute = {
  readonly DisputeReason?: { readonly DisputeReasonType?: string }
  readonly DisputeType: string
  readonly Status: string
  readonly ResultMessage: string | null
  readonly DisputedFunds: { readonly Amount: number }
  readonly ContestedFunds: { readonly Amount: number } | null
}

/** Who asks for papers takes nothing. What is won is what was contested, all of it unless it is said: the rest stays taken. */
function takenBy({ DisputeType, ResultMessage, DisputedFunds, ContestedFunds }: Dispute): number {
  if (DisputeType === 'RETRIEVAL') return 0
  const contested = ContestedFunds?.Amount ?? 0
  return ResultMessage === 'WON'
    ? DisputedFunds.Amount - (contested === 0 ? DisputedFunds.Amount : contested)
    : DisputedFunds.Amount
}

/** A payment that succeeded stays so for the provider when the customer's bank takes the money back: its disputes say that. */
export async function readPayment({ sdk }: MangopayDeps, payment: string, asked?: Amount): Promise<Outcome> {
  const read = judgeAnswer(await ask(sdk, (options) => sdk.PayIns.get(payment, options)))
  if (read.state !== 'done') return read.state === 'refused' ? { ...read, payment } : read
  const outcome = judgePayment(read.body, asked)
  if (outcome.state !== 'succeeded') return outcome
  const told = judgeAnswer(await ask(sdk, (options) => sdk.Disputes.getDisputesForPayIn(payment, options)))
  if (told.state !== 'done') return { state: 'unknown' }
  const taken = (told.body as unknown as Dispute[]).filter((one) => takenBy(one) > 0)
  if (taken.length === 0) return outcome
  const late = taken.some((one) => one.DisputeReason?.DisputeReasonType?.startsWith('LATE_FAILURE') === true)
  const cents = taken.reduce((sum, one) => sum + takenBy(one), 0)
  return { state: 'reversed', payment, amount: { cents, currency: 'EUR' }, cause: late ? 'late_failure' : 'dispute' }
}

/** A call that was just sent may still be on its way: until then its absence proves nothing. */
export const inFlight = 15 * 60_000
/** Clocks of two houses differ. */
const clockSkew = 3600
const pageSize = 100

/** Among everything that the customer paid since the attempt began, by the tag that it was given. */
export async function findPayment(deps: MangopayDeps, customer: string, { tag, since }: Attempt): Promise<Found> {
  const AfterDate = Math.floor(since.getTime() / 1000) - clockSkew
  for (let Page = 1; ; Page++) {
    const parameters = { Page, Per_Page: pageSize, AfterDate, Sort: 'CreationDate:ASC', Type: 'PAYIN' }
    const listed = judgeAnswer(
      await ask(deps.sdk, (options) => deps.sdk.Users.getTransactions(customer, { ...options, parameters })),
    )
    if (listed.state !== 'done') return listed.state === 'unsent' ? { state: 'unsent' } : { state: 'unknown' }
    const transactions = listed.body as unknown as Transaction[]
    const mine = transactions.find((one) => one.Tag === tag && one.Type === 'PAYIN' && one.Nature === 'REGULAR')
    if (mine !== undefined) return readPayment(deps, mine.Id)
    if (transactions.length < pageSize) break
  }
  return deps.clock.now().getTime() - since.getTime() > inFlight ? { state: 'absent' } : { state: 'unknown' }
}
