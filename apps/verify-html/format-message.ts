/** A message as it was read: text, or an argument with what depends on it. */
type Part =
  | string
  | { readonly name: string; readonly kind: 'text' }
  | { readonly name: string; readonly kind: 'number' }
  | { readonly name: string; readonly kind: 'plural' | 'select'; readonly cases: ReadonlyMap<string, readonly Part[]> }
  | { readonly kind: 'count' }

/**
 * The part of ICU MessageFormat that the catalogues use: arguments, `number`, `plural` with `=n` and `#`, `select`. The whole
 * library would be a tenth of this file; a test holds every message of both languages against it. Straight apostrophes, which ICU
 * quotes with, are not in the catalogues.
 */
export function formatMessage(text: string, values: Readonly<Record<string, string | number>>, locale: string): string {
  const source = { text, at: 0 }
  return write(read(source, false), values, locale, 0)
}

function read(source: { readonly text: string; at: number }, inPlural: boolean): Part[] {
  const parts: Part[] = []
  let plain = ''
  const flush = (): void => {
    if (plain !== '') parts.push(plain)
    plain = ''
  }
  for (; source.at < source.text.length; source.at += 1) {
    const unit = source.text.charAt(source.at)
    if (unit === '}') break
    if (unit === '{') {
      flush()
      source.at += 1
      parts.push(argument(source, inPlural))
    } else if (unit === '#' && inPlural) {
      flush()
      parts.push({ kind: 'count' })
    } else plain += unit
  }
  flush()
  return parts
}

/** From behind the opening brace to the closing one. */
function argument(source: { readonly text: string; at: number }, inPlural: boolean): Part {
  const until = (pattern: RegExp): string => {
    const start = source.at
    while (source.at < source.text.length && !pattern.test(source.text.charAt(source.at))) source.at += 1
    return source.text.slice(start, source.at).trim()
  }
  const name = until(/[,}]/)
  if (source.text.charAt(source.at) === '}') return { name, kind: 'text' }
  source.at += 1
  const kind = until(/[,}]/)
  if (source.text.charAt(source.at) === '}') return { name, kind: 'number' }
  source.at += 1
  const cases = new Map<string, readonly Part[]>()
  for (;;) {
    const key = until(/[{}]/)
    if (source.text.charAt(source.at) !== '{') break
    source.at += 1
    cases.set(key, read(source, inPlural || kind === 'plural'))
    source.at += 1
  }
  return { name, kind: kind === 'select' ? 'select' : 'plural', cases }
}

function write(parts: readonly Part[], values: Readonly<Record<string, string | number>>, locale: string, count: number): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      if (part.kind === 'count') return numberIn(count, locale)
      const value = values[part.name]
      if (part.kind === 'text') return String(value ?? '')
      if (part.kind === 'number') return numberIn(Number(value), locale)
      if (part.kind === 'select')
        return write(part.cases.get(String(value)) ?? part.cases.get('other') ?? [], values, locale, count)
      const number = Number(value)
      const chosen =
        part.cases.get(`=${number}`) ?? part.cases.get(new Intl.PluralRules(locale).select(number)) ?? part.cases.get('other')
      return write(chosen ?? [], values, locale, number)
    })
    .join('')
}

function numberIn(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value)
}
