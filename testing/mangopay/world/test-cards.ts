import type { ResultCode } from './result-codes.ts'

type TestCard = {
  readonly number: string
  /** Whether the issuer asks the cardholder: when the merchant leaves the choice to it, or whatever the merchant wished. */
  readonly challenge: 'when-forced' | 'when-free' | 'always'
  /** What the bank answers; cards without succeed. */
  readonly refusal?: ResultCode
}

/** The first four are those that the provider publishes for its sandbox; the others are the simulator's own. */
export const testCards: readonly TestCard[] = [
  { number: '4970107111111119', challenge: 'when-forced' },
  { number: '4970105181818183', challenge: 'when-free' },
  { number: '5033951000000004', challenge: 'when-forced' },
  { number: '375989111111119', challenge: 'when-forced' },
  { number: '4970101111111104', challenge: 'when-forced', refusal: '101101' },
  { number: '4970102222222202', challenge: 'when-forced', refusal: '008003' },
  { number: '4970103333333300', challenge: 'when-forced', refusal: '101102' },
  { number: '4970104444444408', challenge: 'always' },
  { number: '4970105555555502', challenge: 'when-forced', refusal: '008002' },
  { number: '4970106666666600', challenge: 'always', refusal: '101101' },
]

/** Amounts by which the provider documents that a card pay-in fails, in cents. */
export const refusedAmounts: Readonly<Record<number, ResultCode>> = { 333_13: '001013', 333_14: '105101', 333_55: '105103' }

/** A limit of the simulator's own: the provider publishes none that holds for everybody. */
export const highestCardAmount = 500_000_00

export function findTestCard(number: string): TestCard {
  return testCards.find((one) => one.number === number) ?? { number, challenge: 'when-forced' }
}

/** ISO/IEC 7812-1, annex B. */
export function passesLuhn(number: string): boolean {
  let sum = 0
  for (let at = 0; at < number.length; at++) {
    const digit = Number(number[number.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Whether the month `MMYY` is over at the instant. */
export function isExpired(expiry: string, seconds: number): boolean {
  const now = new Date(seconds * 1000)
  return 2000 + Number(expiry.slice(2)) - now.getUTCFullYear() < 0 || expiry.slice(2) + expiry.slice(0, 2) < yearAndMonth(now)
}

function yearAndMonth(date: Date): string {
  return String(date.getUTCFullYear() % 100).padStart(2, '0') + String(date.getUTCMonth() + 1).padStart(2, '0')
}
