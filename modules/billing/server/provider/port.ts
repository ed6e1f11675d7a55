/**
 * What billing needs of whoever moves money, in its own words. An adapter translates and decides nothing: whether to try again, to dun or to
 * credit is told by the rules that call it. Card data are no part of this: they go from the browser to the provider.
 */
export type Amount = { readonly cents: number; readonly currency: 'EUR' }

/** One attempt at something that must happen once. */
export type Attempt = {
  /** Ours, 16 to 36 letters, digits and dashes. The same for every try of this attempt, and for no other. */
  readonly key: string
  /** Ours; the provider keeps it with what is made, which can be found by it. */
  readonly tag: string
  /** When it was first tried: keys are not remembered for ever, and one that is forgotten must not be sent again. */
  readonly since: Date
}

/** Why not, as far as it changes what the customer is told or what happens next. */
export type Refusal =
  | 'amount_too_low'
  | 'amount_too_high'
  | 'currency'
  | 'declined'
  | 'insufficient_funds'
  | 'card_expired'
  | 'card_lost_or_stolen'
  | 'card_unusable'
  | 'card_data'
  | 'authentication_failed'
  | 'authentication_expired'
  | 'authentication_needed'
  | 'mandate_unusable'
  | 'abandoned'
  | 'account_refused'
  | 'not_verified'
  | 'balance_too_low'
  | 'already_refunded'
  | 'disputed'
  | 'invalid'
  | 'other'

/** Where the customer sends a transfer. */
export type Instructions = {
  readonly holder: string
  readonly iban: string
  readonly bic: string | null
  readonly reference: string
}

/** Nothing left this machine, or it is certain that nothing was taken in: it may be tried again at will. */
export type Unsent = { readonly state: 'unsent' }
/** It may have happened. Only the same key, or a search by tag, may say; a new key never. */
export type Unknown = { readonly state: 'unknown' }
export type Refused = {
  readonly state: 'refused'
  /** Where the provider keeps a trace of it. */
  readonly payment: string | null
  readonly reason: Refusal
  /** The provider's own code, for whoever has to ask it. */
  readonly code: string | null
}

/** What became of money that was to move. Closed: whoever reads it says what each means. */
export type Outcome =
  | { readonly state: 'succeeded'; readonly payment: string; readonly amount: Amount; readonly at: Date }
  | { readonly state: 'processing'; readonly payment: string; readonly expectedOn: Date | null }
  /** The customer must confirm at this address, and comes back from there. */
  | { readonly state: 'customer_needed'; readonly payment: string; readonly address: string }
  | {
      readonly state: 'transfer_awaited'
      readonly payment: string
      readonly instructions: Instructions
      readonly receivedCents: number
    }
  /** It had succeeded, and so much was taken back of it by now; more than it was of: with a fee. */
  | {
      readonly state: 'reversed'
      readonly payment: string
      readonly amount: Amount
      readonly cause: 'dispute' | 'late_failure' | 'returned'
    }
  /** Money moved, but not what was asked for: somebody has to look. */
  | { readonly state: 'mismatched'; readonly payment: string; readonly receivedCents: number; readonly currency: string }
  | Refused
  | Unsent
  | Unknown

/** Of what was to be made without money moving: a customer, an account. */
export type Made = { readonly state: 'made'; readonly id: string } | Refused | Unsent | Unknown

/** Searched by tag among what the customer paid; `absent` is certain. */
export type Found = Outcome | { readonly state: 'absent' }

