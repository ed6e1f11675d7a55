import type { Clock } from '../../../../kernel/clock.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { BasisPoints, Cents } from '../../domain/money/money.ts'

/** Who sells, as the operator states it and the law has it printed (C. com., art. R123-237 and L441-9; CGI, annexe II, art. 242 nonies A). */
export type Seller = {
  readonly name: string
  readonly legalForm: string
  readonly capital: string
  readonly siren: string
  readonly vatId: string
  /** Register and place: `RCS Marseille`. */
  readonly register: string
  readonly address: string
  readonly zip: string
  readonly city: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly iban: string
  /** null: banks find it by the account. */
  readonly bic: string | null
}

/** What is bought by itself. */
export type PurchaseCategory = 'evidence' | 'document' | 'license'

/** Of the module whose things are bought: told in the transaction of the payment, once for each. */
export type Purchased = { paid(this: void, tx: Tx, subjectId: string): Promise<void> }
export type Purchases = Readonly<Partial<Record<PurchaseCategory, Purchased>>>

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type BillingDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly seller: Seller
  /** 20 % unless told. */
  readonly vatRate?: BasisPoints
  /** What subscribers whose bank account may be debited owe until the invoice of the month; undefined: whatever is bought is paid at once. */
  readonly extras?: {
    /** Whose mandates they are. */
    readonly realm: string
    /** VAT included. */
    readonly limit: Cents
  }
  /** What follows a payment, by category. What nobody answers for is not sold. */
  readonly purchases?: Purchases
}
