import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'
import { textFault, tidy } from './plain-text.ts'

/** E-14: kinds of account, each identified in its own way. `other`: by the bank's BIC and a number. */
export const bankAccountTypes = ['IBAN', 'GB', 'US', 'CA', 'other'] as const
export type BankAccountType = (typeof bankAccountTypes)[number]

export const depositTypes = ['checking', 'savings'] as const
export type DepositType = (typeof depositTypes)[number]

/** Wire names of E-15…E-19. */
export const bankFields = [
  'iban',
  'bic',
  'sort_code',
  'aba',
  'deposit_type',
  'branch_code',
  'institution_number',
  'account_number',
  'bank_name',
  'owner_name',
  'owner_address',
] as const
export type BankField = (typeof bankFields)[number]

/** Which fields an account of that kind has, in the order of the form; those of `optional` may be left empty. */
export const fieldsOfType: Readonly<Record<BankAccountType, readonly BankField[]>> = {
  IBAN: ['iban', 'bic', 'owner_name', 'owner_address'],
  GB: ['sort_code', 'account_number', 'owner_name', 'owner_address'],
  US: ['account_number', 'aba', 'deposit_type', 'owner_name', 'owner_address'],
  CA: ['bank_name', 'institution_number', 'branch_code', 'account_number', 'owner_name', 'owner_address'],
  other: ['bic', 'account_number', 'owner_name', 'owner_address'],
}

/** In SEPA the IBAN alone identifies the account (Regulation (EU) 260/2012, article 5(7)). */
export function isOptional(type: BankAccountType, field: BankField): boolean {
  return type === 'IBAN' && field === 'bic'
}

/** As kept: only the fields of its kind, without the blanks and hyphens of print. */
export type BankAccount = { readonly type: BankAccountType } & Readonly<Partial<Record<BankField, string>>>

export type BankFault =
  | `${BankField}_required`
  | 'iban_invalid'
  | 'bic_invalid'
  | 'digits_only'
  | 'sort_code_length'
  | 'account_number_length'
  | 'account_number_invalid'
  | 'aba_length'
  | 'aba_checksum'
  | 'branch_code_length'
  | 'institution_number_length'
  | 'bank_name_length'
  | 'bank_name_characters'
  | 'deposit_type_unknown'
  | 'too_long'
  | 'characters'

/** Each digit weighs 3, 7 or 1 in turn, and the sum is a multiple of ten (ABA Routing Number Policy; ANSI X9.27). */
export function abaChecksumHolds(digits: string): boolean {
  const weights = [3, 7, 1]
  const sum = Array.from(digits).reduce((total, digit, i) => total + Number(digit) * (weights[i % 3] ?? 0), 0)
  return sum > 0 && sum % 10 === 0
}

const compact = (typed: string) => typed.normalize('NFKC').replaceAll(/[\s\-–]/g, '')

/** Numbers as kept; everything else as people wrote it, tidied. */
function readField(field: BankField, typed: string): string {
  if (field === 'iban') return electronicFormatIBAN(compact(typed)) ?? ''
  if (field === 'bic') return compact(typed).toUpperCase()
  if (field === 'bank_name' || field === 'owner_name' || field === 'owner_address') return tidy(typed)
  return field === 'deposit_type' ? typed.trim() : compact(typed)
}

/** Bounds of H-32: digits, from and to. What one country does not bound is bounded by the longest account number of ISO 13616. */
const lengths: Readonly<Record<BankAccountType, Partial<Record<BankField, readonly [number, number, BankFault]>>>> = {
  IBAN: {},
  GB: { sort_code: [6, 6, 'sort_code_length'], account_number: [8, 8, 'account_number_length'] },
  US: { aba: [9, 9, 'aba_length'], account_number: [1, 17, 'account_number_length'] },
  CA: {
    branch_code: [5, 5, 'branch_code_length'],
    institution_number: [3, 4, 'institution_number_length'],
    account_number: [1, 20, 'account_number_length'],
  },
  other: {},
}

function faultOf(type: BankAccountType, field: BankField, value: string): BankFault | null {
  const bounds = lengths[type][field]
  if (bounds !== undefined) {
    const [least, most, fault] = bounds
    if (!/^[0-9]+$/.test(value)) return 'digits_only'
    if (value.length < least || value.length > most) return fault
    return field === 'aba' && !abaChecksumHolds(value) ? 'aba_checksum' : null
  }
  switch (field) {
    case 'iban':
      return value.length <= 34 && isValidIBAN(value) ? null : 'iban_invalid'
    case 'bic':
      return isValidBIC(value) ? null : 'bic_invalid'
    case 'account_number':
      if (value.length > 34) return 'account_number_length'
      return /^[0-9A-Za-z]+$/.test(value) ? null : 'account_number_invalid'
    case 'bank_name':
      if (Array.from(value).length > 50) return 'bank_name_length'
      return /^[\p{L}\p{M}\p{Nd} ]+$/u.test(value) ? null : 'bank_name_characters'
    case 'deposit_type':
      return depositTypes.some((each) => each === value) ? null : 'deposit_type_unknown'
    default:
      return textFault(value, field === 'owner_name' ? 200 : 300)
  }
}

/**
 * What one field lacks, for the form while somebody types; null: nothing.
 * @param typed as it stands in the field
 */
export function bankFieldFault(type: BankAccountType, field: BankField, typed: string): BankFault | null {
  const value = readField(field, typed.slice(0, 1000))
  if (value === '') return isOptional(type, field) ? null : `${field}_required`
  return faultOf(type, field, value)
}

/** The account as it is to be kept, or what each wrong field lacks. Fields of other kinds are left out. */
export function readBankAccount(
  type: BankAccountType,
  typed: Readonly<Partial<Record<BankField, string | null | undefined>>>,
): { readonly account: BankAccount } | { readonly faults: Readonly<Record<string, readonly BankFault[]>> } {
  const values: Partial<Record<BankField, string>> = {}
  const faults: Record<string, readonly BankFault[]> = {}
  for (const field of fieldsOfType[type]) {
    const given = typed[field] ?? ''
    const fault = bankFieldFault(type, field, given)
    if (fault !== null) faults[field] = [fault]
    const value = readField(field, given.slice(0, 1000))
    if (value !== '') values[field] = value
  }
  return Object.keys(faults).length > 0 ? { faults } : { account: { type, ...values } }
}

/** Last four of what identifies the account: enough to know it again, useless to anyone else. */
export function endingOf(account: BankAccount): string {
  return (account.iban ?? account.account_number ?? '').slice(-4)
}
