import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { toPageObject } from '../../../kernel/page.ts'
import { sendGrowing } from '../../../platform/http/answer/stream.ts'
import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import { foreseeEnding } from '../contract/ending.ts'
import * as invoices from '../contract/invoices.ts'
import { listPlans } from '../contract/plans.ts'
import * as subscriptions from '../contract/subscriptions.ts'
import * as vat from '../contract/vat-number.ts'
import { standardRate } from '../domain/invoice/vat.ts'
import { administrationRoutes } from './admin/routes.ts'
import { changeOwn, findOwn, previewChange, subscribe } from './calls/change-subscription.ts'
import { pageStatement } from './accounting/statement-store.ts'
import { exportInvoices } from './calls/export-invoices.ts'
import { findListed, listGivenBack, pageInvoices } from './calls/invoice-list-store.ts'
import { sendDocument } from './calls/read-document.ts'
import { outlookOf } from './calls/outlook-of.ts'
import { presentInvoice, presentWithLines } from './calls/present-invoice.ts'
import { presentQuote, presentSubscription } from './calls/present-subscription.ts'
import { foreseeEnd } from './ending/foresee-end.ts'
import { findCustomer, findPayerOf } from './customer/customer-store.ts'
import { listLines } from './invoice/invoice-store.ts'
import { listPlans as listInForce } from './plan/set-plan.ts'
import type { BillingDeps } from './seller/deps.ts'
import { spendingRoutes } from './spending-routes.ts'
import { changeVatNumber, showVatNumber } from './vat/change-vat-number.ts'
import type { VatDeps } from './vat/check-vat-number.ts'
import { sendStatement } from './statement/send-statement.ts'
import { listSubscriptions, type Held } from './subscription/subscription-store.ts'

/** What anybody may know, also where nothing is paid for (H-35). */
export function planRoutes({
  db,
  clock,
  isTest,
}: {
  readonly db: Db
  readonly clock: Clock
  /** Whether payments are test payments. */
  readonly isTest: boolean
}): Route[] {
  return [
    route(listPlans, async ({ actor }) => {
      // Custom is as it was quoted to whoever asks, or to the owner of his group.
      const payer = actor === null ? null : await findCustomer(db, await findPayerOf(db, actor.accountId))
      const inForce = await listInForce({ db, clock }, payer?.id ?? null)
      return {
        currency: 'EUR' as const,
        vat_basis_points: standardRate,
        test: isTest,
        plans: inForce.map((terms) => ({
          plan: terms.plan,
          effective_from: terms.effectiveFrom,
          month_cents: terms.monthCents,
          year_cents: terms.yearCents,
          report_cents: terms.reportCents,
          timestamp_cents: terms.timestampCents,
          reports_per_month: terms.reportsPerMonth,
          timestamps_per_month: terms.timestampsPerMonth,
          drafts: terms.drafts,
          seats: terms.seats,
        })),
      }
    }),
  ]
}

/** The calls of an installation where reports are paid for; elsewhere there are none. */
export function billingRoutes(deps: BillingDeps & VatDeps & { readonly blobs: BlobStore }): Route[] {
  const { db } = deps
  const present = async (held: Held) => presentSubscription(held, await outlookOf(deps, held))
  return [
    ...spendingRoutes(deps),
    route(subscriptions.listSubscriptions, async ({ query, actor }) => {
      const customer = await findCustomer(db, signedIn(actor).accountId)
      const all = customer === null ? [] : await listSubscriptions(db, customer.id)
      const { page, page_size: size } = query
      const rows = all.slice((page - 1) * size, page * size)
      const results = await Promise.all(rows.map(present))
      return toPageObject(subscriptions.listSubscriptions.path, query, { count: all.length, rows }, results)
    }),
    route(
      subscriptions.createSubscription,
      async ({ body, actor }) => await present(await subscribe(deps, signedIn(actor), body)),
    ),
    route(subscriptions.previewSubscription, async ({ body, actor }) => {
      const { quote, extras } = await previewChange(deps, signedIn(actor), body)
      return presentQuote(quote, extras)
    }),
    route(foreseeEnding, async ({ actor }) => await foreseeEnd(deps, signedIn(actor))),
    route(
      subscriptions.readSubscription,
      async ({ params, actor }) => await present(await findOwn(db, signedIn(actor), params.id)),
    ),
    route(
      subscriptions.changeSubscription,
      async ({ params, body, actor }) => await present(await changeOwn(deps, signedIn(actor), params.id, body)),
    ),
    route(invoices.listInvoices, async ({ query, actor }) => {
      const customer = await findCustomer(db, signedIn(actor).accountId)
      const search = query.search?.trim() ?? ''
      const page =
        customer === null
          ? { count: 0, rows: [] }
          : await pageInvoices(db, {
              customerId: customer.id,
              category: query.category ?? null,
              status: query.status ?? null,
              search: search === '' ? null : search,
              descending: query.ordering.startsWith('-'),
              limit: query.page_size,
              offset: (query.page - 1) * query.page_size,
            })
      return toPageObject(invoices.listInvoices.path, query, page, page.rows.map(presentInvoice))
    }),
    route(invoices.exportInvoices, async ({ query, reply, actor }) => {
      const { bytes, ...file } = await exportInvoices(deps, signedIn(actor), query.format)
      return await sendGrowing(reply, bytes, file)
    }),
    route(invoices.readStatement, async ({ query, actor }) => {
      const customer = await findCustomer(db, signedIn(actor).accountId)
      const { page: at, page_size: limit } = query
      const page =
        customer === null ? { count: 0, rows: [] } : await pageStatement(db, customer.id, { limit, offset: (at - 1) * limit })
      const shown = page.rows.map((line) => ({
        date: line.on,
        kind: line.kind,
        invoice_id: line.invoiceId,
        number: line.number,
        debit_cents: line.debit,
        credit_cents: line.credit,
        balance_cents: line.balance,
      }))
      return toPageObject(invoices.readStatement.path, query, page, shown)
    }),
    route(
      invoices.readStatementDocument,
      async ({ query, actor, request, reply }) =>
        await sendStatement(deps, signedIn(actor), query.language ?? null, { request, reply }),
    ),
    route(vat.readVatNumber, async ({ actor }) => await showVatNumber(deps, signedIn(actor))),
    route(vat.changeVatNumber, async ({ body, actor }) => await changeVatNumber(deps, signedIn(actor), body.vat_number)),
    route(
      invoices.readDocument,
      async ({ params, query, actor, request, reply }) =>
        await sendDocument(deps, signedIn(actor), { id: params.id, locale: query.language ?? null }, { request, reply }),
    ),
    route(invoices.readInvoice, async ({ params, actor }) => {
      const customer = await findCustomer(db, signedIn(actor).accountId)
      const invoice = customer === null ? null : await findListed(db, customer.id, params.id)
      if (invoice === null) throw new DomainError('not_found', 'billing.invoice_unknown')
      return presentWithLines(invoice, await listLines(db, invoice.id), await listGivenBack(db, invoice.id))
    }),
    ...administrationRoutes(deps),
  ]
}
