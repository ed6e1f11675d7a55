import type { Db, Tx } from '../../../../platform/db/database.ts'
import { readPayee } from '../../../account/server/index.ts'
import { brokenBySelfBill, dayOf, payeeVatFacts, standardRate, vatOf, type PayeeParty } from '../../../billing/server/index.ts'
import { payoutVatOf, type PayoutVat } from '../../domain/vat.ts'
import type { PayoutDeps } from '../keep/deps.ts'

const types = ['business', 'organization', 'soletrader'] as const

/** Who is paid, as he is now; null: there is no such account any more. */
export async function readParty(db: Db | Tx, userId: string): Promise<PayeeParty | null> {
  const payee = await readPayee(db, userId)
  if (payee === null) return null
  const { values, email } = payee
  const { vatNumber } = await payeeVatFacts(db, userId)
  const business = values.user_type === 'legal'
  return {
    business,
    name: `${values.first_name ?? ''} ${values.last_name ?? ''}`.trim(),
    company_name: business ? values.company_name : null,
    company_number: business ? values.company_number : null,
    company_type: types.find((each) => each === values.company_type) ?? null,
    vat_number: business ? vatNumber : null,
    address: values.address ?? '',
    zip: values.zip ?? '',
    city: values.city ?? '',
    country: values.country ?? '',
    email,
  }
}

export async function readVat(db: Db | Tx, userId: string, party: PayeeParty | null): Promise<PayoutVat> {
  const { vatNumber, valid } = await payeeVatFacts(db, userId)
  return payoutVatOf({ business: party?.business === true, country: party?.country ?? '', vatNumber, valid }, standardRate)
}

/** Whether an invoice could be made out for him of so much; of whoever invoices no VAT none is. */
export async function isBillable(
  db: Db | Tx,
  deps: Pick<PayoutDeps, 'clock' | 'seller'>,
  userId: string,
  netCents: number,
): Promise<boolean> {
  const party = await readParty(db, userId)
  const vat = await readVat(db, userId, party)
  if (party === null || vat.treatment === 'none') return true
  const vatCents = vatOf(netCents, vat.rate)
  const today = dayOf(deps.clock.now())
  const broken = brokenBySelfBill({
    kind: 'self_billed',
    payee: party,
    operator: deps.seller,
    paidOn: today,
    period: { from: today, to: today },
    earned: [{ source: 'referral', cents: netCents }],
    vat: { treatment: vat.treatment, rate: vat.rate },
    amount: { net: netCents, vat: vatCents, gross: netCents + vatCents },
    credits: null,
    test: false,
  })
  return broken.length === 0
}
