import { addressPrefix, isLoopback } from '../../../../platform/http/request/address-prefix.ts'
import { localeOf } from '../../../../platform/http/request/locale-of.ts'
import { route, type Route } from '../../../../platform/http/route.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { BodyOf } from '../../../../kernel/endpoint.ts'
import { registerWithLicense } from '../../contract/license-registration.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { register } from './register.ts'

/**
 * Looks at what is asked for, and gives what notes it, for the transaction that makes the account.
 * @throws DomainError when it cannot be had
 */
export type AskLicense = (
  asked: Pick<BodyOf<typeof registerWithLicense>, 'sale_token' | 'beneficiary'>,
) => Promise<(tx: Tx, userId: string) => Promise<void>>

/** C-49; the module of licences gives `askLicense`. */
export function licenseRegistrationRoute(
  deps: IdentityDeps & { readonly trustLoopback: boolean; readonly askLicense: AskLicense },
): Route {
  return route(registerWithLicense, async ({ body, request }) => {
    const { sale_token, beneficiary, ...registration } = body
    const block = deps.trustLoopback && isLoopback(request.ip) ? null : addressPrefix(request.ip)
    const brand = deps.brandOf?.(request.host, body.brand)
    return await register(
      deps,
      { ...registration, locale: body.locale ?? localeOf(request), brand },
      { block },
      await deps.askLicense({ sale_token, beneficiary }),
    )
  })
}
