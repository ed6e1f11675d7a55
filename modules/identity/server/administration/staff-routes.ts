import { proven, route, signedIn, type Route } from '../../../../platform/http/route.ts'
import * as contract from '../../contract/administration.ts'
import { changeRolesOf, endSessionsOf, reinstateUser, resendConfirmationOf, suspendUser } from './administer-account.ts'
import type { IdentityDeps } from '../people/deps.ts'

/** What staff does to an account (decisions H-20, H-43). */
export function staffRoutes(deps: IdentityDeps): Route[] {
  return [
    route(
      contract.suspendUser,
      async ({ actor, params, body }) => await suspendUser(deps, signedIn(actor), params.id, body.reason),
    ),
    route(contract.reinstateUser, async ({ actor, params }) => await reinstateUser(deps, signedIn(actor), params.id)),
    route(
      contract.resendConfirmationOf,
      async ({ actor, params }) => await resendConfirmationOf(deps, signedIn(actor), params.id),
    ),
    route(contract.endSessionsOf, async ({ actor, params }) => await endSessionsOf(deps, signedIn(actor), params.id)),
    route(
      contract.changeRolesOf,
      async ({ actor, params, body }) => await changeRolesOf(deps, proven(actor), params.id, body.roles),
    ),
  ]
}
