import { parseEmailAddress } from '../../../kernel/email-address.ts'

/** Longer ones are nobody's: a password that is chosen has 200 characters at most. */
export const longestPassword = 200

/** Codes of what is wrong with an address and a password that are shown to get in; the contract has the same rule. */
export function emailFault(typed: string): 'email_required' | 'email_invalid' | null {
  if (typed.trim() === '') return 'email_required'
  return parseEmailAddress(typed) === null ? 'email_invalid' : null
}

export function passwordFault(typed: string): 'password_required' | 'password_wrong' | null {
  if (typed === '') return 'password_required'
  return typed.length > longestPassword ? 'password_wrong' : null
}
