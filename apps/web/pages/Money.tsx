/** What is seen of money outside the account: one chunk. */
export { PaymentReturnPage } from '../../../modules/billing/web/pages/PaymentReturnPage.tsx'
export { PlansPage } from '../../../modules/billing/web/pages/PlansPage.tsx'
