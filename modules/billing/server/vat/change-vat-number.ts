import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { readPayer } from '../../../account/server/index.ts'
import type { VatNumberOnTheWire } from '../../contract/vat-number.ts'
import { decideVat } from '../../domain/invoice/vat.ts'
import { isOfCountry, readVatNumber, type VatNumber } from '../../domain/vat/vat-number.ts'
import { findCustomer, lockCustomerOf } from '../customer/customer-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { checkVatNumber, type VatDeps } from './check-vat-number.ts'
import { findVatNumber, saveVatNumber, type KeptNumber } from './vat-store.ts'

type Deps = Pick<BillingDeps, 'db' | 'clock' | 'vatRate'>
const none: KeptNumber = { vatNumber: null, check: null, checkedAt: null, consultation: null }

/** With the VAT that follows from it, by what the account says of itself today. */
export async function showVatNumber(deps: Deps, { accountId }: Pick<Actor, 'accountId'>): Promise<VatNumberOnTheWire> {
  const customer = await findCustomer(deps.db, accountId)
  const kept = customer === null ? none : await findVatNumber(deps.db, customer.id)
  const values = (await readPayer(deps.db, accountId))?.values
  const country = values?.country ?? null
  const business = values?.user_type === 'legal'
  const vat = country === null ? null : decideVat({ ...kept, business, country }, deps.vatRate)
  return {
    vat_number: kept.vatNumber,
    status: kept.vatNumber === null ? 'none' : (kept.check ?? 'unreachable'),
    checked_at: kept.checkedAt?.toISOString() ?? null,
    consultation: kept.consultation,
    vat_treatment: vat === null ? null : vat.kind === 'wait' ? 'wait' : vat.treatment,
    vat_basis_points: vat?.kind === 'decided' ? vat.rate : null,
  }
}

/**
 * A number, or none any more; it is asked about at once. While the register is silent nothing is invoiced: it is asked again each hour.
 * @throws DomainError `billing.vat_number_invalid` with the code of the field; `billing.profile_incomplete`: nobody knows of which country
 */
export async function changeVatNumber(deps: Deps & VatDeps, actor: Actor, typed: string | null): Promise<VatNumberOnTheWire> {
  const payer = await readPayer(deps.db, actor.accountId)
  const { country = null, user_type: userType = null } = payer?.values ?? {}
  const number = typed === null ? null : await readFor({ country, userType }, typed)
  const customerId = await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const customer = await lockCustomerOf(tx, actor.accountId, now)
    const { vatNumber } = await findVatNumber(tx, customer.id)
    if (vatNumber === (number?.text ?? null)) return customer.id
    await saveVatNumber(tx, customer.id, number?.text ?? null)
    await recordAct(tx, now, {
      action: 'billing.changed_vat_number',
      actor,
      subject: { type: 'user', id: actor.accountId },
      data: { given: number !== null },
    })
    return customer.id
  })
  if (number !== null) await checkVatNumber(deps, { customerId, vatNumber: number.text, checkedAt: null })
  return await showVatNumber(deps, actor)
}

async function readFor(
  { country, userType }: { readonly country: string | null; readonly userType: string | null },
  typed: string,
): Promise<VatNumber> {
  const refuse = (code: string) =>
    Promise.reject(new DomainError('invalid', 'billing.vat_number_invalid', {}, { fields: { vat_number: [code] } }))
  if (country === null || userType === null)
    throw new DomainError('conflict', 'billing.profile_incomplete', {
      missing: country === null ? 'country' : 'user_type',
    })
  if (userType !== 'legal') return await refuse('vat_number_business')
  const number = readVatNumber(typed)
  if (number === null) return await refuse('vat_number_format')
  return isOfCountry(number.text, country) ? number : await refuse('vat_number_country')
}
