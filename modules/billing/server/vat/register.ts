import type { VatNumber } from '../../domain/vat/vat-number.ts'

/** What a register said of a number; `unreachable`: it said nothing, which is neither. */
export type RegisterAnswer =
  | {
      readonly state: 'valid' | 'invalid'
      /** By which the register knows that it was asked; null: it gave none. */
      readonly consultation: string | null
      /** As it came. */
      readonly answer: Readonly<Record<string, unknown>>
    }
  | { readonly state: 'unreachable'; readonly reason: string }

/** Whoever knows which numbers of VAT are in force. It never throws: what it cannot tell it says. */
export type VatRegister = { ask(this: void, number: VatNumber): Promise<RegisterAnswer> }
