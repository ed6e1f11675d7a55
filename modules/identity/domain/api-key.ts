/**
 * What an API key looks like (decision 0291): `pbt_`, 256 random bits in base64url, and the CRC-32 of those 43 characters in base 62, by
 * which whoever searches files for leaked keys tells one from what only looks like it.
 */
export const apiKeyPrefix = 'pbt_'

const pattern = /^pbt_([A-Za-z0-9_-]{43})([0-9A-Za-z]{6})$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** @param crc unsigned 32 bits; six digits hold it, since 62⁶ > 2³² */
function inBase62(crc: number): string {
  let [left, text] = [crc, '']
  for (let i = 0; i < 6; i += 1) {
    text = (digits[left % 62] ?? '') + text
    left = Math.floor(left / 62)
  }
  return text
}

/** @param random 43 characters of base64url @param crc32 of ASCII text, unsigned (ISO 3309) */
export function apiKeyOf(random: string, crc32: (text: string) => number): string {
  return `${apiKeyPrefix}${random}${inBase62(crc32(random))}`
}

/** Whether it is one that may have been given out, and not a slip of the one who typed it: no search in the database for others. */
export function isApiKey(text: string, crc32: (text: string) => number): boolean {
  const [, random, checksum] = pattern.exec(text) ?? []
  return random !== undefined && checksum === inBase62(crc32(random))
}

/** Shown in lists ever after. */
export const apiKeyHint = (key: string): string => key.slice(0, apiKeyPrefix.length + 4)

/** More than anybody tells apart; bounds what one account may hold. */
export const mostApiKeys = 50
/** Calls per minute; the session of a user has as many from one network. */
export const mostPerMinute = 600
export const usualPerMinute = 120
/** For how many days a key may be made: every one ends. */
export const longestKeyDays = 730
export const usualKeyDays = 365
