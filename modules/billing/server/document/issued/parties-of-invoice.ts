import { sirenIn, spacedSiren } from '../../../domain/document/rules/identifiers.ts'
import type { Buyer, Party } from '../../../domain/document/invoice-document.ts'
import type { Seller } from '../../seller/deps.ts'
import type { SellerFacts } from '../write/invoice-facts.ts'

/** Whom an invoice is addressed to, as it was kept with it. */
export type KeptBuyer = {
  readonly business: boolean
  readonly name: string
  readonly company_name: string | null
  readonly company_number: string | null
  readonly vat_number: string | null
  readonly address: string
  readonly zip: string
  readonly city: string
  readonly country: string
  readonly email: string
}

const bare = (text: string): string => text.replaceAll(/[\s.-]/g, '')
const linesOf = (address: string): readonly string[] =>
  address
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function sellerOf(seller: Omit<Seller, 'iban' | 'bic'>): SellerFacts {
  const siren = bare(seller.siren)
  return {
    name: seller.name,
    registration: { scheme: '0002', id: siren },
    vatId: bare(seller.vatId).toUpperCase(),
    address: { lines: linesOf(seller.address), postcode: seller.zip, city: seller.city, country: seller.country },
    electronic: { scheme: '0225', id: siren },
    legal: { form: seller.legalForm, capital: seller.capital, register: `${seller.register} ${spacedSiren(siren)}` },
  }
}

/** In the French register by SIREN, or by SIRET, whose first nine digits it is (BR-FR-09); in another by what it was said to be. */
function registrationOf({ company_number: number }: KeptBuyer): Party['registration'] {
  if (number === null || number.trim() === '') return null
  const siren = sirenIn(number)
  return siren === null ? { scheme: null, id: number.trim() } : { scheme: '0002', id: siren }
}

export function buyerOf(buyer: KeptBuyer): Buyer {
  const registration = buyer.business ? registrationOf(buyer) : null
  const isFrench = registration?.scheme === '0002'
  const company = buyer.company_name?.trim() ?? ''
  return {
    kind: buyer.business ? 'business' : 'private',
    name: buyer.business && company !== '' ? company : buyer.name,
    registration,
    vatId: buyer.business && buyer.vat_number !== null ? bare(buyer.vat_number).toUpperCase() : null,
    address: { lines: linesOf(buyer.address), postcode: buyer.zip, city: buyer.city, country: buyer.country },
    electronic: isFrench ? { scheme: '0225', id: registration.id } : { scheme: 'EM', id: buyer.email },
  }
}
