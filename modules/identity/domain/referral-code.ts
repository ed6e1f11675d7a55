/** Letters and digits that nobody takes for one another; 32 of them, so that a byte picks one evenly. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 8

/** @param random eight random bytes */
export function drawReferralCode(random: Uint8Array): string {
  if (random.length !== length) throw new RangeError('a referral code takes eight bytes')
  return Array.from(random, (byte) => alphabet[byte % alphabet.length]).join('')
}

/** @returns the code as it is kept, whatever blanks, hyphens or small letters it was typed with; null for what can be none */
export function parseReferralCode(typed: string): string | null {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  return code.length === length && Array.from(code).every((each) => alphabet.includes(each)) ? code : null
}
