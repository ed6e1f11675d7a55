import type { z } from 'zod'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { toPageObject, type Page } from '../../../../kernel/page.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { proven, route, type Route } from '../../../../platform/http/route.ts'
import * as contract from '../../contract/administration.ts'
import type { Answered } from '../../contract/administration.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { sendDocumentOf } from '../calls/read-document.ts'
import { readInvariants } from '../invariants/invariant-store.ts'
import { listTerms, termsOf } from '../plan/plan-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { listRefundable } from '../settlement/refund-store.ts'
import { startRefund } from '../settlement/start-refund.ts'
import { carryOut } from './carry-out.ts'
import { changePlan, quoteCustomPlan } from './change-plan.ts'
import { creditInvoice } from './credit-invoice.ts'
import { pageOfCustomers } from './customer-admin-store.ts'
import { findOwner, listRows, pageOfAll, pageOfFailed, type AdminInvoiceRow } from './invoice-admin-store.ts'
import { presentAdminInvoice } from './present-admin-invoice.ts'
import { presentTerms } from './present-terms.ts'
import { presentCustomer, readCustomer } from './read-customer.ts'
import { retryPayment } from './retry-payment.ts'
import { settleInvoice } from './settle-invoice.ts'
import { findRefunded, settleRefund } from './settle-refund.ts'

type Given = z.output<typeof contract.changePlan.body>
const termsGiven = (body: Omit<Given, 'plan' | 'from' | 'accepted'>) => ({
  monthCents: body.month_cents,
  yearCents: body.year_cents,
  reportCents: body.report_cents,
  timestampCents: body.timestamp_cents,
  reportsPerMonth: body.reports_per_month,
  timestampsPerMonth: body.timestamps_per_month,
  drafts: body.drafts,
  seats: body.seats,
})

const most = contract.mostCounted
const searchOf = (search: string | undefined) => (search?.trim() ?? '') || null
const paged = (query: { readonly page: number; readonly page_size: number }) => ({
  limit: query.page_size,
  offset: (query.page - 1) * query.page_size,
})
const capped = <Row, Result>(
  path: string,
  query: { page: number; page_size: number },
  page: Page<Row>,
  results: readonly Result[],
) => ({
  ...toPageObject(path, query, { ...page, count: Math.min(page.count, most) }, results),
  count_capped: page.count > most,
})

/** @throws DomainError `billing.invoice_unknown` */
async function ownerOf({ db }: BillingDeps, invoiceId: string): Promise<string> {
  const owner = await findOwner(db, invoiceId)
  if (owner === null) throw new DomainError('not_found', 'billing.invoice_unknown')
  return owner
}

const refundableOf = async ({ db }: BillingDeps, rows: readonly AdminInvoiceRow[]) =>
  await listRefundable(
    db,
    rows.map(({ id }) => id),
  )

/** What administrators see and do; to anybody else none of these exist (H-20). What changes the books asks for a fresh proof. */
export function administrationRoutes(deps: BillingDeps & { readonly blobs: BlobStore }): Route[] {
  return [...reading(deps), ...acting(deps), ...pricing(deps)]
}

function reading(deps: BillingDeps & { readonly blobs: BlobStore }): Route[] {
  const { db } = deps
  return [
    route(contract.listCustomers, async ({ query }) => {
      const wanted = { search: searchOf(query.search), standing: query.standing ?? null, ...paged(query) }
      const page = await pageOfCustomers(db, wanted, most)
      return capped(contract.listCustomers.path, query, page, page.rows.map(presentCustomer))
    }),
    route(
      contract.readAnyDocument,
      async ({ params, query, request, reply }) =>
        await sendDocumentOf(
          deps,
          await ownerOf(deps, params.id),
          { id: params.id, locale: query.language ?? null },
          { request, reply },
        ),
    ),
    route(contract.readCustomer, async ({ params }) => await readCustomer(deps, params.id)),
    route(contract.listAllInvoices, async ({ query }) => {
      const { category = null, status = null, customer = null } = query
      const page = await pageOfAll(
        db,
        { category, status, customerId: customer, search: searchOf(query.search), ...paged(query) },
        most,
      )
      const refundable = await refundableOf(deps, page.rows)
      const results = page.rows.map((row) => presentAdminInvoice(row, refundable))
      return capped(contract.listAllInvoices.path, query, page, results)
    }),
    route(contract.listFailedPayments, async ({ query }) => {
      const page = await pageOfFailed(db, { status: query.status, ...paged(query) }, most)
      const invoices = await listRows(
        db,
        page.rows.map(({ invoiceId }) => invoiceId),
      )
      const refundable = await refundableOf(deps, invoices)
      const results = page.rows.flatMap((row) => {
        const invoice = invoices.find(({ id }) => id === row.invoiceId)
        if (invoice === undefined) return []
        const { since, failures, nextAttemptOn, failure } = row
        const of = { since: since.toISOString(), failures, next_attempt_on: nextAttemptOn, failure }
        return [{ invoice: presentAdminInvoice(invoice, refundable), ...of }]
      })
      return capped(contract.listFailedPayments.path, query, page, results)
    }),
    route(contract.readInvariants, async () => {
      const invariants = await readInvariants(db)
      return {
        at: deps.clock.now().toISOString(),
        invariants: invariants.map(({ broken, ...each }) => ({ ...each, broken: [...broken] })),
      }
    }),
  ]
}

