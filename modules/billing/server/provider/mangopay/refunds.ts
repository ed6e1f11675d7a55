import type { Amount, Attempt, Outcome, Refunds } from '../port.ts'
import { ask } from './ask.ts'
import { askOnce, judgeAnswer } from './ask-once.ts'
import { judgeMade } from './charge-card.ts'
import { euros, type MangopayDeps, noFees } from './deps.ts'
import { judgePayment, refuseAmount } from './judge-payment.ts'

export function refunds({ sdk, clock }: MangopayDeps): Refunds {
  return {
    refund: async (refund: { customer: string; payment: string; amount: Amount }, attempt: Attempt): Promise<Outcome> => {
      const refused = refuseAmount(refund.amount)
      if (refused !== null) return refused
      const body = {
        AuthorId: refund.customer,
        DebitedFunds: euros(refund.amount.cents),
        Fees: { ...noFees },
        Tag: attempt.tag,
      }
      const made = await askOnce(sdk, clock.now(), attempt, (options) =>
        sdk.PayIns.createRefund(refund.payment, { ...body }, options),
      )
      return judgeMade(made, refund.amount)
    },
    readRefund: async (id) => {
      const read = judgeAnswer(await ask(sdk, (options) => sdk.Refunds.get(id, options)))
      return read.state === 'done' ? judgePayment(read.body) : read
    },
  }
}
