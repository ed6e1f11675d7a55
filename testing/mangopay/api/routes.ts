import { bankAccountRoutes } from './bank-accounts.ts'
import { cardPayInRoutes } from './card-pay-ins.ts'
import { cardRoutes } from './cards.ts'
import { disputeRoutes } from './disputes.ts'
import { documentRoutes } from './documents.ts'
import { mandateRoutes } from './mandates.ts'
import { moneyMoveRoutes } from './money-moves.ts'
import { noticeRoutes } from './notices.ts'
import { ownerRoutes } from './owners.ts'
import { recurringRoutes } from './recurring.ts'
import type { Route } from './route.ts'
import { userRoutes } from './users.ts'

/** The first that fits answers: words of a path stand before what may be an id. */
export const routes: readonly Route[] = [
  ...userRoutes,
  ...cardRoutes,
  ...recurringRoutes,
  ...mandateRoutes,
  ...moneyMoveRoutes,
  ...disputeRoutes,
  ...bankAccountRoutes,
  ...documentRoutes,
  ...ownerRoutes,
  ...noticeRoutes,
  ...cardPayInRoutes,
]
