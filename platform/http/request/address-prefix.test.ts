import { expect, test } from 'vitest'
import { addressPrefix, isLoopback } from './address-prefix.ts'

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:aabb:1:2:3:4', '2001:db8:1:aa00::/56'],
  ['2001:DB8:1:AAFF::9', '2001:db8:1:aa00::/56'],
  ['2001:db8::1', '2001:db8:0:0::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['', 'unknown'],
  ['nonsense', 'unknown'],
])('the network of %j is %s', (address, prefix) => {
  expect(addressPrefix(address)).toBe(prefix)
})

test('loopback in every form that a socket reports', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '128.0.0.1', '::2', '10.127.0.1'].filter(isLoopback)).toEqual([
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '::ffff:127.0.0.1',
  ])
})
