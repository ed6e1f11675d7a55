import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { readPayer, readPayers } from '../../../account/server/index.ts'
import { decideVat, type VatDecision } from '../../domain/invoice/vat.ts'
import type { BasisPoints } from '../../domain/money/money.ts'
import { isInFrenchRegister, sirenIn } from '../../domain/document/rules/identifiers.ts'
import type { Customer } from './customer-store.ts'

/** Whom an invoice is addressed to, as he is when it is made. */
export type Buyer = {
  readonly business: boolean
  readonly name: string
  readonly company_name: string | null
  readonly company_number: string | null
  readonly vat_number: string | null
  readonly address: string
  readonly zip: string
  readonly city: string
  readonly region: string | null
  readonly country: string
  readonly locale: string
  /** His own, or his firm's: where platforms of invoices reach him who is in no French register (BT-49). */
  readonly email: string
}

/** @throws DomainError `billing.profile_incomplete` (V-45), with what is missing; `billing.siren_missing`: a French firm has one (C. com., art. L441-9; BR-FR-11) */
export async function readBuyer(tx: Tx, customer: Customer): Promise<Buyer> {
  return buyerOf(customer, customer.userId === null ? null : await readPayer(tx, customer.userId))
}

/** Of several customers at once; who cannot be invoiced now is left out. */
export async function readBuyers(tx: Tx, customers: readonly Customer[]): Promise<ReadonlyMap<string, Buyer>> {
  const payers = await readPayers(
    tx,
    customers.flatMap(({ userId }) => userId ?? []),
  )
  const buyers = new Map<string, Buyer>()
  for (const customer of customers)
    try {
      buyers.set(customer.id, buyerOf(customer, payers.get(customer.userId ?? '') ?? null))
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
  return buyers
}

function buyerOf(customer: Customer, payer: Awaited<ReturnType<typeof readPayer>>): Buyer {
  if (payer === null) throw new DomainError('conflict', 'billing.account_closed')
  const { values, missing, locale, email } = payer
  if (missing.length > 0) throw new DomainError('conflict', 'billing.profile_incomplete', { missing: missing.join(', ') })
  const business = values.user_type === 'legal'
  if (business && isInFrenchRegister(values.country ?? '') && sirenIn(values.company_number) === null)
    throw new DomainError('conflict', 'billing.siren_missing')
  return {
    business,
    name: `${values.first_name ?? ''} ${values.last_name ?? ''}`.trim(),
    company_name: values.company_name,
    company_number: values.company_number,
    vat_number: customer.vatNumber,
    address: values.address ?? '',
    zip: values.zip ?? '',
    city: values.city ?? '',
    region: values.region,
    country: values.country ?? '',
    locale,
    email: (business ? values.company_email : null) ?? email,
  }
}

/** H-33: what is still to be filled in of the profile before that account can be invoiced. */
export async function missingOf(tx: Tx, accountId: string): Promise<readonly string[]> {
  return (await readPayer(tx, accountId))?.missing ?? []
}

export function vatFor(customer: Customer, { business, country }: Buyer, rate: BasisPoints | undefined): VatDecision {
  return decideVat({ business, country, vatNumber: customer.vatNumber, check: customer.vatCheck }, rate)
}
