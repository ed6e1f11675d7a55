import { parts } from '../../../kernel/proof-of-work.ts'

/** One second of a slow phone, half of one of a desktop computer. */
const firstHashes = 2 ** 18
/** With each further preview of the day. */
const growth = 1.35
/** Strangers that wait before the price rises; with each such number it rises by the first price again. */
const waitingStep = 20
const mostHashes = 2 ** 26

/**
 * Hashes that the next preview costs, on the mean, over all parts.
 * @param beyond previews beyond those that cost nothing; 0 for the first that costs
 * @param waiting strangers that wait at the moment
 */
export function priceOf(beyond: number, waiting: number): number {
  const price = firstHashes * growth ** Math.max(0, beyond) * (1 + Math.floor(waiting / waitingStep))
  return Math.round(Math.min(mostHashes, price) / parts) * parts
}
