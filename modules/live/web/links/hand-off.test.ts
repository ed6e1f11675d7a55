import { expect, test } from 'vitest'
import { handOffLink, openToken, readLiveLink, sealToken, witnessLink } from './hand-off.ts'

const id = '01932f6e-7c3a-7d1e-8f00-6b1f5d3c2a10'
const secret = 'A'.repeat(43)

test('the token comes back with its key, for its evidence, and in no other way', async () => {
  const { sealed, key } = await sealToken('the-token', id)
  expect(sealed).toMatch(/^[A-Za-z0-9_-]{1,500}$/)
  expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(sealed).not.toContain('token')
  expect(await openToken(sealed, key, id)).toBe('the-token')
  expect(await openToken(sealed, key, id.replace('0193', '0194'))).toBeNull()
  expect(await openToken(sealed, (await sealToken('x', id)).key, id)).toBeNull()
  const altered = (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1)
  expect(await openToken(altered, key, id)).toBeNull()
  expect(await openToken('', key, id)).toBeNull()
  expect((await sealToken('the-token', id)).sealed).not.toBe(sealed)
})

test('links carry their secrets in the fragment', () => {
  const page = 'https://probant.example/fr/capture/x/'
  const link = new URL(handOffLink(page, secret, secret))
  expect(link.pathname + link.search).toBe('/fr/capture/x/')
  expect(readLiveLink(link.hash)).toEqual({ kind: 'hand_off', code: secret, key: secret })
  expect(readLiveLink(new URL(witnessLink(page, secret)).hash)).toEqual({ kind: 'witness', token: secret })
  for (const hash of ['', '#', '#content', '#witness=', `#witness=${secret}.${secret}`, `#hand-off=${secret}`, '#hand-off=a.b'])
    expect(readLiveLink(hash)).toBeNull()
})
