import { countriesIn, isCountryCode, type Country } from '../domain/countries.ts'

export type CountryNames = {
  readonly all: readonly Country[]
  /** A name for people; what is no code stays as it is. */
  readonly nameOf: (code: string) => string
  /** The code that somebody means by what he typed; what means no country stays as it is. */
  readonly codeOf: (typed: string) => string
}

const plain = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").trim().toLowerCase()

/** Names are shown in the page's language, and understood in both: with or without accents, or as the code itself. */
export function countryNames(language: string, others: readonly string[]): CountryNames {
  const all = countriesIn(language)
  const names = new Map(all.map(({ code, name }) => [code, name]))
  const meant = new Map<string, string>()
  for (const each of [language, ...others]) {
    for (const { code, name } of each === language ? all : countriesIn(each)) {
      if (!meant.has(plain(name))) meant.set(plain(name), code)
    }
  }
  return {
    all,
    nameOf: (code) => names.get(code) ?? code,
    codeOf: (typed) => {
      const code = typed.trim().toUpperCase()
      return meant.get(plain(typed)) ?? (isCountryCode(code) ? code : typed)
    },
  }
}
