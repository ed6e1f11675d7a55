import type { user } from 'mangopay4-nodejs-sdk'
import type { Address, Attempt, Customer, Made } from '../port.ts'
import { askOnce } from './ask-once.ts'
import type { MangopayDeps } from './deps.ts'

export async function registerCustomer({ sdk, clock }: MangopayDeps, customer: Customer, attempt: Attempt): Promise<Made> {
  const body = { ...describe(customer), Tag: attempt.tag }
  const made = await askOnce(sdk, clock.now(), attempt, (options) =>
    sdk.Users.create({ ...body } as unknown as user.CreateUserNaturalPayerData, options),
  )
  return made.state === 'done' ? { state: 'made', id: made.body.Id } : made
}

/** Who only pays is asked for a name and an address for mail; who is paid, for what money laundering rules ask. */
function describe({ company, civil, ...person }: Customer): Record<string, unknown> {
  const owner = civil !== null
  const common = {
    Email: person.email,
    UserCategory: owner ? 'OWNER' : 'PAYER',
    TermsAndConditionsAccepted: owner,
  }
  const born = owner ? Date.parse(`${civil.birthday}T00:00:00Z`) / 1000 : undefined
  const address = person.address === null ? undefined : addressOf(person.address)
  if (company === null) {
    return {
      ...common,
      PersonType: 'NATURAL',
      FirstName: person.firstName,
      LastName: person.lastName,
      Address: address,
      ...(owner ? { Birthday: born, Nationality: civil.nationality, CountryOfResidence: civil.residence } : {}),
    }
  }
  return {
    ...common,
    PersonType: 'LEGAL',
    LegalPersonType: { business: 'BUSINESS', organization: 'ORGANIZATION', sole_trader: 'SOLETRADER' }[company.kind],
    Name: company.name,
    CompanyNumber: company.number,
    HeadquartersAddress: address,
    LegalRepresentativeFirstName: person.firstName,
    LegalRepresentativeLastName: person.lastName,
    ...(owner
      ? {
          LegalRepresentativeBirthday: born,
          LegalRepresentativeNationality: civil.nationality,
          LegalRepresentativeCountryOfResidence: civil.residence,
        }
      : {}),
  }
}

export function addressOf({ line1, line2, city, region, postcode, country }: Address) {
  return {
    AddressLine1: line1,
    ...(line2 === null ? {} : { AddressLine2: line2 }),
    City: city,
    ...(region === null ? {} : { Region: region }),
    PostalCode: postcode,
    Country: country as 'FR',
  }
}