export type Address = {
  readonly line1: string
  readonly line2: string | null
  readonly city: string
  readonly region: string | null
  readonly postcode: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** What is asked of whom we pay, beyond whom we are paid by. */
export type Civil = { readonly birthday: string; readonly nationality: string; readonly residence: string }

export type Customer = {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly address: Address | null
  readonly company: {
    readonly name: string
    readonly number: string
    readonly kind: 'business' | 'organization' | 'sole_trader'
  } | null
  /** Given where he is to be paid, and accepted the provider's terms. */
  readonly civil: Civil | null
}

export type BankAccount =
  | { readonly kind: 'iban'; readonly iban: string; readonly bic: string | null }
  | { readonly kind: 'gb'; readonly sortCode: string; readonly number: string }
  | { readonly kind: 'us'; readonly aba: string; readonly number: string }
  | { readonly kind: 'ca'; readonly bank: string; readonly institution: string; readonly branch: string; readonly number: string }
  | { readonly kind: 'other'; readonly country: string; readonly bic: string; readonly number: string }

export type AccountHolder = { readonly name: string; readonly address: Address }

/** What the cardholder's bank wants to know of the browser before which he sits. */
export type Browser = {
  readonly ip: string
  readonly accept: string
  readonly userAgent: string
  readonly language: string
  readonly javaEnabled: boolean
  readonly colorDepth: number
  readonly screenWidth: number
  readonly screenHeight: number
  /** Minutes. */
  readonly timeZoneOffset: number
}

export type PresentCharge = {
  readonly customer: string
  readonly amount: Amount
  /** A card of this once, or a series, whose first payment or renewed consent this is. */
  readonly by: { readonly card: string } | { readonly series: string }
  readonly browser: Browser
  readonly language: 'en' | 'fr'
  readonly returnTo: string
  /** The customer's bank is asked to have him confirm, whatever it would do by itself. */
  readonly confirm: boolean
}

export type CardRegistration = {
  readonly state: 'begun'
  readonly id: string
  /** Where the browser posts the card, with these two values. */
  readonly address: string
  readonly accessKey: string
  readonly data: string
}

export type RegisteredCard = {
  readonly state: 'registered'
  readonly card: string
  /** As it may be shown: the last four digits are its own. */
  readonly alias: string
  /** The first day on which it no longer holds. */
  readonly expires: string
}

export type Cards = {
  beginRegistration(customer: string, attempt: Attempt): Promise<CardRegistration | Refused | Unsent | Unknown>
  finishRegistration(registration: string, answer: string): Promise<RegisteredCard | Refused | Unsent | Unknown>
  endCard(card: string): Promise<Made>
  /** Agreed once with the customer, charged later without him. */
  openSeries(series: { customer: string; card: string; amount: Amount; holder: AccountHolder }, attempt: Attempt): Promise<Made>
  readSeries(series: string): Promise<'new' | 'ready' | 'customer_needed' | 'ended' | 'unknown'>
  endSeries(series: string): Promise<Made>
  chargeNow(charge: PresentCharge, attempt: Attempt): Promise<Outcome>
  chargeLater(charge: { customer: string; series: string; amount: Amount }, attempt: Attempt): Promise<Outcome>
}

export type MandateReading =
  | { readonly state: 'customer_needed'; readonly id: string; readonly address: string }
  | { readonly state: 'submitted' | 'active'; readonly id: string; readonly reference: string | null }
  | {
      readonly state: 'failed'
      readonly id: string
      readonly cause: 'customer' | 'us' | 'unconfirmed' | 'bank'
      readonly code: string | null
    }
  | { readonly state: 'expired'; readonly id: string }
  | Refused
  | Unsent
  | Unknown

export type Debits = {
  createMandate(mandate: { account: string; language: 'en' | 'fr'; returnTo: string }, attempt: Attempt): Promise<MandateReading>
  readMandate(mandate: string): Promise<MandateReading>
  cancelMandate(mandate: string): Promise<MandateReading>
  debit(debit: { customer: string; mandate: string; amount: Amount }, attempt: Attempt): Promise<Outcome>
}

export type Transfers = {
  /** Says where and with what reference the customer sends this amount. */
  announce(transfer: { customer: string; amount: Amount }, attempt: Attempt): Promise<Outcome>
}

/** Nobody does it for us: somebody transfers it himself, with this reference, by which a statement tells that he did. */
export type ByHand = { readonly state: 'by_hand'; readonly payment: string; readonly reference: string }

export type RefundOutcome = Exclude<Outcome, { readonly state: 'customer_needed' | 'transfer_awaited' | 'reversed' }> | ByHand

/** Of which payment something was given back, with the tag of whoever asked for it. */
export type RefundOrigin = { readonly payment: string; readonly tag: string | null; readonly outcome: RefundOutcome }

export type Refunds = {
  refund(refund: { customer: string; payment: string; amount: Amount }, attempt: Attempt): Promise<RefundOutcome>
  readRefund(refund: string): Promise<RefundOutcome>
  /** Where somebody may give back without us, in pages of the provider’s own. null: it is of no payment. */
  originOf?(refund: string): Promise<RefundOrigin | 'unknown' | null>
  /** Among all that was given back of a payment, by its tag; `absent` is certain. */
  findRefund(search: {
    customer: string
    payment: string
    attempt: Attempt
  }): Promise<RefundOutcome | { readonly state: 'absent' }>
}

export type Accounts = {
  registerAccount(customer: string, holder: AccountHolder, account: BankAccount, attempt: Attempt): Promise<Made>
  /** Its mandates end with it. */
  endAccount(customer: string, account: string): Promise<Made>
}

export type PayeeReading =
  | { readonly state: 'customer_needed'; readonly id: string; readonly address: string }
  | { readonly state: 'usable' | 'ended'; readonly id: string }
  | Refused
  | Unsent
  | Unknown

export type Payouts = {
  /** Where a customer is paid to; he confirms it himself before it is of use. */
  registerPayee(
    customer: string,
    holder: AccountHolder,
    account: BankAccount,
    returnTo: string,
    attempt: Attempt,
  ): Promise<PayeeReading>
  readPayee(payee: string, returnTo: string): Promise<PayeeReading>
  /** From us to what the provider keeps for the customer. */
  grant(transfer: { customer: string; amount: Amount }, attempt: Attempt): Promise<Outcome>
  payOut(payout: { customer: string; payee: string; amount: Amount; reference: string }, attempt: Attempt): Promise<Outcome>
  readPayOut(payout: string): Promise<Outcome>
  /** By its tag, among what came into the customer's purse or left it, once its key may be forgotten. */
  findGrant(search: { customer: string; attempt: Attempt }): Promise<Found>
  findPayOut(search: { customer: string; attempt: Attempt }): Promise<Found>
}

export type DocumentKind = 'identity' | 'registration' | 'articles' | 'shareholders' | 'address'

/** The reasons of the specification, and two that came since. */
export type DocumentRefusal =
  | 'unreadable'
  | 'not_accepted'
  | 'expired'
  | 'incomplete'
  | 'missing'
  | 'other_person'
  | 'other_account'
  | 'falsified'
  | 'underage'
  | 'specific'

export type DocumentReading =
  | { readonly state: 'draft' | 'submitted' | 'validated' | 'out_of_date'; readonly id: string }
  | {
      readonly state: 'document_refused'
      readonly id: string
      readonly reason: DocumentRefusal
      readonly flags: readonly string[]
    }
  | Refused
  | Unsent
  | Unknown

export type VerificationReading =
  | { readonly state: 'customer_needed'; readonly id: string; readonly address: string }
  | { readonly state: 'in_review' | 'verified' | 'expired'; readonly id: string }
  | { readonly state: 'not_verified'; readonly id: string }
  | Refused
  | Unsent
  | Unknown

export type Identity = {
  /** Made, given its pages and handed in: one attempt for all of it. */
  submitDocument(
    document: { customer: string; kind: DocumentKind; pages: readonly Uint8Array[] },
    attempt: Attempt,
  ): Promise<DocumentReading>
  readDocument(document: string): Promise<DocumentReading>
  /** On a page of the provider's own. */
  beginVerification(customer: string, returnTo: string, attempt: Attempt): Promise<VerificationReading>
  readVerification(verification: string): Promise<VerificationReading>
  isVerified(customer: string): Promise<boolean | 'unknown'>
}

/** Something of the provider's that changed, or is said to have: it is read again, and nothing else is believed. */
export type Named = {
  readonly kind:
    | 'payment'
    | 'refund'
    | 'payout'
    | 'transfer'
    | 'mandate'
    | 'document'
    | 'declaration'
    | 'verification'
    | 'payee'
    | 'dispute'
    | 'customer'
    | 'series'
  readonly id: string
}

export type Notices = {
  /** @returns null for what is no notice of ours. Anybody may send one: it only names what to read. */
  parse(query: URLSearchParams): Named | null
  /** The payment that a dispute is about, if there is such a dispute. */
  paymentOf(dispute: string): Promise<{ readonly payment: string | null } | 'unknown'>
  /** Asks to be told at this address. @returns whether it is so */
  subscribe(address: string): Promise<boolean>
  /** What changed since, by the provider's own record, for notices that never came. */
  changedSince(since: Date): Promise<readonly Named[] | 'unknown'>
}

export type PaymentProvider = {
  readonly name: 'mangopay' | 'transfer'
  /** Which provider, under which contract: what one gave out means nothing to another. */
  readonly realm: string
  /** No money moves: every screen and document says so. */
  readonly isTest: boolean
  registerCustomer(customer: Customer, attempt: Attempt): Promise<Made>
  readPayment(payment: string): Promise<Outcome>
  findPayment(search: { customer: string; attempt: Attempt }): Promise<Found>
  readonly transfers: Transfers
  /** What not every provider can do. */
  readonly cards?: Cards
  readonly debits?: Debits
  readonly refunds?: Refunds
  readonly accounts?: Accounts
  readonly payouts?: Payouts
  readonly identity?: Identity
  readonly notices?: Notices
}
