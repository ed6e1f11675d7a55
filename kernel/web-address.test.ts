import * as fc from '../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { classifyAddress, formatIp, isAllowedAddress } from './ip-address.ts'
import { classifyHost, isRefusedPort, maxWebAddressLength, parseWebAddress } from './web-address.ts'
import { share } from '../testing/sweep.ts'

test.each([
  ['example.com', 'https://example.com/'],
  ['  example.com/a b  ', 'https://example.com/a%20b'],
  ['EXAMPLE.com:443', 'https://example.com/'],
  ['example.com:8080/x?y#z', 'https://example.com:8080/x?y#z'],
  ['//example.com/x', 'https://example.com/x'],
  ['HTTP://example.com', 'http://example.com/'],
  ['https://example.com/@user', 'https://example.com/@user'],
  ['https://example.com/?mail=a@b.c', 'https://example.com/?mail=a@b.c'],
  ['https://münchen.de/straße', 'https://xn--mnchen-3ya.de/stra%C3%9Fe'],
  ['https://example.com./', 'https://example.com./'],
  ['http://8.8.8.8', 'http://8.8.8.8/'],
  ['http://134744072/', 'http://8.8.8.8/'],
  ['http://[2606:4700:4700::1111]:8443/', 'http://[2606:4700:4700::1111]:8443/'],
  ['my_site.example.com', 'https://my_site.example.com/'],
  ['http://example.com:888', 'http://example.com:888/'],
])('%s becomes %s', (text, url) => {
  expect(parseWebAddress(text)).toEqual({ ok: true, url })
})

test.each([
  ['', 'unparseable_address', 'empty'],
  [' \t ', 'unparseable_address', 'empty'],
  [`https://example.com/${'a'.repeat(maxWebAddressLength)}`, 'unparseable_address', 'too_long'],
  ['https://exa\u0000mple.com', 'unparseable_address', 'control_character'],
  ['https://exa\nmple.com', 'unparseable_address', 'control_character'],
  ['https://example.com/\u202egpj.exe', 'unparseable_address', 'deceptive_character'],
  ['https://example.com/\u2066x', 'unparseable_address', 'deceptive_character'],
  ['https://example.com/\ud800', 'unparseable_address', 'deceptive_character'],
  ['http://', 'unparseable_address', 'malformed'],
  ['http:///x', 'unparseable_address', 'malformed'],
  ['http:example.com', 'unparseable_address', 'malformed'],
  ['https://\\example.com', 'unparseable_address', 'malformed'],
  ['https://exa mple.com', 'unparseable_address', 'malformed'],
  ['https://a..b', 'unparseable_address', 'malformed'],
  ['https://-a.example', 'unparseable_address', 'malformed'],
  ['https://example.com:99999', 'unparseable_address', 'malformed'],
  ['http://[fe80::1%25eth0]/', 'unparseable_address', 'malformed'],
  ['http://1.2.3.4.5/', 'unparseable_address', 'malformed'],
  ['hello world', 'unparseable_address', 'malformed'],
  [`https://${'a'.repeat(64)}.com`, 'unparseable_address', 'malformed'],
  [`https://${'a.'.repeat(130)}com`, 'unparseable_address', 'malformed'],
  ['javascript:alert(1)', 'unsupported_scheme', undefined],
  ['file:///etc/passwd', 'unsupported_scheme', undefined],
  ['ftp://example.com', 'unsupported_scheme', undefined],
  ['data:text/html,x', 'unsupported_scheme', undefined],
  ['view-source:https://example.com', 'unsupported_scheme', undefined],
  ['chrome://version', 'unsupported_scheme', undefined],
  ['https://user:pass@example.com', 'credentials_in_address', undefined],
  ['https://user@example.com', 'credentials_in_address', undefined],
  ['https://@example.com', 'credentials_in_address', undefined],
  ['user@example.com', 'credentials_in_address', undefined],
  ['http://2130706433/', 'private_address', 'loopback'],
  ['http://0x7f.1', 'private_address', 'loopback'],
  ['http://0177.0.0.01', 'private_address', 'loopback'],
  ['http://１２７.0.0.1/', 'private_address', 'loopback'],
  ['http://%31%32%37.0.0.1', 'private_address', 'loopback'],
  ['http://127.0.0.1./', 'private_address', 'loopback'],
  ['http://[::ffff:10.0.0.1]/', 'private_address', 'ipv4_mapped'],
  ['http://[64:ff9b::a00:1]/', 'private_address', 'nat64'],
  ['localhost:8123', 'private_address', 'local_name'],
  ['http://a.LOCALHOST.', 'private_address', 'local_name'],
  ['nope', 'unparseable_address', 'single_label'],
  ['https://intranet/x', 'unparseable_address', 'single_label'],
  ['intranet.corp', 'private_address', 'local_name'],
  ['printer.local', 'private_address', 'local_name'],
  ['metadata.google.internal', 'private_address', 'local_name'],
  ['https://example.com:25', 'port_refused', undefined],
  ['https://example.com:6667', 'port_refused', undefined],
  ['https://example.com:0', 'port_refused', undefined],
])('%s is refused as %s', (text, code, reason) => {
  const result = parseWebAddress(text)
  expect(result).toMatchObject({ ok: false, code })
  if (!result.ok && reason !== undefined) expect(result.data.reason).toBe(reason)
})

