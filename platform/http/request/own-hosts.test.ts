import { expect, test } from 'vitest'
import { addressBy, ownHosts } from './own-hosts.ts'

const publicUrl = 'https://probant.example'

test.each([
  ['probant.example', true, true],
  ['PROBANT.example.:443', true, true],
  ['preuves.example', true, true],
  ['evil.example', false, false],
  ['probant.example.evil.example', false, false],
  ['xprobant.example', false, false],
  ['localhost:8080', true, false],
  ['orme.localhost:8080', true, false],
  ['192.168.1.5:8080', true, false],
  ['127.0.0.1:8080', true, true],
  ['[::1]:8080', true, true],
  ['[2001:db8::1]', true, false],
  ['', false, false],
  ['probant.example:80:80', false, false],
  ['probant.example@evil.example', false, false],
])('%s: ours while developing %s, in production %s', (host, developing, production) => {
  expect(ownHosts({ environment: 'development', publicUrl }, ['preuves.example'])(host)).toBe(developing)
  expect(ownHosts({ environment: 'production', publicUrl }, ['preuves.example'])(host)).toBe(production)
})

test.each([
  ['https://probant.example', 'preuves.partner.example', 'https://preuves.partner.example'],
  ['https://probant.example:8443', 'Preuves.Partner.example:443', 'https://preuves.partner.example:8443'],
  ['http://localhost:8080', '127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://localhost:8080', '[::1]:8080', 'http://[::1]:8080'],
  ['https://probant.example', 'no name/at all', 'https://probant.example'],
])('%s, asked for by %s, is %s', (publicUrl, host, address) => expect(addressBy(publicUrl, host)).toBe(address))
