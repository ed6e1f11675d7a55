/** Public face of the billing module on the server. */
export { exportOwnedInvoices } from './calls/export-invoices.ts'
export { endCustomer } from './ending/end-customer.ts'
export { billingCrontab, billingHandlers } from './handlers.ts'
export { billingRoutes, planRoutes } from './routes.ts'
export { billingJobs } from './run/jobs.ts'
export { openProvider } from './provider/open-provider.ts'
export { listPlans, setPlan, type PlanChange } from './plan/set-plan.ts'
