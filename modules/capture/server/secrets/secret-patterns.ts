/**
 * Under which octets a secret may stand in a record (decision 0230). Each character is looked for in every form that it may take
 * by itself, so that mixtures are found too: what a form, a script, a page and a mail writer escape differs from one to the next.
 */

/** A secret shorter than this is no secret anybody could mask without masking everything. Characters. */
export const shortestSecret = 4
/** A longer one is looked for in parts: the pattern of a whole letter would take longer to search than the record is worth. Characters. */
const longestPart = 160
/** Of a secret beyond this, the rest is not looked for (`secrets` hold no more). Characters. */
export const longestSecret = 100_000

export type SecretPattern = {
  /** Over octets read as Latin-1; sticky. */
  readonly expression: RegExp
  /** Every pair of octets, the first times 256, that a match has `before` octets from where it begins: nowhere else it need be tried. */
  readonly starts: ReadonlySet<number>
  readonly before: 0 | 1
  /** Octets that a match has at most. */
  readonly longest: number
}

const escaped = (octets: string): string => octets.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
const anyCase = (hex: string): string => hex.replace(/[a-f]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
const hexOf = (value: number, digits = 2): string => value.toString(16).padStart(digits, '0')

const namedEntities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '\u00a0': 'nbsp',
}
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  "'": "'",
}

type Form = { readonly source: string; readonly longest: number; readonly starts: ReadonlySet<number>; readonly before?: 0 | 1 }

/** A text of JSON within a text of JSON, some times over. */
const slashes = '\\\\{1,8}'
/** RFC 2045 §6.7: quoted-printable may break a line anywhere. */
const softBreak = '(?:=\\r?\\n)?'
/** RFC 2045 §6.8: base64 may, too. */
const lineBreak = '(?:\\r?\\n)?'

/** One character in UTF-8, as it is or escaped: percent (RFC 3986, once or twice), form, JSON and JavaScript, HTML, quoted-printable. */
function formsOf(character: string): string {
  const utf8 = new TextEncoder().encode(character)
  const code = character.codePointAt(0) ?? 0
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
  const octets = [...utf8].map((octet) => escaped(String.fromCharCode(octet)))
  const perOctet = [...utf8].map((octet, i) => {
    const hex = anyCase(hexOf(octet))
    return `(?:${octets[i] ?? ''}|%(?:25)?${hex}|=${hex}|\\\\x${hex})`
  })
  const forms = [
    perOctet.join(softBreak),
    units.map((unit) => `${slashes}u${anyCase(hexOf(unit, 4))}`).join(''),
    `\\\\u\\{0{0,5}${anyCase(code.toString(16))}\\}`,
    `&(?:amp;)?#0{0,6}${String(code)};?`,
    `&(?:amp;)?#[xX]0{0,6}${anyCase(code.toString(16))};?`,
    ...(character === ' ' ? ['\\+', '&nbsp;'] : []),
    ...(character === '\n' ? ['\\\\r\\\\n', '\\r\\n', '%0[Dd]%0[Aa]', '&#(?:13|[xX]0*[dD]);&#(?:10|[xX]0*[aA]);'] : []),
    ...(namedEntities[character] === undefined ? [] : [`&(?:amp;)?${namedEntities[character]};`]),
    ...(shortEscapes[character] === undefined ? [] : [`${slashes}${escaped(shortEscapes[character])}`]),
    // Latin-1 pages and forms.
    ...(code > 0x7f && code < 0x100
      ? [`${escaped(String.fromCharCode(code))}|%${anyCase(hexOf(code))}|=${anyCase(hexOf(code))}`]
      : []),
  ]
  return `(?:${forms.join('|')})`
}

const octetOf = (character: string): number => character.charCodeAt(0)
const either = (hexDigit: string): readonly number[] => [octetOf(hexDigit.toLowerCase()), octetOf(hexDigit.toUpperCase())]

/** The first octet of every form of a character, or of the soft break before it. */
function firstOctets(character: string): readonly number[] {
  const code = character.codePointAt(0) ?? 0
  return [
    new TextEncoder().encode(character)[0] ?? 0,
    ...['%', '=', '\\', '&'].map(octetOf),
    ...(character === ' ' ? [octetOf('+')] : []),
    ...(character === '\n' ? [octetOf('\r')] : []),
    ...(code > 0x7f && code < 0x100 ? [code] : []),
  ]
}

/** The first two octets of every form of a character (`formsOf`), and of what follows where a form has one alone. */
function startsOf(character: string, next: string): Set<number> {
  const utf8 = new TextEncoder().encode(character)
  const code = character.codePointAt(0) ?? 0
  const pairs = new Set<number>()
  const add = (first: number, seconds: readonly number[]) => {
    for (const second of seconds) pairs.add(first * 256 + second)
  }
  const letters = (first: string, seconds: string) => add(octetOf(first), Array.from(seconds, octetOf))
  const [head = 0, second] = utf8
  const follows = firstOctets(next)
  add(head, second === undefined ? follows : [second, ...['%', '=', '\\'].map(octetOf)])
  for (const octet of [head, ...(code > 0x7f && code < 0x100 ? [code] : [])])
    for (const sign of '%=') add(octetOf(sign), either(hexOf(octet)[0] ?? ''))
  letters('%', '2')
  letters('\\', 'xu\\')
  letters('&', '#a')
  if (character === ' ') {
    add(octetOf('+'), follows)
    letters('&', 'n')
  }
  if (character === '\n') {
    letters('\\', 'r')
    letters('\r', '\n')
    letters('%', '0')
  }
  const entity = namedEntities[character]
  if (entity !== undefined) letters('&', entity[0] ?? '')
  const short = shortEscapes[character]
  if (short !== undefined) letters('\\', short)
  if (code > 0x7f && code < 0x100) add(code, follows)
  return pairs
}

