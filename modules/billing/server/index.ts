/** Public face of the billing module on the server. */
export { exportFec } from './accounting/export-fec.ts'
export { exportOwnedInvoices } from './calls/export-invoices.ts'
export { endCustomer } from './ending/end-customer.ts'
export { endPurchases } from './ending/end-purchases.ts'
export { dropPurchase } from './purchase/drop-purchase.ts'
export { holdPayer, openPurchase } from './purchase/open-purchase.ts'
export { listPurchases } from './purchase/purchase-store.ts'
export type { BillingDeps, Purchased } from './seller/deps.ts'
export { holdPayerOf, spend } from './spending/spend.ts'
export { billingCrontab, billingHandlers } from './handlers.ts'
export { billingRoutes, planRoutes } from './routes.ts'
export { viesRegister } from './vat/vies-register.ts'
export { billingJobs } from './run/jobs.ts'
export { endMandateOf } from './payment/means/end-mandate.ts'
export { subscribeJob } from './payment/means/jobs.ts'
export { importTransfers } from './payment/notices/import-transfers.ts'
export { paymentRoutes } from './payment/routes.ts'
export { realmOf } from './provider/mangopay/mangopay-provider.ts'
export { openProvider } from './provider/mangopay/open-provider.ts'
export { readInvariants, type Reading } from './invariants/invariant-store.ts'
export { describePrices } from './plan/describe-prices.ts'
export { listPlans, setPlan, type PlanChange } from './plan/set-plan.ts'
export { priced } from '../domain/money/money.ts'
export { standardRate } from '../domain/invoice/vat.ts'
export { findSettled, type Settled } from './calls/settled-store.ts'
export { postPayeeEntry } from './payee/post-payee-entry.ts'
export { dayOf, monthsAfter, addDays } from '../domain/calendar/calendar.ts'
export { vatOf } from '../domain/money/money.ts'
export type { PaymentProvider, Outcome, Attempt, BankAccount, DocumentKind, Found } from './provider/port.ts'
export { doOrShow, Shown } from './seller/do-or-show.ts'
export { nameOfShown } from './admin/consequence.ts'
export { payeeVatFacts } from './payee/vat-facts.ts'
export {
  brokenBySelfBill,
  makeSelfBill,
  takeSelfBill,
  type PayeeParty,
  type SelfBill,
  type SelfBillKind,
  type TakenBill,
} from './payee/self-bill.ts'
export { partyBox } from './document/page/parties.ts'
export { runningOf } from './document/page/running.ts'
export { documentWords } from './document/words/document-words.ts'
export { InvoiceBreaksRules } from './issue/assert-issuable.ts'
export type { Seller } from './seller/deps.ts'
export { sellerOf, buyerOf } from './document/issued/parties-of-invoice.ts'
export type { MakeInvoicesDeps } from './document/make-invoices.ts'
