import type { FastifyRequest } from 'fastify'
import { addressBy } from '../../../../platform/http/request/own-hosts.ts'
import { route, signedIn, type Route } from '../../../../platform/http/route.ts'
import * as contract from '../../contract/payments.ts'
import type { Browser } from '../provider/port.ts'
import { payInvoice, readPayment } from './attempt/pay-invoice.ts'
import { createMandate, readMandate } from './means/create-mandate.ts'
import type { PaymentDeps } from './means/deps.ts'
import { endCard } from './means/end-card.ts'
import { listMethods } from './means/list-methods.ts'
import { beginCardRegistration, finishCardRegistration, readCardRegistration } from './means/register-card.ts'
import { hearNotice } from './notices/hear-notice.ts'

type Said = NonNullable<ReturnType<NonNullable<typeof contract.payInvoice.body>['parse']>['browser']>

/** What the cardholder's bank wants to know: what scripts alone can tell, and what every request tells. */
function browserOf(request: FastifyRequest, said: Said): Browser {
  return {
    ip: request.ip,
    accept: (request.headers.accept ?? '*/*').slice(0, 255),
    userAgent: (request.headers['user-agent'] ?? 'unknown').slice(0, 255),
    language: said.language,
    javaEnabled: said.java_enabled,
    colorDepth: said.color_depth,
    screenWidth: said.screen_width,
    screenHeight: said.screen_height,
    timeZoneOffset: said.time_zone_offset,
  }
}

/** The calls by which something is paid. */
export function paymentRoutes(deps: PaymentDeps): Route[] {
  /** Customers come back to the name by which they are signed in. */
  const by = ({ host }: FastifyRequest): PaymentDeps => ({ ...deps, publicUrl: addressBy(deps.publicUrl, host) })
  return [
    route(contract.beginCardRegistration, async ({ actor }) => await beginCardRegistration(deps, signedIn(actor))),
    route(
      contract.readCardRegistration,
      async ({ actor, query }) => await readCardRegistration(deps, signedIn(actor), query.RessourceId),
    ),
    route(
      contract.finishCardRegistration,
      async ({ actor, params, body }) => await finishCardRegistration(deps, signedIn(actor), params.id, body.registration_data),
    ),
    route(contract.listPaymentMethods, async ({ actor }) => await listMethods(deps, signedIn(actor))),
    route(contract.endCard, async ({ actor, params }) => {
      await endCard(deps, signedIn(actor), params.id)
      return { status: 'done' as const }
    }),
    route(contract.readMandate, async ({ actor }) => ({
      mandate: await readMandate(deps, signedIn(actor)),
      test: deps.provider?.isTest ?? false,
    })),
    route(
      contract.createMandate,
      async ({ actor, body, request }) => await createMandate(by(request), signedIn(actor), body.return_to),
    ),
    route(
      contract.payInvoice,
      async ({ actor, params, body, request }) =>
        await payInvoice(by(request), signedIn(actor), params.id, {
          by: body.by,
          card: body.card,
          browser: body.browser === undefined ? undefined : browserOf(request, body.browser),
          returnTo: body.return_to,
          referralManager: body.referral_manager,
          accepted: body.accepted_cents,
        }),
    ),
    route(contract.readPayment, async ({ actor, params }) => await readPayment(deps, signedIn(actor), params.id)),
    route(contract.hearNotice, async ({ request }) => {
      const { url = '' } = request.raw
      const start = url.indexOf('?')
      await hearNotice(deps, new URLSearchParams(start === -1 ? '' : url.slice(start + 1)))
      return { status: 'done' as const }
    }),
  ]
}
