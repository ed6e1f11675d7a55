/** VAT on what somebody invoices us for bringing customers, or for the rights to his reports. */
export type PayoutVat = {
  readonly treatment: 'standard' | 'reverse_charge' | 'none'
  /** Hundredths of a percent. */
  readonly rate: number
}

const french: ReadonlySet<string> = new Set(['FR', 'MC'])

/**
 * A firm whose VAT number is valid invoices VAT in France, and elsewhere in the Union leaves it to us (CGI 283, 2). Whoever has no such number owes
 * none: he is no taxable person, or is below the threshold (CGI 293 B).
 */
export function payoutVatOf(
  payee: { readonly business: boolean; readonly country: string; readonly vatNumber: string | null; readonly valid: boolean },
  standardRate: number,
): PayoutVat {
  if (!payee.business || payee.vatNumber === null || !payee.valid) return { treatment: 'none', rate: 0 }
  if (french.has(payee.country)) return { treatment: 'standard', rate: standardRate }
  return { treatment: 'reverse_charge', rate: 0 }
}
