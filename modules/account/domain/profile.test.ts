import { describe, expect, test } from 'vitest'
import en from '../messages/en.json' with { type: 'json' }
import { readOwners, type TypedOwner } from './beneficial-owners.ts'
import { birthDateFault } from './birth-date.ts'
import { countriesIn, countryCodes } from './countries.ts'
import { changeProfile, missingFor, profileFieldNames, readField, type ProfileValues } from './profile.ts'

const today = '2026-03-01'
const empty = Object.fromEntries(profileFieldNames.map((field) => [field, null])) as Record<keyof ProfileValues, null>
const person: ProfileValues = { ...empty, first_name: 'Claire', last_name: 'Dupont' }
const address = { address: '1 rue de la Paix', zip: '75002', city: 'Paris', country: 'FR' }

describe('countries', () => {
  test('are those of ISO 3166-1 that the machine’s own data know, with names in both languages', () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
    const known = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => names.of(code) !== undefined)
    expect(countryCodes.filter((code) => !known.includes(code))).toEqual([])
    // What CLDR names besides: codes exceptionally or formerly reserved, groups of countries, tests, places without a code.
    const besides = known.filter((code) => !countryCodes.includes(code))
    const canonical = besides.filter((code) => new Intl.Locale(`und-${code}`).region === code)
    expect(canonical).toEqual(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'XK', 'ZZ'])
    for (const language of ['en', 'fr']) {
      const list = countriesIn(language)
      expect(list).toHaveLength(249)
      expect(list.filter(({ code, name }) => name === code || name.length < 3)).toEqual([])
    }
    expect(countriesIn('fr').find(({ code }) => code === 'DE')?.name).toBe('Allemagne')
  })
})

describe('V-13 V-14 the date of birth', () => {
  test.each([
    ['1980-02-29', null],
    ['2026-02-28', null],
    ['2026-03-01', 'birth_date_past'],
    ['2100-01-01', 'birth_date_past'],
    ['1981-02-29', 'birth_date_format'],
    ['1900-02-29', 'birth_date_format'],
    ['2000-02-29', null],
    ['1980-13-01', 'birth_date_format'],
    ['1980-00-10', 'birth_date_format'],
    ['1980-01-00', 'birth_date_format'],
    ['1880-01-01', 'birth_date_format'],
    ['01/02/1980', 'birth_date_format'],
    ['1980-1-1', 'birth_date_format'],
  ] as const)('%s', (typed, fault) => expect(birthDateFault(typed, today)).toBe(fault))
})

describe('fields', () => {
  test.each([
    ['E-09', 'mobile_phone', '06 12 34 56 78', { value: '+33612345678' }],
    ['E-09', 'fixed_phone', '+44 20 7946 0958', { value: '+442079460958' }],
    ['E-09', 'fixed_phone', '+33 1', { fault: 'phone_invalid' }],
    ['E-09', 'fixed_phone', 'call +33142685300', { fault: 'phone_invalid' }],
    ['V-15', 'company_email', ' Contact@Bücher.example ', { value: 'Contact@xn--bcher-kva.example' }],
    ['V-15', 'company_email', 'nobody', { fault: 'company_email_invalid' }],
    ['E-07', 'zip', 'SW1A 1AA', { value: 'SW1A 1AA' }],
    ['E-07', 'zip', '<1>', { fault: 'zip_invalid' }],
    ['E-07', 'country', 'ZZ', { fault: 'country_unknown' }],
    ['E-07', 'city', 'Aix  en\tProvence', { value: 'Aix en Provence' }],
    ['E-07', 'city', 'a\u200Bb', { fault: 'characters' }],
    ['E-07', 'address', 'x'.repeat(301), { fault: 'too_long' }],
    ['E-05', 'first_name', 'http://x', { fault: 'name_characters' }],
    ['E-04', 'civility', 'Doctor', { fault: 'choice_unknown' }],
  ] as const)('%s %s %s', (_, field, typed, answer) => {
    expect(readField(field, typed, { today, country: 'FR' })).toEqual(answer)
  })

  test('V-12 every field that may be missing has a sentence of its own', () => {
    const messages: Readonly<Record<string, string>> = en
    const company: ProfileValues = { ...empty, user_type: 'legal', company_type: 'business' }
    const missing = [
      ...missingFor('payout', { values: { ...company, company_type: null }, owners: 0, hasBankAccount: false }),
      ...missingFor('payout', { values: company, owners: 0, hasBankAccount: false }),
    ]
    const sentences = new Set(missing.map((field) => messages[`account.field.${field}_required`]))
    expect(sentences.size).toBe(new Set(missing).size)
    for (const sentence of sentences) expect(sentence).toMatch(/^Please enter /)
  })
})

