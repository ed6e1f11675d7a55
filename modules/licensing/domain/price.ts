/** H-18: no licence for less, in cents without VAT. */
export const leastPrice = 2_000
/** One million euros. */
export const mostPrice = 100_000_000
/** Reports that one offer is of. */
export const mostReports = 20
export const longestDescription = 2_000

/** A share of a price, half a cent up: the platform's, which with what is left to the seller is the price; or VAT. @param rate basis points */
export function shareOf(netCents: number, rate: number): number {
  if (!Number.isSafeInteger(netCents) || netCents < 0 || !Number.isInteger(rate) || rate < 0 || rate > 10_000)
    throw new RangeError(`no share of ${netCents} at ${rate}`)
  return Number((BigInt(netCents) * BigInt(rate) * 2n + 10_000n) / 20_000n)
}
