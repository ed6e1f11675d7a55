import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min'

/**
 * A telephone number in E.164 (`+33123456789`), or null for what is none.
 * @param country ISO 3166-1 alpha-2 in which a number without `+` is read; null: it must have one
 */
export function readPhoneNumber(typed: string, country: string | null): string | null {
  if (typed.length > 40) return null
  const found = parsePhoneNumberFromString(typed, {
    ...(country === null ? {} : { defaultCountry: country as CountryCode }),
    // A number in the midst of other words is a mistake of typing.
    extract: false,
  })
  return found !== undefined && found.isValid() && found.ext === undefined ? found.number : null
}
