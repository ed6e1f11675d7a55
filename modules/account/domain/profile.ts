import { parseEmailAddress } from '../../../kernel/email-address.ts'
import { personNameFault } from '../../../kernel/person-name.ts'
import { birthDateFault } from './birth-date.ts'
import { isCountryCode } from './countries.ts'
import { readPhoneNumber } from './phone-number.ts'
import { textFault, tidy } from './plain-text.ts'

export const userTypes = ['natural', 'legal'] as const
export const civilities = ['Mister', 'Madame', 'Other'] as const
export const companyTypes = ['business', 'organization', 'soletrader'] as const

/** What a field holds, and by that which rule it obeys. */
type Kind =
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'person' | 'country' | 'date' | 'phone' | 'email' | 'zip' }
  | { readonly kind: 'text'; readonly longest: number }

const text = (longest: number) => ({ kind: 'text', longest }) as const

/**
 * E-03…E-13, in the order of the form, under the names that the wire and the table have for them. The names of the person are
 * the account's own.
 */
export const profileFields = {
  user_type: { kind: 'choice', of: userTypes },
  civility: { kind: 'choice', of: civilities },
  first_name: { kind: 'person' },
  last_name: { kind: 'person' },
  birth_date: { kind: 'date' },
  birth_city: text(100),
  birth_country: { kind: 'country' },
  nationality: { kind: 'country' },
  address: text(300),
  zip: { kind: 'zip' },
  city: text(100),
  region: text(100),
  country: { kind: 'country' },
  fixed_phone: { kind: 'phone' },
  mobile_phone: { kind: 'phone' },
  company_type: { kind: 'choice', of: companyTypes },
  company_name: text(200),
  company_email: { kind: 'email' },
  company_number: text(60),
  company_address: text(300),
  representative_first_name: { kind: 'person' },
  representative_last_name: { kind: 'person' },
} as const satisfies Readonly<Record<string, Kind>>
export type ProfileField = keyof typeof profileFields
export const profileFieldNames = Object.keys(profileFields) as readonly ProfileField[]

/** Of legal entities alone (P-07). */
export function isLegalField(field: ProfileField): boolean {
  return field.startsWith('company_') || field.startsWith('representative_')
}

/** null: not given yet. */
export type ProfileValues = Readonly<Record<ProfileField, string | null>>

export type FieldFault =
  | `${ProfileField}_required`
  | 'choice_unknown'
  | 'user_type_fixed'
  | 'not_for_natural'
  | 'name_too_long'
  | 'name_characters'
  | 'birth_date_format'
  | 'birth_date_past'
  | 'country_unknown'
  | 'phone_invalid'
  | 'company_email_invalid'
  | 'zip_invalid'
  | 'too_long'
  | 'characters'

/** Why fields are asked for: to be invoiced (H-33), or to be paid, which also asks what providers must know (H-31, H-33). */
export type Purpose = 'payment' | 'payout'

const forPayment: readonly ProfileField[] = ['first_name', 'last_name', 'address', 'zip', 'city', 'country']
const ofCompany: readonly ProfileField[] = ['company_name', 'company_number', 'company_email']
const forPayout: readonly ProfileField[] = ['birth_date', 'birth_country', 'nationality']
const ofPaidCompany: readonly ProfileField[] = [
  'company_type',
  'company_address',
  'representative_first_name',
  'representative_last_name',
]

export function requiredFields(userType: string | null, purpose: Purpose): readonly ProfileField[] {
  const wanted = new Set<ProfileField>(['user_type', ...forPayment])
  const legal = userType === 'legal'
  if (legal) for (const field of ofCompany) wanted.add(field)
  if (purpose === 'payout') {
    for (const field of forPayout) wanted.add(field)
    if (legal) for (const field of ofPaidCompany) wanted.add(field)
  }
  return profileFieldNames.filter((field) => wanted.has(field))
}

export type Missing = ProfileField | 'beneficial_owners' | 'bank_account'

