import type { Db, Tx } from '../../../../platform/db/database.ts'
import { dayOf, standardRate, type SelfBill, type SelfBillKind } from '../../../billing/server/index.ts'
import { isTest, type PayoutDeps } from '../keep/deps.ts'
import type { Payout } from '../keep/payout-store.ts'
import { listBills, sumEarned } from './bill-store.ts'

/** What the invoice of a payout says; null: its payee invoices no VAT, or is forgotten. */
export async function billOfPayout(
  db: Db | Tx,
  { seller, provider }: Pick<PayoutDeps, 'seller' | 'provider'>,
  payout: Payout,
  kind: SelfBillKind,
): Promise<SelfBill | null> {
  const { payee, vatTreatment: treatment, netCents: net, vatCents: vat, grossCents: gross } = payout
  if (payee === null || treatment === 'none' || payout.settledAt === null) return null
  const first = (await listBills(db, payout.id)).find((each) => each.kind === 'self_billed')
  return {
    kind,
    payee,
    operator: operatorOf(seller),
    paidOn: dayOf(payout.settledAt),
    ...(await sumEarned(db, payout.id)),
    vat: { treatment, rate: treatment === 'standard' ? standardRate : 0 },
    amount: { net, vat, gross },
    credits: kind === 'self_billed' || first === undefined ? null : { number: first.number, issuedOn: first.issuedOn },
    test: isTest({ provider }, payout),
  }
}

/** Its own account is no business of those whom it pays. */
function operatorOf(seller: PayoutDeps['seller']): SelfBill['operator'] {
  const { iban: _, bic: __, ...operator } = seller
  return operator
}
