import type { Address, Buyer, Party, Seller } from '../invoice-document.ts'
import { element, type XmlNode } from './xml.ts'

/** BG-5, BG-8: three lines at most; what is more stands on the third. */
function address({ lines, postcode, city, country }: Address): XmlNode | null {
  const [one = null, two = null, ...more] = lines
  return element('ram:PostalTradeAddress', [
    element('ram:PostcodeCode', postcode === '' ? null : postcode),
    element('ram:LineOne', one),
    element('ram:LineTwo', two),
    element('ram:LineThree', more.length === 0 ? null : more.join(', ')),
    element('ram:CityName', city),
    element('ram:CountryID', country),
  ])
}

function party(name: string, of: Party, legalText: string | null): XmlNode | null {
  const { registration, electronic, vatId } = of
  const scheme = registration?.scheme ?? null
  return element(name, [
    element('ram:Name', of.name),
    element('ram:Description', legalText),
    element('ram:SpecifiedLegalOrganization', [
      element('ram:ID', registration?.id ?? null, scheme === null ? {} : { schemeID: scheme }),
    ]),
    address(of.address),
    element('ram:URIUniversalCommunication', [
      electronic === null ? null : element('ram:URIID', electronic.id, { schemeID: electronic.scheme }),
    ]),
    element('ram:SpecifiedTaxRegistration', [element('ram:ID', vatId, { schemeID: 'VA' })]),
  ])
}

export const sellerParty = (seller: Seller): XmlNode | null => party('ram:SellerTradeParty', seller, seller.legalText)
export const buyerParty = (buyer: Buyer): XmlNode | null => party('ram:BuyerTradeParty', buyer, null)