/** What is still to be given before the account may pay or be paid (V-45, H-33), in the order of the form. */
export function missingFor(
  purpose: Purpose,
  profile: { readonly values: ProfileValues; readonly owners: number; readonly hasBankAccount: boolean },
): readonly Missing[] {
  const { values } = profile
  const missing: Missing[] = requiredFields(values.user_type, purpose).filter((field) => values[field] === null)
  if (purpose === 'payment') return missing
  if (values.company_type === 'business' && profile.owners === 0) missing.push('beneficial_owners')
  if (!profile.hasBankAccount) missing.push('bank_account')
  return missing
}

export type FieldContext = {
  /** `YYYY-MM-DD`, UTC. */
  readonly today: string
  /** Of the address: telephone numbers without `+` are read in it. */
  readonly country: string | null
}

/**
 * One field as somebody typed it: the value to keep, or what is wrong with it. The same on the page, while he types, and on the
 * server (V-46).
 */
export function readField(
  field: ProfileField,
  typed: string,
  context: FieldContext,
): { readonly value: string } | { readonly fault: FieldFault } {
  const rule: Kind = profileFields[field]
  const value = tidy(typed.slice(0, 2000))
  const held = (fault: FieldFault | null, kept = value) => (fault === null ? { value: kept } : { fault })
  switch (rule.kind) {
    case 'choice':
      return held(rule.of.includes(value) ? null : 'choice_unknown')
    case 'person':
      return held(personNameFault(value))
    case 'country':
      return held(isCountryCode(value) ? null : 'country_unknown')
    case 'date':
      return held(birthDateFault(value, context.today))
    case 'phone': {
      const number = readPhoneNumber(value, context.country)
      return number === null ? { fault: 'phone_invalid' } : { value: number }
    }
    case 'email': {
      const address = parseEmailAddress(value)
      return address === null ? { fault: 'company_email_invalid' } : { value: address.address }
    }
    case 'zip':
      return held(/^[\p{L}\p{Nd}][\p{L}\p{Nd} -]{0,15}$/u.test(value) ? null : 'zip_invalid')
    default:
      return held(textFault(value, rule.longest))
  }
}

export type ProfileChange = Readonly<Partial<Record<ProfileField, string | null | undefined>>>

/**
 * What a change makes of a profile (it is saved as it is typed: V-12 holds for each field that is sent, never for those that are
 * not there yet). A required field cannot be emptied, the kind of user not be changed once saved (E-03).
 */
export function changeProfile(
  before: ProfileValues,
  change: ProfileChange,
  today: string,
): {
  readonly values: ProfileValues
  readonly faults: Readonly<Record<string, readonly FieldFault[]>>
  /** Those whose value is another than before. */
  readonly changed: readonly ProfileField[]
} {
  const after: Record<ProfileField, string | null> = { ...before }
  const faults: Record<string, readonly FieldFault[]> = {}
  const typedType = change.user_type === undefined ? before.user_type : change.user_type
  const typedCountry = tidy(change.country ?? before.country ?? '')
  const context = { today, country: isCountryCode(typedCountry) ? typedCountry : null }
  const required = new Set(requiredFields(typedType, 'payment'))
  for (const field of profileFieldNames) {
    const typed = change[field]
    if (typed === undefined) continue
    if (field === 'user_type' && before.user_type !== null && typed !== before.user_type) faults[field] = ['user_type_fixed']
    else if (typed === null || tidy(typed.slice(0, 2000)) === '') {
      if (required.has(field)) faults[field] = [`${field}_required`]
      else after[field] = null
    } else if (isLegalField(field) && typedType !== 'legal') faults[field] = ['not_for_natural']
    else {
      const read = readField(field, typed, context)
      if ('fault' in read) faults[field] = [read.fault]
      else after[field] = read.value
    }
  }
  return { values: after, faults, changed: profileFieldNames.filter((field) => after[field] !== before[field]) }
}
