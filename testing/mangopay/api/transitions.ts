import type { Transition } from '../world/world.ts'
import { expireSecureMode, expireWebPayIn } from './card-pay-ins.ts'
import { loseUnusedCard } from './cards.ts'
import { missDeadline } from './disputes.ts'
import { lookAtDocument } from './documents.ts'
import { acceptMandate, expireUnusedMandate, leaveUnconfirmed, settleDebit } from './mandates.ts'
import { missWire, refusePayOut, settlePayOut } from './money-moves.ts'
import { lookAtDeclaration, missVerification } from './owners.ts'

/** What becomes of things by themselves as time passes, by the name under which it is due. */
export const transitions: Readonly<Record<string, Transition>> = {
  '3ds-expires': expireSecureMode,
  'pay-expires': expireWebPayIn,
  'card-unused': loseUnusedCard,
  'mandate-unconfirmed': leaveUnconfirmed,
  'mandate-accepted': acceptMandate,
  'mandate-unused': expireUnusedMandate,
  'debit-settles': settleDebit,
  'dispute-deadline': missDeadline,
  'document-looked-at': lookAtDocument,
  'declaration-looked-at': lookAtDeclaration,
  'verification-missed': missVerification,
  'payout-settles': settlePayOut,
  'payout-refused': refusePayOut,
  'wire-missed': missWire,
}
