import { ApiError, notFound } from '../world/api-error.ts'
import type { User } from '../world/entities.ts'
import type { Form } from '../world/form.ts'
import type { World } from '../world/world.ts'
import { type Call, formOf, List, param, route } from './route.ts'

const email = { pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/, says: 'The field Email is not a valid e-mail address.' }

/** A payer gives a name and an address for mail; an owner what money laundering rules ask of who is paid. */
function naturalFields(form: Form, owner: boolean): Record<string, unknown> {
  return {
    FirstName: form.text('FirstName', { max: 100 }),
    LastName: form.text('LastName', { max: 100 }),
    Email: form.text('Email', email),
    Address: form.optionalAddress('Address'),
    Birthday: owner ? form.instant('Birthday') : (form.body['Birthday'] ?? null),
    Nationality: owner ? form.country('Nationality') : (form.body['Nationality'] ?? null),
    CountryOfResidence: owner ? form.country('CountryOfResidence') : (form.body['CountryOfResidence'] ?? null),
    Occupation: form.optionalText('Occupation'),
    IncomeRange: form.body['IncomeRange'] ?? null,
    ProofOfIdentity: null,
    ProofOfAddress: null,
    Capacity: 'NORMAL',
  }
}

function legalFields(form: Form, owner: boolean): Record<string, unknown> {
  return {
    Name: form.text('Name'),
    LegalPersonType: form.oneOf('LegalPersonType', ['BUSINESS', 'ORGANIZATION', 'SOLETRADER', 'PARTNERSHIP']),
    Email: form.text('Email', email),
    HeadquartersAddress: owner ? form.address('HeadquartersAddress') : form.optionalAddress('HeadquartersAddress'),
    LegalRepresentativeFirstName: form.text('LegalRepresentativeFirstName', { max: 100 }),
    LegalRepresentativeLastName: form.text('LegalRepresentativeLastName', { max: 100 }),
    LegalRepresentativeEmail: form.optionalText('LegalRepresentativeEmail', email),
    LegalRepresentativeAddress: form.optionalAddress('LegalRepresentativeAddress'),
    LegalRepresentativeBirthday: owner ? form.instant('LegalRepresentativeBirthday') : null,
    LegalRepresentativeNationality: owner ? form.country('LegalRepresentativeNationality') : null,
    LegalRepresentativeCountryOfResidence: owner ? form.country('LegalRepresentativeCountryOfResidence') : null,
    CompanyNumber: owner ? form.text('CompanyNumber') : form.optionalText('CompanyNumber'),
    ProofOfRegistration: null,
    ShareholderDeclaration: null,
    Statute: null,
  }
}

function createUser(call: Call, PersonType: User['PersonType']): User {
  const form = formOf(call)
  const UserCategory = form.oneOf('UserCategory', ['PAYER', 'OWNER'], 'OWNER')
  const owner = UserCategory === 'OWNER'
  const fields = PersonType === 'NATURAL' ? naturalFields(form, owner) : legalFields(form, owner)
  const accepted = call.body['TermsAndConditionsAccepted'] === true
  if (owner && !accepted) form.wrong('TermsAndConditionsAccepted', 'The TermsAndConditionsAccepted must be true for an OWNER')
  const Tag = form.tag()
  form.check()
  return call.world.add('user', {
    ...fields,
    Tag,
    PersonType,
    UserCategory,
    KYCLevel: 'LIGHT',
    Email: String(fields['Email']),
    TermsAndConditionsAccepted: accepted,
    TermsAndConditionsAcceptedDate: accepted ? call.world.now() : null,
    UserStatus: 'ACTIVE',
  })
}

