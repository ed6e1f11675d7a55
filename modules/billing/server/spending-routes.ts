import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import * as contract from '../contract/spending.ts'
import type { BillingDeps } from './seller/deps.ts'
import { foreseeSpending } from './spending/foresee-spending.ts'
import { listLimits, setLimit } from './spending/limit-spending.ts'

export function spendingRoutes(deps: BillingDeps): Route[] {
  return [
    route(contract.foreseeSpending, async ({ query, actor }) => await foreseeSpending(deps, signedIn(actor), query)),
    route(contract.listSpendingLimits, async ({ actor }) => ({ limits: await listLimits(deps, signedIn(actor)) })),
    route(
      contract.setSpendingLimit,
      async ({ params, body, actor }) => await setLimit(deps, signedIn(actor), params, body.ceiling_cents),
    ),
  ]
}
