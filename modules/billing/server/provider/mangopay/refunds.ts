import type { Outcome, RefundOutcome, Refunds } from '../port.ts'
import { ask } from './ask.ts'
import { askOnce, judgeAnswer } from './ask-once.ts'
import { judgeMade } from './charge-card.ts'
import { euros, type MangopayDeps, noFees } from './deps.ts'
import { judgePayment, refuseAmount, type Transaction } from './judge-payment.ts'
import { inFlight } from './read-payment.ts'

/** Nobody is asked anything of a refund, and it awaits no transfer: said all the same, it means nothing. */
function judgeRefund(outcome: Outcome): RefundOutcome {
  const { state } = outcome
  return state === 'customer_needed' || state === 'transfer_awaited' || state === 'reversed' ? { state: 'unknown' } : outcome
}

const pageSize = 100

export function refunds({ sdk, clock }: MangopayDeps): Refunds {
  return {
    refund: async ({ customer, payment, amount }, attempt) => {
      const refused = refuseAmount(amount)
      if (refused !== null) return judgeRefund(refused)
      const body = { AuthorId: customer, DebitedFunds: euros(amount.cents), Fees: { ...noFees }, Tag: attempt.tag }
      const made = await askOnce(sdk, clock.now(), attempt, (options) => sdk.PayIns.createRefund(payment, { ...body }, options))
      return judgeRefund(judgeMade(made, amount))
    },
    readRefund: async (id) => {
      const read = judgeAnswer(await ask(sdk, (options) => sdk.Refunds.get(id, options)))
      // That it cannot be read says nothing of the money.
      if (read.state === 'refused') return { state: 'unknown' }
      return read.state === 'done' ? judgeRefund(judgePayment(read.body)) : read
    },
    originOf: async (id) => {
      const read = judgeAnswer(await ask(sdk, (options) => sdk.Refunds.get(id, options)))
      if (read.state !== 'done') return 'unknown'
      const { InitialTransactionId: payment, InitialTransactionType: of, Tag } = read.body
      return of === 'PAYIN' ? { payment, tag: Tag ?? null, outcome: judgeRefund(judgePayment(read.body)) } : null
    },
    findRefund: async ({ payment, attempt: { tag, since } }) => {
      for (let Page = 1; ; Page++) {
        const parameters = { Page, Per_Page: pageSize, Sort: 'CreationDate:ASC' }
        const listed = judgeAnswer(await ask(sdk, (options) => sdk.PayIns.getRefunds(payment, { ...options, parameters })))
        if (listed.state !== 'done') return listed.state === 'unsent' ? listed : { state: 'unknown' }
        const all = listed.body as unknown as Transaction[]
        const mine = all.find(({ Tag }) => Tag === tag)
        if (mine !== undefined) return judgeRefund(judgePayment(mine))
        if (all.length < pageSize) break
      }
      return clock.now().getTime() - since.getTime() > inFlight ? { state: 'absent' } : { state: 'unknown' }
    },
  }
}
