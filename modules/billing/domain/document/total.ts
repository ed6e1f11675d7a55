import type { Cents } from '../money/money.ts'
import type { Allowance, Line, Totals, VatSubtotal } from './invoice-document.ts'

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((all, each) => all + each, 0)

/** BG-22 of its parts (BR-CO-10 to BR-CO-16). */
export function totalsOf(
  parts: {
    readonly lines: readonly Line[]
    readonly allowances: readonly Allowance[]
    readonly vat: readonly Pick<VatSubtotal, 'tax'>[]
  },
  paid: Cents,
): Totals {
  const lines = sum(parts.lines.map(({ net }) => net))
  const allowances = sum(parts.allowances.map(({ amount }) => amount))
  const net = lines - allowances
  const vat = sum(parts.vat.map(({ tax }) => tax))
  return { lines, allowances, net, vat, gross: net + vat, paid, due: net + vat - paid }
}
