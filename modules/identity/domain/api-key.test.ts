import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { apiKeyHint, apiKeyOf, isApiKey } from './api-key.ts'

const random = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE'
// Computed with Python: zlib.crc32(random) = 3781916883, in base 62 of 0-9A-Za-z.
const key = `pbt_${random}47wXLP`

test('a key is its random bits and their checksum', () => {
  expect(random).toHaveLength(43)
  expect(apiKeyOf(random, crc32)).toBe(key)
  expect(apiKeyHint(key)).toBe('pbt_AbCd')
  expect(isApiKey(key, crc32)).toBe(true)
  // The widest and the narrowest checksums that there are.
  expect(apiKeyOf(random, () => 0xffffffff).slice(-6)).toBe('4gfFC3')
  expect(apiKeyOf(random, () => 0).slice(-6)).toBe('000000')
})

test('no slip of whoever types it is taken for a key', () => {
  for (let at = 0; at < key.length; at += 1)
    for (const typed of ['a', 'B', '7', '-']) {
      const slipped = key.slice(0, at) + typed + key.slice(at + 1)
      if (slipped !== key) expect(isApiKey(slipped, crc32), slipped).toBe(false)
    }
  for (const other of ['', 'pbt_', key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.replace('pbt_', 'ghp_')])
    expect(isApiKey(other, crc32), other).toBe(false)
})