/** The same of characters of base64. */
function startsOfBase64(text: string): Set<number> {
  const plain = (c: string): readonly number[] => (c === '+' ? ['+', '-'] : c === '/' ? ['/', '_'] : [c]).map(octetOf)
  const [first = '', next = ''] = text
  const follows = [...plain(next), ...['%', '\\', '=', '\r', '\n'].map(octetOf)]
  const pairs = new Set(plain(first).flatMap((octet) => follows.map((second) => octet * 256 + second)))
  if (first === '+' || first === '/') pairs.add(octetOf('%') * 256 + octetOf('2'))
  if (first === '/') pairs.add(octetOf('\\') * 256 + octetOf('/'))
  return pairs
}

/** Characters of base64 that are whole functions of the secret, wherever it begins; one more on each side shares bits with it. */
function base64Forms(bytes: Uint8Array): readonly Pick<Form, 'source' | 'starts' | 'before'>[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor(((before + bytes.length) * 8) / 6)
    const whole = text.slice(first, last)
    const inner = Array.from(whole).map((c) => (c === '+' ? '(?:[+-]|%2[Bb])' : c === '/' ? '(?:[/_]|%2[Ff]|\\\\/)' : c))
    const edge = '[A-Za-z0-9+/_-]'
    return {
      source: `${before === 0 ? '' : edge}${inner.join(`${softBreak}${lineBreak}`)}${((before + bytes.length) * 8) % 6 === 0 ? '' : edge}`,
      starts: startsOfBase64(whole),
      before: before === 0 ? 0 : 1,
    }
  })
}

/** @param value as it was typed or pasted. @returns none when it is too short to be searched for. */
export function patternsOf(value: string): SecretPattern[] {
  const plain = value.slice(0, longestSecret).toWellFormed().replaceAll(/\r\n?/g, '\n')
  // A field of one line takes line breaks out, and a form sends each as two characters (HTML §4.10.21.4).
  const lines = plain.includes('\n') ? [plain.replaceAll('\n', ''), plain.replaceAll('\n', '\r\n')] : []
  const variants = new Set([plain, ...lines].flatMap((one) => [one, one.normalize('NFC'), one.normalize('NFD'), one.trim()]))
  const parts = new Set([...variants].flatMap(partsOf))
  return [...parts].filter((one) => Array.from(one).length >= shortestSecret).flatMap(patternsOfVariant)
}

/** Of about the same length, so that none is short: a short one would be found where it is none. */
function partsOf(value: string): string[] {
  const characters = Array.from(value)
  const count = Math.ceil(characters.length / longestPart)
  const size = Math.ceil(characters.length / Math.max(1, count))
  return Array.from({ length: count }, (_, i) => characters.slice(i * size, (i + 1) * size).join(''))
}

function startsOfHex(octet: number): Set<number> {
  const [high = '', low = ''] = hexOf(octet)
  return new Set(either(high).flatMap((first) => either(low).map((second) => first * 256 + second)))
}

function patternsOfVariant(value: string): SecretPattern[] {
  const characters = Array.from(value)
  const utf8 = new TextEncoder().encode(value)
  const utf16 = Buffer.from(value, 'utf16le')
  const utf16be = Buffer.from(utf16).swap16()
  const pattern = ({ source, longest, starts, before = 0 }: Form): SecretPattern => ({
    expression: new RegExp(source, 'sy'),
    longest,
    starts,
    before,
  })
  const literal = (bytes: Uint8Array): SecretPattern =>
    pattern({
      source: escaped(latin1(bytes)),
      longest: bytes.length,
      starts: new Set([(bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)]),
    })
  const base64 = (bytes: Uint8Array): readonly SecretPattern[] =>
    base64Forms(bytes).map((form) => pattern({ ...form, longest: bytes.length * 8 + 16 }))
  const hex = [...utf8].map((octet) => anyCase(hexOf(octet)))
  return [
    // The longest form of one character: an astral one as two escapes, or each octet percent-encoded twice, with soft breaks.
    pattern({
      source: characters.map(formsOf).join(softBreak),
      longest: characters.length * 40,
      starts: startsOf(characters[0] ?? '', characters[1] ?? ''),
    }),
    literal(utf16),
    literal(utf16be),
    pattern({ source: hex.join('[: ]?'), longest: utf8.length * 3, starts: startsOfHex(utf8[0] ?? 0) }),
    ...base64(utf8),
    ...base64(utf16),
    // Of pages and header fields in Latin-1.
    ...(/^[\0-\u00ff]*[\u0080-\u00ff][\0-\u00ff]*$/.test(value) ? base64(Buffer.from(value, 'latin1')) : []),
  ]
}
