/** What the simulator keeps, in the words of the wire: what is answered is what is kept, but for fields of `hidden`. */
export type Money = { Currency: string; Amount: number }

export type Entity = { Id: string; Tag: string | null; CreationDate: number }

export type Address = {
  AddressLine1: string
  AddressLine2: string | null
  City: string
  Region: string | null
  PostalCode: string
  Country: string
}

export type User = Entity & {
  PersonType: 'NATURAL' | 'LEGAL'
  UserCategory: 'PAYER' | 'OWNER'
  KYCLevel: 'LIGHT' | 'REGULAR'
  Email: string
  TermsAndConditionsAccepted: boolean
  [field: string]: unknown
}

export type Wallet = Entity & {
  Owners: string[]
  Description: string
  Currency: string
  Balance: Money
  FundsType: 'DEFAULT'
}

export type CardRegistration = Entity & {
  UserId: string
  Currency: string
  CardType: string
  AccessKey: string
  PreregistrationData: string
  CardRegistrationURL: string
  RegistrationData: string | null
  CardId: string | null
  ResultCode: string | null
  ResultMessage: string | null
  Status: 'CREATED' | 'VALIDATED' | 'ERROR'
}

export type Card = Entity & {
  UserId: string
  ExpirationDate: string
  Alias: string
  CardProvider: string
  CardType: string
  Country: string
  Product: string
  BankCode: string
  Active: boolean
  Currency: string
  Validity: 'UNKNOWN' | 'VALID' | 'INVALID'
  Fingerprint: string
  CardHolderName: string | null
}

export type Status = 'CREATED' | 'SUCCEEDED' | 'FAILED'

export type Transaction = Entity & {
  AuthorId: string
  CreditedUserId: string | null
  DebitedFunds: Money
  CreditedFunds: Money
  Fees: Money
  Status: Status
  ResultCode: string | null
  ResultMessage: string | null
  ExecutionDate: number | null
  Type: 'PAYIN' | 'TRANSFER' | 'PAYOUT'
  Nature: 'REGULAR' | 'REFUND' | 'REPUDIATION' | 'SETTLEMENT'
  CreditedWalletId: string | null
  DebitedWalletId: string | null
  [field: string]: unknown
}

export type RecurringRegistration = Entity & {
  Status: 'CREATED' | 'AUTHENTICATION_NEEDED' | 'IN_PROGRESS' | 'ENDED'
  AuthorId: string
  CardId: string
  CreditedUserId: string
  CreditedWalletId: string
  FirstTransactionDebitedFunds: Money
  FirstTransactionFees: Money
  NextTransactionDebitedFunds: Money | null
  NextTransactionFees: Money | null
  EndDate: number | null
  CurrentState: {
    PayinsLinked: number
    CumulatedDebitedAmount: Money
    CumulatedFeesAmount: Money
    LastPayinId: string | null
  }
  [field: string]: unknown
}

export type BankAccount = Entity & { UserId: string; Type: string; OwnerName: string; Active: boolean; [field: string]: unknown }

export type Recipient = Entity & {
  UserId: string
  Status: 'PENDING' | 'CANCELED' | 'ACTIVE' | 'DEACTIVATED'
  Currency: string
  [field: string]: unknown
}

export type Mandate = Entity & {
  UserId: string
  BankAccountId: string
  Status: 'CREATED' | 'SUBMITTED' | 'ACTIVE' | 'FAILED' | 'EXPIRED'
  Scheme: 'SEPA' | 'BACS' | null
  BankReference: string | null
  Culture: string
  ReturnURL: string
  RedirectURL: string
  ResultCode: string | null
  ResultMessage: string | null
  [field: string]: unknown
}

export type Dispute = Entity & {
  InitialTransactionId: string
  InitialTransactionType: 'PAYIN'
  DisputeType: 'CONTESTABLE' | 'NOT_CONTESTABLE' | 'RETRIEVAL'
  Status: 'CREATED' | 'PENDING_CLIENT_ACTION' | 'SUBMITTED' | 'PENDING_BANK_ACTION' | 'REOPENED_PENDING_CLIENT_ACTION' | 'CLOSED'
  ResultCode: string | null
  ResultMessage: string | null
  DisputeReason: { DisputeReasonType: string; DisputeReasonMessage: string | null }
  DisputedFunds: Money
  ContestedFunds: Money
  ContestDeadlineDate: number | null
  ClosedDate: number | null
  RepudiationId: string | null
  StatusMessage: string | null
}

export type KycDocument = Entity & {
  UserId: string
  Type: string
  Status: 'CREATED' | 'VALIDATION_ASKED' | 'VALIDATED' | 'REFUSED' | 'OUT_OF_DATE'
  RefusedReasonType: string | null
  RefusedReasonMessage: string | null
  ProcessedDate: number | null
  Flags: string[]
}

export type DisputeDocument = KycDocument & { DisputeId: string }

export type Ubo = Entity & { UserId: string; DeclarationId: string; IsActive: boolean; [field: string]: unknown }

export type UboDeclaration = Entity & {
  UserId: string
  Status: 'CREATED' | 'VALIDATION_ASKED' | 'VALIDATED' | 'REFUSED' | 'INCOMPLETE'
  Reason: string | null
  Message: string | null
  ProcessedDate: number | null
}

export type IdentityVerification = Entity & {
  UserId: string
  Status: 'PENDING' | 'VALIDATED' | 'REFUSED' | 'TIMEOUT'
  HostedUrl: string
  ReturnUrl: string
  LastUpdate: number
  Checks: { CheckId: string; Type: string; CheckStatus: string; Reasons: { Type: string; Value: string }[] }[]
}

export type Hook = Entity & { Url: string; Status: 'ENABLED' | 'DISABLED'; Validity: 'VALID' | 'INVALID'; EventType: string }

export type Kinds = {
  user: User
  wallet: Wallet
  cardRegistration: CardRegistration
  card: Card
  transaction: Transaction
  recurring: RecurringRegistration
  bankAccount: BankAccount
  recipient: Recipient
  mandate: Mandate
  dispute: Dispute
  kycDocument: KycDocument
  disputeDocument: DisputeDocument
  ubo: Ubo
  uboDeclaration: UboDeclaration
  identityVerification: IdentityVerification
  hook: Hook
}

export type Kind = keyof Kinds
