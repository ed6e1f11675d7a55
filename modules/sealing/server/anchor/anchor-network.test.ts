import { expect, test } from 'vitest'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { anchorNetwork } from './anchor-network.ts'

/** Of block 0 of the main chain, which everybody can look up. */
const genesis = Buffer.from(
  `01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c`,
  'hex',
)
const easy = mineHeader(new Uint8Array(32), { at: 1_800_000_000 })

test('an anchor is of the main network when its block did the work, and nothing else was configured', () => {
  expect(anchorNetwork({ height: 0, header: genesis })).toBe('main')
  expect(anchorNetwork(null)).toBe('main')
  // Of a test network, though the settings were changed since.
  expect(anchorNetwork({ height: 924_011, header: easy }, 'main')).toBe('test')
  expect(anchorNetwork({ height: 0, header: genesis }, 'regtest')).toBe('test')
  expect(anchorNetwork(null, 'regtest')).toBe('test')
})