function acting(deps: BillingDeps): Route[] {
  return [
    route(contract.creditInvoice, async ({ actor, params, body }): Promise<Answered> => {
      const by: Actor = proven(actor)
      const { reason } = body
      return await carryOut(deps, by, await ownerOf(deps, params.id), body.accepted, async (tx) => {
        const { gross } = await creditInvoice(tx, deps, params.id, body.net_cents ?? null)
        return { kind: 'credit_note', invoiceId: params.id, amount: gross, reference: null, reason }
      })
    }),
    route(contract.settleInvoice, async ({ actor, params, body }): Promise<Answered> => {
      const by = proven(actor)
      const { reference, reason } = body
      return await carryOut(deps, by, await ownerOf(deps, params.id), body.accepted, async (tx) => {
        const amount = await settleInvoice(tx, deps, params.id)
        return { kind: 'settlement', invoiceId: params.id, amount, reference, reason }
      })
    }),
    route(contract.retryPayment, async ({ actor, params, body }): Promise<Answered> => {
      const by = proven(actor)
      const { reason } = body
      return await carryOut(deps, by, await ownerOf(deps, params.id), body.accepted, async (tx) => {
        const amount = await retryPayment(tx, deps, params.id)
        return { kind: 'retry', invoiceId: params.id, amount, reference: null, reason }
      })
    }),
    ...refunding(deps),
  ]
}

function refunding(deps: BillingDeps): Route[] {
  return [
    route(contract.refundInvoice, async ({ actor, params, body }): Promise<Answered> => {
      const by = proven(actor)
      const { reason } = body
      return await carryOut(deps, by, await ownerOf(deps, params.id), body.accepted, async (tx) => {
        const { amount } = await startRefund(tx, deps, params.id, body.cents ?? null)
        return { kind: 'refund', invoiceId: params.id, amount, reference: null, reason }
      })
    }),
    route(contract.settleRefund, async ({ actor, params, body }): Promise<Answered> => {
      const by = proven(actor)
      const { reference, reason } = body
      const { customerId } = await findRefunded(deps, params.id)
      return await carryOut(deps, by, customerId, body.accepted, async (tx) => {
        const { invoiceId, amount } = await settleRefund(tx, deps, params.id, { succeeded: true })
        return { kind: 'refund_paid', invoiceId, amount, reference, reason }
      })
    }),
    route(contract.dropRefund, async ({ actor, params, body }): Promise<Answered> => {
      const by = proven(actor)
      const { reason } = body
      const { customerId } = await findRefunded(deps, params.id)
      return await carryOut(deps, by, customerId, body.accepted, async (tx) => {
        const { invoiceId, amount } = await settleRefund(tx, deps, params.id, { succeeded: false, failure: 'dropped' })
        return { kind: 'refund_dropped', invoiceId, amount, reference: null, reason }
      })
    }),
  ]
}

function pricing(deps: BillingDeps): Route[] {
  return [
    route(contract.listPlanLines, async () => {
      const today = dayOf(deps.clock.now())
      const lines = await listTerms(deps.db, null)
      const inForce = termsOf(lines)
      return { today, lines: lines.map((line) => ({ ...presentTerms(line), in_force: inForce(line.plan, today) === line })) }
    }),
    route(contract.changePlan, async ({ actor, body }) => {
      const { plan, from, accepted, ...given } = body
      return await changePlan(deps, proven(actor), { plan, from, change: termsGiven(given), accepted })
    }),
    route(contract.quoteCustomPlan, async ({ actor, params, body }) => {
      const { from, reason, accepted, ...given } = body
      return await quoteCustomPlan(deps, proven(actor), params.id, { from, terms: termsGiven(given), reason, accepted })
    }),
  ]
}
