import { array, assert, asyncProperty, integer, property, uint8Array } from '../../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { createSecretMasker } from './mask-secrets.ts'

const secret = 'Pä"ß/w0rd & <ünï> çœ漢😀+1'
const utf8 = Buffer.from(secret)

const forms: readonly (readonly [string, Buffer])[] = [
  ['as it is', utf8],
  ['percent-encoded', Buffer.from(encodeURIComponent(secret))],
  [
    'percent-encoded in lower case',
    Buffer.from(encodeURIComponent(secret).replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())),
  ],
  ['percent-encoded twice', Buffer.from(encodeURIComponent(encodeURIComponent(secret)))],
  ['of a form', Buffer.from(new URLSearchParams({ p: secret }).toString().slice(2))],
  ['every octet percent-encoded', Buffer.from([...utf8].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join(''))],
  ['JSON', Buffer.from(JSON.stringify(secret).slice(1, -1))],
  [
    'JSON in ASCII',
    Buffer.from(
      Array.from(secret)
        .map((c) => unicodeEscapes(c))
        .join(''),
    ),
  ],
  [
    'HTML, named',
    Buffer.from(secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')),
  ],
  [
    'HTML, decimal',
    Buffer.from(
      Array.from(secret)
        .map((c) => `&#${String(c.codePointAt(0))};`)
        .join(''),
    ),
  ],
  [
    'HTML, hexadecimal',
    Buffer.from(
      Array.from(secret)
        .map((c) => `&#x${(c.codePointAt(0) ?? 0).toString(16)};`)
        .join(''),
    ),
  ],
  ['quoted-printable', Buffer.from(quotedPrintable(utf8, 11))],
  ['base64', Buffer.from(utf8.toString('base64'))],
  ['base64 after one octet', Buffer.from(Buffer.concat([Buffer.from('u'), utf8]).toString('base64'))],
  ['base64 of basic credentials', Buffer.from(Buffer.concat([Buffer.from('me:'), utf8, Buffer.from('!')]).toString('base64'))],
  ['base64url', Buffer.from(Buffer.concat([Buffer.from('ab'), utf8]).toString('base64url'))],
  ['base64 in lines', Buffer.from(utf8.toString('base64').replaceAll(/.{8}/g, '$&\r\n'))],
  ['hexadecimal', Buffer.from(utf8.toString('hex'))],
  ['UTF-16, little-endian', Buffer.from(secret, 'utf16le')],
  ['UTF-16, big-endian', Buffer.from(secret, 'utf16le').swap16()],
]

function unicodeEscapes(character: string): string {
  return Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(
    '',
  )
}