/** What is sent replaces what was; a category may rise and never falls. */
function saveUser(call: Call, PersonType: User['PersonType']): User {
  const user = personOf(call.world, param(call, 'id'), PersonType)
  const merged = { ...user, ...call.body }
  const form = formOf({ ...call, body: merged })
  const UserCategory = form.oneOf('UserCategory', user.UserCategory === 'OWNER' ? ['OWNER'] : ['PAYER', 'OWNER'])
  const owner = UserCategory === 'OWNER'
  const fields = PersonType === 'NATURAL' ? naturalFields(form, owner) : legalFields(form, owner)
  const Tag = form.tag()
  form.check()
  Object.assign(user, fields, { Tag, UserCategory, TermsAndConditionsAccepted: merged.TermsAndConditionsAccepted })
  return user
}

function personOf(world: World, id: string, PersonType: User['PersonType']): User {
  const user = world.find('user', id)
  if (user?.PersonType !== PersonType) throw notFound('User', id)
  return user
}

/** @throws the provider's refusal of an action by whom it only knows as a payer */
export function ownerOf(world: World, id: string): User {
  const user = world.get('user', id)
  if (user.UserCategory !== 'OWNER') {
    throw new ApiError(403, 'forbidden_ressource', 'You are not allowed to perform this action.', {
      UserCategory: 'The user must be an OWNER',
    })
  }
  return user
}

function createWallet(call: Call): unknown {
  const form = formOf(call)
  const owners = call.body['Owners']
  const owner = Array.isArray(owners) && owners.length === 1 ? (owners[0] as unknown) : undefined
  if (call.world.find('user', owner) === undefined) form.wrong('Owners', 'The Owners field must name one existing user')
  const Currency = form.currency('Currency')
  const Description = form.text('Description')
  const Tag = form.tag()
  form.check()
  const Balance = { Currency, Amount: 0 }
  return call.world.add('wallet', { Tag, Owners: [String(owner)], Description, Currency, Balance, FundsType: 'DEFAULT' })
}

export const userRoutes = [
  route('POST users/natural', (call) => createUser(call, 'NATURAL')),
  route('POST users/legal', (call) => createUser(call, 'LEGAL')),
  route('PUT users/natural/:id', (call) => saveUser(call, 'NATURAL')),
  route('PUT users/legal/:id', (call) => saveUser(call, 'LEGAL')),
  route('GET users/natural/:id', (call) => personOf(call.world, param(call, 'id'), 'NATURAL')),
  route('GET users/legal/:id', (call) => personOf(call.world, param(call, 'id'), 'LEGAL')),
  route('GET users', ({ world }) => new List(world.list('user'))),
  route('GET users/:id', (call) => call.world.get('user', param(call, 'id'))),
  route('GET users/:id/wallets', (call) => {
    const user = call.world.get('user', param(call, 'id'))
    return new List(call.world.list('wallet').filter(({ Owners }) => Owners.includes(user.Id)))
  }),
  route('GET users/:id/cards', (call) => {
    const user = call.world.get('user', param(call, 'id'))
    return new List(call.world.list('card').filter(({ UserId }) => UserId === user.Id))
  }),
  route('GET users/:id/transactions', (call) => {
    const user = call.world.get('user', param(call, 'id'))
    return new List(
      call.world.list('transaction').filter(({ AuthorId, CreditedUserId }) => AuthorId === user.Id || CreditedUserId === user.Id),
    )
  }),
  route('POST wallets', createWallet),
  route('GET wallets/:id', (call) => call.world.get('wallet', param(call, 'id'))),
  route('PUT wallets/:id', (call) => {
    const wallet = call.world.get('wallet', param(call, 'id'))
    const form = formOf(call)
    const Description = form.optionalText('Description') ?? wallet.Description
    const Tag = 'Tag' in call.body ? form.tag() : wallet.Tag
    form.check()
    return Object.assign(wallet, { Description, Tag })
  }),
  route('GET wallets/:id/transactions', (call) => {
    const { Id } = call.world.get('wallet', param(call, 'id'))
    return new List(call.world.list('transaction').filter((one) => one.CreditedWalletId === Id || one.DebitedWalletId === Id))
  }),
]
