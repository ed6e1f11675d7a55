import type { BitcoinNetwork } from '../known/verify-deps.ts'
import { targetOf } from './block-header.ts'
import { bitsOfPeriods, checkpoints } from './known-chain-data.ts'

/**
 * What is publicly known of Bitcoin's main chain (SOURCES.md): the difficulty of every period of 2016 blocks, and the hash of some
 * blocks. A header that names another difficulty than its period's is not of that chain; one that names the right one cost as much
 * to make as the real block.
 */
const period = 2016
const digits = 8
const periods = bitsOfPeriods.length / digits

/** Height after which the difficulty is not bundled. */
export const knownUntil = periods * period - 1

/** The header's `bits` field at that height; undefined past what is bundled. */
export function knownBits(height: number): number | undefined {
  const at = Math.floor(height / period) * digits
  return height > knownUntil ? undefined : Number.parseInt(bitsOfPeriods.slice(at, at + digits), 16)
}

/** Hash as explorers write it; undefined when that height is not among the bundled ones. */
export function checkpointHash(height: number): string | undefined {
  return Object.hasOwn(checkpoints, height) ? checkpoints[height] : undefined
}

export type Plausibility = 'as_known' | 'plausible' | 'doubtful' | 'implausible'

/**
 * Past what is bundled, a target up to four times the last known one is what one adjustment can reach; up to 65,536 times, what
 * years of decline could. Anything easier is no block of the main chain.
 */
export function plausibilityOf(height: number, bits: number, network: BitcoinNetwork): Plausibility {
  const target = targetOf(bits)
  if (target === null) return 'implausible'
  if (network === 'regtest') return 'plausible'
  const known = knownBits(height)
  if (known !== undefined) return bits === known ? 'as_known' : 'implausible'
  const last = targetOf(Number.parseInt(bitsOfPeriods.slice(-digits), 16)) ?? 0n
  if (target <= last * 4n) return 'plausible'
  return target <= last * 65_536n ? 'doubtful' : 'implausible'
}
