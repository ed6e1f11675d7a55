import { addressPrefix, isLoopback } from '../../../../platform/http/request/address-prefix.ts'
import { localeOf } from '../../../../platform/http/request/locale-of.ts'
import { route, type Route } from '../../../../platform/http/route.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { registerWithEvidence } from '../../contract/draft-registration.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { register } from './register.ts'

/**
 * Looks up what a token holds, and gives what notes the claim, for the transaction that makes the account.
 * @throws DomainError when there is nothing, or it is somebody's already
 */
export type ClaimDraft = (token: string) => Promise<(tx: Tx, userId: string) => Promise<void>>

/** C-32, for whatever can be held without account; the module that keeps it gives `claimDraft`. */
export function draftRegistrationRoute(
  deps: IdentityDeps & { readonly trustLoopback: boolean; readonly claimDraft: ClaimDraft },
): Route {
  return route(registerWithEvidence, async ({ params, body, request }) => {
    const block = deps.trustLoopback && isLoopback(request.ip) ? null : addressPrefix(request.ip)
    const brand = deps.brandOf?.(request.host, body.brand)
    return await register(
      deps,
      { ...body, locale: body.locale ?? localeOf(request), brand },
      { block },
      await deps.claimDraft(params.evidence_token),
    )
  })
}