function quotedPrintable(bytes: Buffer, width: number): string {
  const parts = [...bytes].map((octet) =>
    octet < 33 || octet > 126 || octet === 61
      ? `=${octet.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(octet),
  )
  let text = ''
  let column = 0
  for (const part of parts) {
    if (column + part.length > width) {
      text += '=\r\n'
      column = 0
    }
    text += part
    column += part.length
  }
  return text
}

describe('the masking of secrets (H-45)', () => {
  const masker = createSecretMasker([secret])

  it.each(forms)('finds it %s, and leaves the octets around it', (_name, form) => {
    const [before, after] = [Buffer.from('{"a":"b",'), Buffer.from('&end</p>\n')]
    const { bytes, times } = masker.mask(Buffer.concat([before, form, after]))
    expect(times).toBe(1)
    expect(bytes.length).toBe(before.length + form.length + after.length)
    expect(bytes.subarray(0, before.length)).toEqual(before)
    expect(bytes.subarray(-after.length)).toEqual(after)
    const left = bytes.subarray(before.length, -after.length).toString('latin1')
    expect(left).toMatch(/^[X\0A-Za-z0-9=\r\n]*$/)
    expect(masker.mask(bytes).times).toBe(0)
    expect((left.match(/X/g) ?? []).length).toBeGreaterThan(left.replaceAll(/[\r\n\0=]/g, '').length - 8)
  })

  it('finds it wherever a stream is cut, as often as in one piece', async () => {
    const whole = Buffer.concat(forms.flatMap(([, form], i) => [Buffer.alloc(i * 4_001, 0x2e), form]))
    const expected = masker.mask(whole)
    await assert(
      asyncProperty(array(integer({ min: 1, max: whole.length }), { maxLength: 12 }), async (places) => {
        const cuts = [0, ...places.toSorted((a, b) => a - b), whole.length]
        const parts = cuts.slice(1).map((end, i) => whole.subarray(cuts[i], end))
        const out: Buffer[] = []
        let times = -1
        for await (const part of masker.maskStream(parts, (count) => (times = count))) out.push(Buffer.from(part))
        expect(Buffer.concat(out).equals(expected.bytes)).toBe(true)
        expect(times).toBe(expected.times)
      }),
      { numRuns: 60 },
    )
    expect(expected.times).toBe(forms.length)
  })

  it('touches nothing else', () => {
    assert(
      property(uint8Array({ maxLength: 4_000 }), (noise) => {
        const bytes = Buffer.from(noise)
        expect(masker.mask(bytes)).toEqual({ bytes, times: 0 })
      }),
    )
  })

  it('finds any secret, whatever each of its characters is escaped as, across every window, and as often beside others', () => {
    const letters = Array.from('aB0 \n&"\'/\\<éßœ漢😀+-=%\u00a0.')
    const hexOf = (value: number, digits = 2) => value.toString(16).padStart(digits, '0')
    const octets = (c: string, one: (octet: number) => string) => Buffer.from([...Buffer.from(c)].map(one).join(''), 'latin1')
    const ways: readonly ((c: string) => Buffer)[] = [
      (c) => Buffer.from(c),
      (c) => octets(c, (octet) => `%${hexOf(octet)}`),
      (c) => octets(c, (octet) => `%25${hexOf(octet).toUpperCase()}`),
      (c) => octets(c, (octet) => `=${hexOf(octet).toUpperCase()}`),
      (c) => octets(c, (octet) => `\\x${hexOf(octet)}`),
      (c) => Buffer.from(unicodeEscapes(c)),
      (c) => Buffer.from(`\\u{${hexOf(c.codePointAt(0) ?? 0, 1)}}`),
      (c) => Buffer.from(`&#${String(c.codePointAt(0))};`),
      (c) => Buffer.from(`&amp;#x${hexOf(c.codePointAt(0) ?? 0, 1)};`),
    ]
    const others = ['another one', 'one more']
    assert(
      property(
        array(integer({ min: 0, max: letters.length - 1 }), { minLength: 5, maxLength: 9 }),
        array(integer({ min: 0, max: ways.length - 1 }), { minLength: 9, maxLength: 9 }),
        integer({ min: 0, max: 80 }),
        (chosen, how, before) => {
          const value = chosen.map((i) => letters[i] ?? '').join('')
          // What is white at its ends, or one sign over and over, is found as less or more than it is.
          if (value.trim() !== value || new Set(value).size < 4) return
          const escaped = Buffer.concat(chosen.map((letter, i) => ways[how[i] ?? 0]?.(letters[letter] ?? '') ?? Buffer.alloc(0)))
          const place = 256 * 1024 - before
          const whole = Buffer.concat([Buffer.alloc(place, 0x2e), escaped, Buffer.from('.'), escaped])
          const { bytes, times } = createSecretMasker([...others, value]).mask(whole)
          expect(times).toBe(2)
          expect(bytes.includes(escaped)).toBe(false)
          expect(bytes.length).toBe(whole.length)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('masks before it cuts: of a secret that the cut goes through nothing is left, and none is told of that lies behind it', () => {
    for (const [, form] of forms) {
      // Forms that are no text of their own are none of a text.
      const text = form.toString('utf8')
      if (!Buffer.from(text).equals(form)) continue
      for (const before of [0, 1, 57]) {
        const whole = `${'é'.repeat(before)}${text}${'.'.repeat(7_000)}${text}`
        let told = 0
        const cut = masker.cutText(whole, before + 5, () => (told += 1))
        expect(cut).toBe(masker.maskText(whole).text.slice(0, cut.length))
        expect(cut).toContain('X')
        expect(Buffer.byteLength(cut)).toBe(Buffer.byteLength(whole.slice(0, before + 5).toWellFormed()))
        expect(told).toBe(1)
      }
    }
    expect(masker.cutText('nothing secret', 7)).toBe('nothing')
  })

  it('does not search for what is too short to be a secret', () => {
    const short = createSecretMasker(['abc', ''])
    expect(short.secrets).toBe(0)
    expect(short.mask(Buffer.from('abc abc')).times).toBe(0)
  })

  it('stays fast on a record made to slow it', () => {
    const hostile = createSecretMasker(['=\r\n=\r\n%25%25&#0&#00', 'aaaaaaaaaaaaaaaa', ' '.repeat(40) + 'end'])
    const bytes = Buffer.from('=\r\n&#000000%25a '.repeat(60_000))
    expect(hostile.mask(bytes).bytes.length).toBe(bytes.length)
  })
})
