import type { StatementLine } from './statement.ts'

/** A transfer that was announced to a customer, or one that we are to make. */
export type Announced = {
  readonly direction: 'in' | 'out'
  readonly payment: string
  readonly customer: string
  readonly key: string
  readonly tag: string
  readonly cents: number
  readonly reference: string
}

/** A line of a statement that was taken in; without a payment, somebody has to say what it is. */
export type Receipt = { readonly line: StatementLine; readonly payment: string | null }

/** Where announced transfers and lines of statements are kept. Each of these is one transaction. */
export type TransferBook = {
  /** @returns what is kept under this key: this, or what was kept before */
  announce(transfer: Announced): Promise<Announced>
  byPayment(payment: string): Promise<Announced | null>
  byTag(customer: string, tag: string): Promise<Announced | null>
  byReference(reference: string): Promise<Announced | null>
  receiptsOf(payment: string): Promise<readonly Receipt[]>
  /** @returns false for a line that is kept already, which stays as it is */
  keep(receipt: Receipt): Promise<boolean>
}