describe('a change', () => {
  test('looks at what is sent alone, and keeps the rest', () => {
    const { values, faults, changed } = changeProfile(person, { city: ' Lyon ' }, today)
    expect({ faults, changed, city: values.city }).toEqual({ faults: {}, changed: ['city'], city: 'Lyon' })
  })

  test('E-03 the kind of user stays once it is saved', () => {
    const natural = changeProfile(person, { user_type: 'natural' }, today).values
    expect(changeProfile(natural, { user_type: 'natural' }, today).faults).toEqual({})
    for (const user_type of ['legal', null, '']) {
      expect(changeProfile(natural, { user_type }, today).faults).toEqual({ user_type: ['user_type_fixed'] })
    }
  })

  test('V-12 P-07 a required field is not emptied; of a company only where there is one', () => {
    const required = (user_type: string, fields: Record<string, null>) =>
      Object.values(changeProfile({ ...person, user_type }, fields, today).faults).flat()
    const all = Object.fromEntries(profileFieldNames.filter((field) => field !== 'user_type').map((field) => [field, null]))
    expect(required('natural', all)).toEqual(
      ['first_name', 'last_name', 'address', 'zip', 'city', 'country'].map((field) => `${field}_required`),
    )
    expect(required('legal', all)).toContain('company_number_required')
    expect(changeProfile({ ...person, user_type: 'natural' }, { company_name: 'A' }, today).faults).toEqual({
      company_name: ['not_for_natural'],
    })
  })

  test('reads a telephone number in the country that is sent with it', () => {
    const { values } = changeProfile({ ...person, country: 'FR' }, { country: 'BE', fixed_phone: '02 555 12 12' }, today)
    expect(values.fixed_phone).toBe('+3225551212')
  })
})

describe('H-33 V-45 a complete profile', () => {
  const complete = (values: ProfileValues, owners = 0, hasBankAccount = true) => ({ values, owners, hasBankAccount })

  test('of a person, to be invoiced: names and address', () => {
    expect(missingFor('payment', complete({ ...person, user_type: 'natural', ...address }))).toEqual([])
    expect(missingFor('payment', complete(person))).toEqual(['user_type', 'address', 'zip', 'city', 'country'])
  })

  test('of a company also its name, number and address of mail', () => {
    const company = { ...person, ...address, user_type: 'legal' }
    expect(missingFor('payment', complete(company))).toEqual(['company_name', 'company_email', 'company_number'])
  })

  test('to be paid: what identifies the person, the bank account, and who owns a business', () => {
    const natural = { ...person, ...address, user_type: 'natural' }
    expect(missingFor('payout', complete(natural, 0, false))).toEqual([
      'birth_date',
      'birth_country',
      'nationality',
      'bank_account',
    ])
    const named = Object.fromEntries(profileFieldNames.map((field) => [field, person[field] ?? 'x'])) as ProfileValues
    const business = { ...named, user_type: 'legal', company_type: 'business' }
    expect(missingFor('payout', complete(business))).toEqual(['beneficial_owners'])
    expect(missingFor('payout', complete(business, 1))).toEqual([])
    expect(missingFor('payout', complete({ ...business, company_type: 'soletrader' }))).toEqual([])
  })
})

describe('H-31 beneficial owners', () => {
  const owner: TypedOwner = {
    first_name: 'Ada',
    last_name: 'Martin',
    birth_date: '1970-05-06',
    birth_city: 'Nantes',
    birth_country: 'FR',
    nationality: 'FR',
    address: '2 quai de la Fosse, Nantes',
    share_percent: 33.333,
  }
  const faultsOf = (owners: readonly TypedOwner[]) => {
    const read = readOwners(owners, today)
    return 'faults' in read ? read.faults : {}
  }

  test('are at most four, and hold a hundred percent at most', () => {
    expect(readOwners([owner], today)).toEqual({ owners: [{ ...owner, share_percent: 33.33 }] })
    expect(faultsOf(Array.from({ length: 5 }, () => owner))).toEqual({ beneficial_owners: ['owners_too_many'] })
    expect(faultsOf([owner, { ...owner, share_percent: 66.68 }])).toEqual({ beneficial_owners: ['share_total'] })
    expect(faultsOf([owner, { ...owner, share_percent: 66.67 }])).toEqual({})
  })

  test('each field of each owner tells what it lacks', () => {
    expect(faultsOf([owner, {}])).toMatchObject({
      'beneficial_owners.1.first_name': ['first_name_required'],
      'beneficial_owners.1.birth_city': ['birth_city_required'],
      'beneficial_owners.1.share_percent': ['share_required'],
    })
    expect(faultsOf([{ ...owner, share_percent: 0, birth_date: '2030-01-01', nationality: 'xx' }])).toEqual({
      'beneficial_owners.0.birth_date': ['birth_date_past'],
      'beneficial_owners.0.nationality': ['country_unknown'],
      'beneficial_owners.0.share_percent': ['share_range'],
    })
  })
})
