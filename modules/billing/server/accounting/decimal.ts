import type { Cents } from '../../domain/money/money.ts'

/** `1234` is `12.34`: cents are never seen as a fraction by a program. */
export function decimal(cents: Cents, point: '.' | ','): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${point}${digits.slice(-2)}`
}
