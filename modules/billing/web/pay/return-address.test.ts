import { expect, test } from 'vitest'
import { readReturn, returnAddress } from './return-address.ts'

const invoice = '01932f6e-7c3a-7d1e-8f00-000000000001'

test('S-04 one comes back from one’s bank to the payment, and from there to where one was', () => {
  const address = new URL(returnAddress('fr', invoice, '/fr/capture/x/?tab=2'), 'https://probant.example')
  expect(address.pathname).toBe('/fr/payment/return/')
  expect(readReturn(Object.fromEntries(address.searchParams))).toEqual({ invoice, to: '/fr/capture/x/?tab=2' })
})

test.each(['https://elsewhere.example/en/', '//elsewhere.example/en/', '/\\elsewhere.example', '/account/', '/en/ x', 7])(
  'an address that was made up leads nowhere else: %s',
  (to) => expect(readReturn({ invoice: 'no id', to })).toEqual({ invoice: null, to: null }),
)
