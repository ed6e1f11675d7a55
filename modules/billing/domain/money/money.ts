/** An amount of euros in whole cents: a safe integer, never a fraction. */
export type Cents = number
/** A rate of VAT in hundredths of a percent: 2000 is 20 %. */
export type BasisPoints = number

/** What is said of an amount everywhere: without VAT, the VAT, and both. */
export type Amount = { readonly net: Cents; readonly vat: Cents; readonly gross: Cents }

export const nothing: Amount = { net: 0, vat: 0, gross: 0 }

/** @throws RangeError for what is no amount that can be held exactly */
function exact(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number of cents`)
  return value
}

/** `amount × part ÷ whole`, half a cent up; of amounts that are not negative. */
export function share(amount: Cents, part: number, whole: number): Cents {
  if (exact(amount) < 0 || exact(part) < 0 || exact(whole) <= 0)
    throw new RangeError(`no share of ${amount}: ${part} of ${whole}`)
  const [product, divisor] = [BigInt(amount) * BigInt(part), BigInt(whole)]
  return exact(Number((product * 2n + divisor) / (divisor * 2n)))
}

export const vatOf = (net: Cents, rate: BasisPoints): Cents => share(net, rate, 10_000)

export function amountOf(net: Cents, vat: Cents): Amount {
  return { net: exact(net), vat: exact(vat), gross: exact(net + vat) }
}

export const priced = (net: Cents, rate: BasisPoints): Amount => amountOf(net, vatOf(net, rate))

export function sumOf(amounts: readonly Pick<Amount, 'net' | 'vat'>[]): Amount {
  return amounts.reduce<Amount>((sum, { net, vat }) => amountOf(sum.net + net, sum.vat + vat), nothing)
}

/** In so many parts, alike but for the last, which takes what is left: net and VAT both, so that the parts are the whole to the cent. */
export function splitAmount({ net, vat }: Pick<Amount, 'net' | 'vat'>, parts: number): readonly Amount[] {
  if (exact(parts) < 1) throw new RangeError(`an amount is not split in ${parts}`)
  const each = { net: Math.trunc(exact(net) / parts), vat: Math.trunc(exact(vat) / parts) }
  return Array.from({ length: parts }, (_, index) =>
    index < parts - 1 ? amountOf(each.net, each.vat) : amountOf(net - each.net * (parts - 1), vat - each.vat * (parts - 1)),
  )
}

/** Of an amount, as much as falls on so many days of all; all of it on all of them, whatever was rounded before. */
export function prorate(amount: Pick<Amount, 'net' | 'vat'>, days: number, ofDays: number): Amount {
  return amountOf(share(amount.net, days, ofDays), share(amount.vat, days, ofDays))
}
