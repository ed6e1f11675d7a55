import type { Dispute, Transaction } from './entities.ts'
import { resultCodes } from './result-codes.ts'
import { debit } from './transactions.ts'
import type { World } from './world.ts'

/**
 * The customer's bank takes the money back, or a part of it. A pay-in that succeeded stays so: what says otherwise is the dispute, and the repudiation that
 * debits the wallet, below zero if need be. Late failures of direct debits cannot be contested and are closed at once.
 */
export function openDispute(
  world: World,
  payIn: Transaction,
  { reason, contestable, amount }: { readonly reason: string; readonly contestable: boolean; readonly amount: number },
): Dispute {
  const currency = payIn.DebitedFunds.Currency
  const funds = { Currency: currency, Amount: amount }
  const repudiation = world.add('transaction', {
    Tag: null,
    AuthorId: payIn.AuthorId,
    CreditedUserId: null,
    DebitedFunds: { ...funds },
    CreditedFunds: { ...funds },
    Fees: { Currency: currency, Amount: 0 },
    Status: 'SUCCEEDED',
    ResultCode: '000000',
    ResultMessage: resultCodes['000000'],
    ExecutionDate: world.now(),
    Type: 'PAYIN',
    Nature: 'REPUDIATION',
    CreditedWalletId: null,
    DebitedWalletId: payIn.CreditedWalletId,
    InitialTransactionId: payIn.Id,
    InitialTransactionType: 'PAYIN',
  })
  debit(world, payIn.CreditedWalletId, funds)
  const dispute = world.add('dispute', {
    InitialTransactionId: payIn.Id,
    InitialTransactionType: 'PAYIN',
    DisputeType: contestable ? 'CONTESTABLE' : 'NOT_CONTESTABLE',
    Status: contestable ? 'PENDING_CLIENT_ACTION' : 'CLOSED',
    ResultCode: contestable ? null : '001831',
    ResultMessage: contestable ? null : resultCodes['001831'],
    DisputeReason: { DisputeReasonType: reason, DisputeReasonMessage: null },
    DisputedFunds: { ...funds },
    ContestedFunds: { Currency: currency, Amount: 0 },
    ContestDeadlineDate: contestable ? world.now() + 7 * 86_400 : null,
    ClosedDate: contestable ? null : world.now(),
    RepudiationId: repudiation.Id,
    StatusMessage: null,
  })
  world.emit('DISPUTE_CREATED', dispute.Id)
  world.emit('PAYIN_REPUDIATION_CREATED', repudiation.Id)
  world.emit('PAYIN_REPUDIATION_SUCCEEDED', repudiation.Id)
  world.emit(contestable ? 'DISPUTE_ACTION_REQUIRED' : 'DISPUTE_CLOSED', dispute.Id)
  if (contestable) world.later(7 * 86_400, 'dispute-deadline', dispute.Id)
  return dispute
}
