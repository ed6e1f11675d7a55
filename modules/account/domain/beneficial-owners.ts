import { personNameFault } from '../../../kernel/person-name.ts'
import { birthDateFault } from './birth-date.ts'
import { isCountryCode } from './countries.ts'
import { textFault, tidy } from './plain-text.ts'

/** H-31: those who in the end own or control a company (Directive (EU) 2015/849, article 3(6)): above 25 %, hence at most four. */
export const mostOwners = 4

export const ownerFields = [
  'first_name',
  'last_name',
  'birth_date',
  'birth_city',
  'birth_country',
  'nationality',
  'address',
] as const
export type OwnerField = (typeof ownerFields)[number]

export type BeneficialOwner = Readonly<Record<OwnerField, string>> & {
  /** Held, in percent, two decimals at most. */
  readonly share_percent: number
}

export type OwnerFault =
  | `${OwnerField}_required`
  | 'name_too_long'
  | 'name_characters'
  | 'birth_date_format'
  | 'birth_date_past'
  | 'country_unknown'
  | 'too_long'
  | 'characters'
  | 'share_required'
  | 'share_range'
  | 'share_total'
  | 'owners_too_many'
  | 'owners_of_companies'

export type TypedOwner = Readonly<Partial<Record<OwnerField, string | null | undefined>>> & {
  readonly share_percent?: number | null | undefined
}

function fieldFault(field: OwnerField, value: string, today: string): OwnerFault | null {
  if (value === '') return `${field}_required`
  if (field === 'first_name' || field === 'last_name') return personNameFault(value)
  if (field === 'birth_date') return birthDateFault(value, today)
  if (field === 'birth_country' || field === 'nationality') return isCountryCode(value) ? null : 'country_unknown'
  return textFault(value, field === 'address' ? 300 : 100)
}

/** The owners as they are to be kept, or what each wrong field lacks, keyed `beneficial_owners.<n>.<field>` from 0. */
export function readOwners(
  typed: readonly TypedOwner[],
  today: string,
): { readonly owners: readonly BeneficialOwner[] } | { readonly faults: Readonly<Record<string, readonly OwnerFault[]>> } {
  const faults: Record<string, readonly OwnerFault[]> = {}
  if (typed.length > mostOwners) return { faults: { beneficial_owners: ['owners_too_many'] } }
  const owners = typed.map((each, n): BeneficialOwner => {
    const values = {
      first_name: '',
      last_name: '',
      birth_date: '',
      birth_city: '',
      birth_country: '',
      nationality: '',
      address: '',
    }
    for (const field of ownerFields) {
      values[field] = tidy((each[field] ?? '').slice(0, 2000))
      const fault = fieldFault(field, values[field], today)
      if (fault !== null) faults[`beneficial_owners.${n}.${field}`] = [fault]
    }
    const share = Math.round((each.share_percent ?? 0) * 100) / 100
    if (each.share_percent === null || each.share_percent === undefined)
      faults[`beneficial_owners.${n}.share_percent`] = ['share_required']
    else if (!(share > 0 && share <= 100)) faults[`beneficial_owners.${n}.share_percent`] = ['share_range']
    return { ...values, share_percent: share }
  })
  const hundredths = owners.reduce((sum, owner) => sum + Math.round(owner.share_percent * 100), 0)
  if (hundredths > 10_000 && Object.keys(faults).length === 0) faults['beneficial_owners'] = ['share_total']
  return Object.keys(faults).length > 0 ? { faults } : { owners }
}
