import type { mandate } from 'mangopay4-nodejs-sdk'
import type { Debits, MandateReading } from '../port.ts'
import { ask } from './ask.ts'
import { askOnce, judgeAnswer, type Once } from './ask-once.ts'
import { judgeMade } from './charge-card.ts'
import { euros, type MangopayDeps, noFees } from './deps.ts'
import { refuseAmount } from './judge-payment.ts'

const causes = { '001805': 'customer', '001806': 'us', '001807': 'unconfirmed' } as const

export function debits({ sdk, clock, seller }: MangopayDeps): Debits {
  return {
    createMandate: async ({ account, language, returnTo }, attempt) => {
      const Culture = language === 'fr' ? ('FR' as const) : ('EN' as const)
      const body = { BankAccountId: account, Culture, ReturnURL: returnTo, Tag: attempt.tag }
      return judge(await askOnce(sdk, clock.now(), attempt, (options) => sdk.Mandates.create({ ...body }, options)))
    },
    readMandate: async (id) => judge(judgeAnswer(await ask(sdk, (options) => sdk.Mandates.get(id, options)))),
    cancelMandate: async (id) => {
      const cancelled = judge(judgeAnswer(await ask(sdk, (options) => sdk.Mandates.cancel(id, options))))
      // One that is no longer of use cannot be cancelled: how it ended is what is wanted.
      return cancelled.state === 'refused'
        ? judge(judgeAnswer(await ask(sdk, (options) => sdk.Mandates.get(id, options))))
        : cancelled
    },
    debit: async ({ customer, mandate: id, amount }, attempt) => {
      const refused = refuseAmount(amount)
      if (refused !== null) return refused
      const body = {
        PaymentType: 'DIRECT_DEBIT' as const,
        ExecutionType: 'DIRECT' as const,
        AuthorId: customer,
        CreditedWalletId: seller.wallet,
        DebitedFunds: euros(amount.cents),
        Fees: { ...noFees },
        MandateId: id,
        Tag: attempt.tag,
      }
      const made = await askOnce(sdk, clock.now(), attempt, (options) => sdk.PayIns.create({ ...body }, options))
      return judgeMade(made, amount)
    },
  }
}

function judge(read: Once<mandate.MandateData>): MandateReading {
  if (read.state !== 'done') return read
  const { Id: id, Status, RedirectURL, BankReference, ResultCode } = read.body
  switch (Status) {
    case 'CREATED':
      return { state: 'customer_needed', id, address: RedirectURL }
    case 'SUBMITTED':
      return { state: 'submitted', id, reference: BankReference }
    case 'ACTIVE':
      return { state: 'active', id, reference: BankReference }
    case 'FAILED':
      return { state: 'failed', id, cause: causes[ResultCode as keyof typeof causes] ?? 'bank', code: ResultCode }
    case 'EXPIRED':
      return { state: 'expired', id }
    default:
      return { state: 'unknown' }
  }
}
