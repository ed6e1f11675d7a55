import { IntlMessageFormat, type Formatters } from 'intl-messageformat'
import { createContext, createElement, Fragment, useContext, useMemo, type ReactNode } from 'react'

/** What this page can say: each text as it is written, or as the build has read it. */
export type Words = Readonly<Record<string, string>>
type Tag = (chunks: ReactNode) => ReactNode
type Value = ReactNode | Date | Tag

const kept = new Map<string, unknown>()

/** Made once for each language and wish: they are dear. */
function once<Args extends readonly unknown[], T>(name: string, make: (...args: Args) => T): (...args: Args) => T {
  return (...args) => {
    const key = name + JSON.stringify(args)
    if (!kept.has(key)) kept.set(key, make(...args))
    return kept.get(key) as T
  }
}

const formatters: Formatters = {
  getNumberFormat: once('number', (locales, options) => new Intl.NumberFormat(locales, options as Intl.NumberFormatOptions)),
  getDateTimeFormat: once('date', (locales, options) => new Intl.DateTimeFormat(locales, options)),
  getPluralRules: once('plural', (locales, options) => new Intl.PluralRules(locales, options)),
}

// What it asks for else, whether the browser knows the language, has the browser read the list of all that it knows: a tenth of a second on a telephone.
IntlMessageFormat.resolveLocale = (locale) => new Intl.Locale(String(locale))

/** Nothing of ICU MessageFormat is in it: most texts say themselves. */
const isPlain = (text: string | undefined): text is string => typeof text === 'string' && !/[{}<']/.test(text)

export type Speaker = {
  readonly locale: string
  readonly words: Words
  /** @returns parts; null: there is no such text, or it speaks of values that were not given */
  readonly say: (id: string, values?: Readonly<Record<string, Value>>) => string | readonly ReactNode[] | null
}

/** Texts of one language in ICU MessageFormat; each is read once. */
export function makeSpeaker(locale: string, words: Words): Speaker {
  const read = new Map<string, IntlMessageFormat>()
  const textOf = (id: string): IntlMessageFormat => {
    const known = read.get(id)
    if (known !== undefined) return known
    const made = new IntlMessageFormat(words[id] ?? '', locale, undefined, { formatters })
    read.set(id, made)
    return made
  }
  return {
    locale,
    words,
    say(id, values) {
      if (!Object.hasOwn(words, id)) return null
      const text = words[id]
      if (isPlain(text)) return text
      try {
        const said = textOf(id).format<ReactNode>(keyed(values ?? {}))
        return typeof said === 'string' || Array.isArray(said) ? said : [said]
      } catch {
        return null
      }
    },
  }
}

/** What stands within a tag is handed to it as one. */
function keyed(values: Readonly<Record<string, Value>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function' ? (chunks: readonly ReactNode[]) => value(createElement(Fragment, null, ...chunks)) : value,
    ]),
  ) as Record<string, string>
}

const Spoken = createContext<Speaker>(makeSpeaker('en', {}))

export const useSpeaker = (): Speaker => useContext(Spoken)

export function WordsProvider(props: { locale: string; words: Words; children: ReactNode }): ReactNode {
  const { locale, words } = props
  const speaker = useMemo(() => makeSpeaker(locale, words), [locale, words])
  return <Spoken value={speaker}>{props.children}</Spoken>
}