test('an exception lets one address and port through, by number or as localhost', () => {
  const allow = ['127.0.0.1:8123', '[::1]:8123']
  for (const text of ['http://127.0.0.1:8123/', 'http://localhost:8123/', 'http://0x7f000001:8123/', 'http://[::1]:8123/'])
    expect([text, parseWebAddress(text, allow).ok]).toEqual([text, true])
  for (const text of [
    'http://127.0.0.1:8124/',
    'http://127.0.0.2:8123/',
    'http://localhost/',
    'http://10.0.0.1:8123/',
    'http://[::ffff:127.0.0.1]:8123/',
    'http://a@127.0.0.1:8123/',
    'http://intranet:8123',
  ])
    expect([text, parseWebAddress(text, allow).ok]).toEqual([text, false])
  expect(parseWebAddress('http://127.0.0.1:25', ['127.0.0.1:25']).ok).toBe(true)
})

test('whatever is accepted is a web address of a public host, and is accepted again unchanged', () => {
  const allow = ['127.0.0.1:8123']
  const piece = fc.oneof(
    fc.constantFrom(
      'http://',
      'https://',
      '//',
      '127.0.0.1',
      '0x7f',
      '.',
      ':',
      '8123',
      '@',
      '[',
      ']',
      '::1',
      '::ffff:',
      '%',
      '/',
      '\\',
      '?',
      '#',
      'localhost',
      '.local',
      'example.com',
      '０',
      '。',
      '\u00ad',
      '\u202e',
      ' ',
      '\t',
      '-',
      '10.1',
      '2130706433',
      'ß',
      '💥',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.webUrl(),
    fc.ipV4Extended(),
    fc.ipV6(),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const result = parseWebAddress(pieces.join(''), allow)
      if (!result.ok) return
      const url = new URL(result.url)
      expect(['http:', 'https:']).toContain(url.protocol)
      expect(url.username + url.password).toBe('')
      const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443)
      const host = classifyHost(url.hostname)
      if (host.kind === 'address') expect(classifyAddress(host.ip).global || isAllowedAddress(allow, host.ip, port)).toBe(true)
      else if (host.kind === 'loopback_name') expect(port).toBe(8123)
      else expect(host.kind).toBe('name')
      expect(isRefusedPort(port)).toBe(false)
      if (result.url.length <= maxWebAddressLength) expect(parseWebAddress(result.url, allow)).toEqual(result)
    }),
    { numRuns: share(20_000) },
  )
})

test('no spelling of a private IPv4 address gets through', () => {
  const radix = fc.constantFrom(
    (n: number) => String(n),
    (n: number) => `0x${n.toString(16)}`,
    (n: number) => `0X${n.toString(16).toUpperCase()}`,
    (n: number) => `0${n.toString(8)}`,
    (n: number) => String(n).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    (n: number) => Array.from(String(n), (char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  )
  const bytes = fc.uint8Array({ minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(
      bytes,
      fc.integer({ min: 1, max: 4 }),
      fc.tuple(radix, radix, radix, radix),
      fc.constantFrom('.', '。', '．', '%2e'),
      fc.constantFrom('', '.'),
      (address, parts, write, dot, tail) => {
        const whole = address.slice(parts - 1).reduce((value, byte) => value * 256 + byte, 0)
        const numbers = [...address.slice(0, parts - 1), whole]
        const host = numbers.map((number, i) => (write[i] ?? String)(number)).join(dot) + tail
        const { global } = classifyAddress(formatIp(address))
        expect(parseWebAddress(`http://${host}/`)).toMatchObject(
          global ? { ok: true, url: `http://${formatIp(address)}/` } : { ok: false, code: 'private_address' },
        )
      },
    ),
    { numRuns: share(5_000) },
  )
})
