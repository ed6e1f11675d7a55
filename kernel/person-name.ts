export const longestPersonName = 100

export type PersonNameFault = 'name_too_long' | 'name_characters'

/**
 * Names are as people write them: any script, marks, blanks, apostrophes, hyphens, dots. Refused is what is in no name and serves
 * to deceive readers or break lines: controls, bidirectional and invisible marks, signs of markup and of addresses.
 */
export function personNameFault(name: string): PersonNameFault | null {
  if (Array.from(name).length > longestPersonName) return 'name_too_long'
  return /^[\p{L}\p{M}\p{Nd} .,'’ʼ·\-‐‑]+$/u.test(name) && /\p{L}/u.test(name) ? null : 'name_characters'
}
