/** Rules of a password (V-01, V-03, V-04, K-19), the same in the form and on the server. */
export const passwordLength = { min: 8, max: 32 } as const

export const passwordFaults = [
  'password_too_short',
  'password_too_long',
  'password_no_uppercase',
  'password_no_lowercase',
  'password_no_digit',
  'password_no_special',
] as const
export type PasswordFault = (typeof passwordFaults)[number]

/** What a password lacks, in the order in which people are told; empty: nothing. Characters are code points; any script's letters count. */
export function passwordFaultsOf(password: string): readonly PasswordFault[] {
  const length = Array.from(password).length
  const faults: PasswordFault[] = []
  if (length < passwordLength.min) faults.push('password_too_short')
  if (length > passwordLength.max) faults.push('password_too_long')
  if (!/\p{Lu}/u.test(password)) faults.push('password_no_uppercase')
  if (!/\p{Ll}/u.test(password)) faults.push('password_no_lowercase')
  if (!/\p{Nd}/u.test(password)) faults.push('password_no_digit')
  if (!/[^\p{L}\p{N}]/u.test(password)) faults.push('password_no_special')
  return faults
}
