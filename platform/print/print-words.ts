import { IntlMessageFormat } from 'intl-messageformat'
import type { Locale } from '../../kernel/locale.ts'
import { utcInstant } from '../../kernel/utc-instant.ts'

export type MessageValues = Readonly<Record<string, string | number | boolean>>

const languageTag: Readonly<Record<Locale, string>> = { en: 'en-GB', fr: 'fr-FR' }

export type Instant = { readonly utc: string; readonly paris: string }

/** Texts, numbers and dates of a printed document in one language. */
export type PrintWords<Id extends string> = {
  readonly locale: Locale
  /** `fr-FR`, `en-GB`. */
  readonly tag: string
  readonly t: (id: Id, values?: MessageValues) => string
  /** Whether the catalogue has this id, for ids made from data. */
  readonly has: (id: string) => id is Id
  readonly number: (value: number) => string
  /** To the thousandth: seconds to the millisecond. */
  readonly fraction: (value: number) => string
  /** Exact count with its unit, and the rounded form from a kilobyte on. */
  readonly bytes: (value: number) => string
  /** Rounded down: 99.99 % is never printed as 100 %. */
  readonly percent: (part: number, whole: number) => string
  /** @param iso ISO 8601 UTC. Printed to the second; raw values stand in the pieces. */
  readonly instant: (iso: string) => Instant
  readonly timeUtc: (iso: string) => string
  /** `14:05:09.123` UTC, for tables: the same in every language (ISO 8601). */
  readonly clock: (iso: string) => string
}

type Clockface = { readonly date: string; readonly h: string; readonly m: string; readonly s: string; readonly offset: string }

function clockface(iso: string, tag: string, timeZone: string): Clockface {
  const parts = new Intl.DateTimeFormat(tag, {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  }).formatToParts(new Date(iso))
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? ''
  // The first day of a month is an ordinal in French.
  const day = tag.startsWith('fr') && of('day') === '1' ? '1er' : of('day')
  return {
    date: `${day} ${of('month')} ${of('year')}`,
    h: of('hour'),
    m: of('minute'),
    s: of('second'),
    offset: of('timeZoneName').replace('GMT', 'UTC'),
  }
}

/** Between groups of digits the narrow space of the text face all but closes up: there a whole space is easier to read. */
function spaceDigits(text: string): string {
  return text.replace(/(?<=\d)\u202f(?=\d{3})/g, '\u00a0')
}

/** @param catalogue messages of the document; `common` names those of it that every document needs. */
export function printWords<Id extends string>(
  locale: Locale,
  catalogue: Readonly<Record<string, string>>,
  common: { readonly time: Id; readonly paris: Id },
): PrintWords<Id> {
  const tag = languageTag[locale]
  const formats = new Map<Id, IntlMessageFormat>()
  const t = (id: Id, values: MessageValues = {}): string => {
    const format = formats.get(id) ?? new IntlMessageFormat(catalogue[id] ?? id, tag, undefined, { ignoreTag: true })
    formats.set(id, format)
    const text = format.format(values)
    if (typeof text !== 'string') throw new TypeError(`${id} is not plain text`)
    return spaceDigits(text)
  }
  const number = (value: number): string => spaceDigits(new Intl.NumberFormat(tag, { maximumFractionDigits: 2 }).format(value))
  const fraction = (value: number): string =>
    spaceDigits(new Intl.NumberFormat(tag, { maximumFractionDigits: 3 }).format(value).replace('-', '\u2212'))
  const time = (face: Clockface): string => t(common.time, { h: face.h, m: face.m, s: face.s })
  return {
    locale,
    tag,
    t,
    has: (id): id is Id => Object.hasOwn(catalogue, id),
    number,
    fraction,
    bytes: (value) => {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
      const power = value < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(value) / 3))
      return new Intl.NumberFormat(tag, {
        style: 'unit',
        unit: units[power] ?? 'byte',
        unitDisplay: power === 0 ? 'long' : 'short',
        maximumFractionDigits: power === 0 ? 0 : 1,
      }).format(value / 1000 ** power)
    },
    percent: (part, whole) =>
      new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 }).format(
        whole === 0 ? 0 : Math.floor((part / whole) * 10_000) / 10_000,
      ),
    instant: (iso) => {
      const paris = clockface(iso, tag, 'Europe/Paris')
      return {
        utc: utcInstant(iso, locale),
        paris: t(common.paris, { date: paris.date, time: time(paris), offset: paris.offset }),
      }
    },
    timeUtc: (iso) => time(clockface(iso, tag, 'UTC')),
    clock: (iso) => new Date(iso).toISOString().slice(11, 23),
  }
}
