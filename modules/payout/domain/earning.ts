/** What somebody earns by what another pays. Amounts are whole cents of euros, rates hundredths of a percent. */
export type Source = 'referral' | 'license'

/** How an invoice stands that something was earned by. */
export type InvoiceStands = {
  readonly paid: boolean
  readonly netCents: number
  /** What credit notes took of it. */
  readonly creditedCents: number
}

/** `amount × part ÷ whole`, half a cent up; none of them is negative. */
function shareOf(amount: number, part: number, whole: number): number {
  const [product, divisor] = [BigInt(amount) * BigInt(part), BigInt(whole)]
  return Number((product * 2n + divisor) / (divisor * 2n))
}

/** H-48: so much of the price without VAT. */
export const earnedOf = (baseCents: number, rate: number): number => shareOf(baseCents, rate, 10_000)

/** What is left of it: nothing of what was taken back, and of what was credited in part, as much as was not. */
export function standingOf(amountCents: number, { paid, netCents, creditedCents }: InvoiceStands): number {
  if (!paid || netCents === 0 || creditedCents >= netCents) return 0
  return shareOf(amountCents, netCents - creditedCents, netCents)
}
