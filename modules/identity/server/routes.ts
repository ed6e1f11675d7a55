import type { FastifyRequest } from 'fastify'
import { toPageObject } from '../../../kernel/page.ts'
import { addressPrefix, isLoopback } from '../../../platform/http/request/address-prefix.ts'
import { localeOf } from '../../../platform/http/request/locale-of.ts'
import { proven, route, signedIn, type Route } from '../../../platform/http/route.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import * as keys from '../contract/api-keys.ts'
import * as contract from '../contract/endpoints.ts'
import { actRoutes } from './acts/act-routes.ts'
import { changePassword } from './passwords/change-password.ts'
import { askPasswordReset, resendConfirmation } from './sending/ask-for-mail.ts'
import { confirmAddress, disownAddress, readConfirmation } from './addresses/confirm-address.ts'
import type { IdentityDeps, Origin } from './people/deps.ts'
import { listOwnApiKeys, makeApiKey, revokeApiKey } from './api-keys/manage-api-keys.ts'
import {
  addEmail,
  deleteEmail,
  listEmails,
  readEmail,
  resendEmailConfirmation,
  setPrimaryEmail,
} from './addresses/manage-addresses.ts'
import { endAllSessions, endOtherSessions, endSession, listOwnSessions, signOut } from './sessions/manage-sessions.ts'
import { prove } from './sign-in/prove.ts'
import { register } from './registration/register.ts'
import { resetPassword } from './passwords/reset-password.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
} from './second-factor/second-factor.ts'
import { signIn } from './sign-in/sign-in.ts'
import { staffRoutes } from './administration/staff-routes.ts'

const done = { status: 'done' } as const
const sent = { status: 'sent' } as const

/** @param deps.trustLoopback whether calls from this very machine count for nobody, as in development */
export function identityRoutes(deps: IdentityDeps & { readonly trustLoopback: boolean }): Route[] {
  const originOf = (request: FastifyRequest): Origin => ({
    block: deps.trustLoopback && isLoopback(request.ip) ? null : addressPrefix(request.ip),
    network: addressPrefix(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
  })
  return [
    route(contract.login, async ({ body, request }) => await signIn(deps, body, originOf(request))),
    route(contract.logout, async ({ actor }) => {
      await signOut(deps, signedIn(actor))
      return done
    }),
    route(contract.readRegistrations, async () => await Promise.resolve({ registrations: deps.registrations })),
    route(
      contract.register,
      async ({ body, request }) =>
        await register(
          deps,
          { ...body, locale: body.locale ?? localeOf(request), brand: deps.brandOf?.(request.host, body.brand) },
          originOf(request),
        ),
    ),
    route(contract.resendConfirmation, async ({ body, request }) => {
      await resendConfirmation(deps, body, originOf(request))
      return sent
    }),
    route(contract.readConfirmation, async ({ body }) => await readConfirmation(deps, body.key)),
    route(contract.verifyEmail, async ({ body, request }) => await confirmAddress(deps, body, originOf(request))),
    route(contract.disownAddress, async ({ body }) => {
      await disownAddress(deps, body.key)
      return done
    }),
    route(contract.askPasswordReset, async ({ body, request }) => {
      await askPasswordReset(deps, body.email, originOf(request))
      return sent
    }),
    route(contract.resetPassword, async ({ body }) => {
      await resetPassword(deps, body)
      return done
    }),
    route(contract.changePassword, async ({ actor, body }) => {
      await changePassword(deps, signedIn(actor), body)
      return done
    }),
    route(contract.listSessions, async ({ actor }) => await listOwnSessions(deps, signedIn(actor))),
    route(contract.endSession, async ({ actor, params }) => {
      await endSession(deps, signedIn(actor), params.id)
      return done
    }),
    route(contract.endOtherSessions, async ({ actor }) => await endOtherSessions(deps, signedIn(actor))),
    route(contract.endAllSessions, async ({ actor }) => await endAllSessions(deps, signedIn(actor))),
    ...addressRoutes(deps, originOf),
    ...factorRoutes(deps),
    ...staffRoutes(deps),
    route(contract.prove, async ({ actor, body }) => await prove(deps, signedIn(actor), body)),
    ...actRoutes(deps),
    ...keyRoutes(deps),
  ]
}

function addressRoutes(deps: IdentityDeps, originOf: (request: FastifyRequest) => Origin): Route[] {
  return [
    route(contract.listEmails, async ({ actor, query }) => {
      const all = await listEmails(deps, signedIn(actor))
      const first = (query.page - 1) * query.page_size
      const page = { count: all.length, rows: all }
      return toPageObject(contract.listEmails.path, query, page, all.slice(first, first + query.page_size))
    }),
    route(contract.readEmail, async ({ actor, params }) => await readEmail(deps, signedIn(actor), params.id)),
    route(
      contract.addEmail,
      async ({ actor, body, request }) => await addEmail(deps, proven(actor), body.email, originOf(request)),
    ),
    route(contract.resendEmailConfirmation, async ({ actor, params, request }) => {
      await resendEmailConfirmation(deps, signedIn(actor), params.id, originOf(request))
      return sent
    }),
    route(contract.setPrimaryEmailByGet, async ({ actor, params }) => await setPrimaryEmail(deps, proven(actor), params.id)),
    route(contract.setPrimaryEmail, async ({ actor, params }) => await setPrimaryEmail(deps, proven(actor), params.id)),
    route(contract.deleteEmail, async ({ actor, params }) => {
      await deleteEmail(deps, proven(actor), params.id)
      return done
    }),
  ]
}

function keyRoutes(deps: IdentityDeps): Route[] {
  return [
    route(keys.listApiKeys, async ({ actor }) => await listOwnApiKeys(deps, signedIn(actor))),
    route(keys.createApiKey, async ({ actor, body }) => await makeApiKey(deps, proven(actor), body)),
    route(keys.revokeApiKey, async ({ actor, params }) => {
      await revokeApiKey(deps, signedIn(actor), params.id)
      return done
    }),
  ]
}

function factorRoutes(deps: IdentityDeps): Route[] {
  return [
    route(contract.readSecondFactor, async ({ actor }) => await readSecondFactor(deps, signedIn(actor))),
    route(contract.beginSecondFactor, async ({ actor, body }) => {
      const caller = signedIn(actor)
      return await beginSecondFactor(deps, caller, body.password, createMessages(caller.locale).format('ui.product'))
    }),
    route(contract.confirmSecondFactor, async ({ actor, body }) => await confirmSecondFactor(deps, signedIn(actor), body.code)),
    route(contract.disableSecondFactor, async ({ actor, body }) => {
      await disableSecondFactor(deps, signedIn(actor), body)
      return done
    }),
    route(contract.renewRecoveryCodes, async ({ actor, body }) => await renewRecoveryCodes(deps, signedIn(actor), body)),
  ]
}
