import { DomainError } from '../../../../../kernel/errors.ts'
import { readPayer } from '../../../../account/server/index.ts'
import type { AccountHolder, Address, Customer } from '../../provider/port.ts'
import type { Customer as Payer } from '../../customer/customer-store.ts'
import { made, newKey, providerOf, type PaymentDeps } from './deps.ts'
import { findKnown, noteCustomer, renewKey, setReference } from './customer-store.ts'

/** The provider forgets a key after a day; two customers for one payer cost nobody anything. */
const keyLife = 23 * 3_600_000
const kinds = { business: 'business', organization: 'organization', soletrader: 'sole_trader' } as const

/** Whom the provider is told of: no more than an invoice needs (V-45). */
export type Described = { readonly customer: Customer; readonly holder: AccountHolder }

/** @throws DomainError `billing.profile_incomplete`, `billing.account_closed` */
export async function describePayer(db: PaymentDeps['db'], { userId }: Pick<Payer, 'userId'>): Promise<Described> {
  const payer = userId === null ? null : await readPayer(db, userId)
  if (payer === null) throw new DomainError('conflict', 'billing.account_closed')
  const { values, missing, email } = payer
  if (missing.length > 0 || email === null)
    throw new DomainError('conflict', 'billing.profile_incomplete', { missing: missing.join(', ') })
  const address: Address = {
    line1: values.address ?? '',
    line2: null,
    city: values.city ?? '',
    region: values.region,
    postcode: values.zip ?? '',
    country: values.country ?? '',
  }
  const [firstName, lastName] = [values.first_name ?? '', values.last_name ?? '']
  const isLegal = values.user_type === 'legal'
  const company = {
    name: values.company_name ?? '',
    number: values.company_number ?? '',
    kind: kinds[(values.company_type ?? 'business') as keyof typeof kinds],
  }
  return {
    customer: { firstName, lastName, email, address, company: isLegal ? company : null, civil: null },
    holder: { name: `${firstName} ${lastName}`.trim(), address },
  }
}

/**
 * Made known to the provider once: the key is noted before he is asked, so whoever asks again, from wherever, asks for the same.
 * @returns his name there
 * @throws DomainError `billing.profile_incomplete`, `billing.means_unavailable`, `billing.provider_unavailable`, `billing.refusal.…`
 */
export async function knowCustomer(deps: PaymentDeps, payer: Pick<Payer, 'id' | 'userId'>): Promise<string> {
  const provider = providerOf(deps)
  const { db, clock } = deps
  const { realm } = provider
  const before = await findKnown(db, payer.id, realm)
  if (before !== null && before.reference !== null) return before.reference
  const { customer } = await describePayer(db, payer)
  let known = before ?? (await noteCustomer(db, payer.id, realm, newKey(), clock.now()))
  if (clock.now().getTime() - known.askedAt.getTime() > keyLife) {
    await renewKey(db, payer.id, realm, known.key, newKey(), clock.now())
    known = await noteCustomer(db, payer.id, realm, newKey(), clock.now())
  }
  if (known.reference !== null) return known.reference
  const attempt = { key: known.key, tag: `customer ${payer.id}`, since: known.askedAt }
  const { id } = made(await provider.registerCustomer(customer, attempt))
  await setReference(db, payer.id, realm, id)
  return id
}
