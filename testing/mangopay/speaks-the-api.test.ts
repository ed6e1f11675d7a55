import MangoPay from 'mangopay4-nodejs-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMangopay, runMangopay, simulatedClient } from './run-mangopay.ts'

/** The SDK as its authors publish it, told nothing but an address: what it reads must be what their own tests of it expect. */
type Loose = Record<string, Record<string, (...given: unknown[]) => Promise<Read>>>
type Read = { [field: string]: unknown; Id: string; Status: string }

let mangopay: RunningMangopay
let sdk: Loose

const address = { AddressLine1: '1 rue du Port', City: 'Marseille', Region: 'PACA', PostalCode: '13002', Country: 'FR' }
const natural = {
  PersonType: 'NATURAL',
  FirstName: 'Anne',
  LastName: 'Martin',
  Email: 'anne@example.org',
  Birthday: 188_301_600,
  Nationality: 'FR',
  CountryOfResidence: 'FR',
  TermsAndConditionsAccepted: true,
}
const legal = {
  PersonType: 'LEGAL',
  LegalPersonType: 'BUSINESS',
  Name: 'Port SARL',
  Email: 'port@example.org',
  HeadquartersAddress: address,
  LegalRepresentativeFirstName: 'Anne',
  LegalRepresentativeLastName: 'Martin',
  LegalRepresentativeBirthday: 188_301_600,
  LegalRepresentativeNationality: 'FR',
  LegalRepresentativeCountryOfResidence: 'FR',
  CompanyNumber: '123456789',
  TermsAndConditionsAccepted: true,
}
const euros = (Amount: number) => ({ Currency: 'EUR', Amount })
const browser = {
  IpAddress: '2001:db8::1',
  BrowserInfo: {
    AcceptHeader: 'text/html',
    JavaEnabled: false,
    Language: 'fr-FR',
    ColorDepth: 24,
    ScreenHeight: 900,
    ScreenWidth: 1440,
    JavascriptEnabled: true,
    TimeZoneOffset: '-60',
    UserAgent: 'Mozilla/5.0',
  },
}

beforeAll(async () => {
  mangopay = await runMangopay()
  sdk = new MangoPay({
    clientId: simulatedClient.clientId,
    clientApiKey: simulatedClient.apiKey,
    baseUrl: mangopay.origin,
    errorHandler: () => undefined,
  }) as unknown as Loose
})
afterAll(() => mangopay.stop())

const call = (service: string, name: string, ...given: unknown[]): Promise<Read> => {
  const found = sdk[service]?.[name]
  if (found === undefined) throw new RangeError(`the SDK has no ${service}.${name}`)
  return found.call(sdk[service], ...given)
}
const refusal = (promise: Promise<unknown>): Promise<{ Type: string; errors: Record<string, string> | null }> =>
  promise.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as { Type: string; errors: Record<string, string> | null },
  )

async function person(): Promise<{ user: string; wallet: string }> {
  const user = await call('Users', 'create', { ...natural })
  const wallet = await call('Wallets', 'create', { Owners: [user.Id], Currency: 'EUR', Description: 'Wallet' })
  return { user: user.Id, wallet: wallet.Id }
}

async function card(user: string, number = '4970107111111119'): Promise<string> {
  const begun = await call('CardRegistrations', 'create', { UserId: user, Currency: 'EUR' })
  const { CardRegistrationURL, AccessKey, PreregistrationData } = begun as unknown as Record<string, string>
  const token = await mangopay.tokenise(
    { address: CardRegistrationURL ?? '', accessKey: AccessKey ?? '', data: PreregistrationData ?? '' },
    number,
  )
  const saved = await call('CardRegistrations', 'update', { Id: begun.Id, RegistrationData: token })
  expect(saved).toMatchObject({ Status: 'VALIDATED', ResultCode: '000000' })
  return String(saved['CardId'])
}

async function paid(user: string, wallet: string, cents: number, more: object = {}): Promise<Read> {
  return call('PayIns', 'create', {
    PaymentType: 'CARD',
    ExecutionType: 'DIRECT',
    AuthorId: user,
    CreditedWalletId: wallet,
    CardId: await card(user),
    DebitedFunds: euros(cents),
    Fees: euros(0),
    SecureMode: 'DEFAULT',
    SecureModeReturnURL: 'https://shop.example/back',
    ...browser,
    ...more,
  })
}

describe('users and wallets', () => {
  it('keeps natural and legal users, payers with less than owners, and names each field that is missing', async () => {
    const owner = await call('Users', 'create', { ...natural })
    expect(owner).toMatchObject({ UserCategory: 'OWNER', KYCLevel: 'LIGHT', PersonType: 'NATURAL' })
    const payer = { PersonType: 'NATURAL', FirstName: 'Paul', LastName: 'Roux', Email: 'p@example.org', UserCategory: 'PAYER' }
    expect(await call('Users', 'create', { ...payer })).toMatchObject({ UserCategory: 'PAYER', Birthday: null })
    const company = await call('Users', 'create', { ...legal })
    expect(await call('Users', 'getLegal', company.Id)).toMatchObject({ Name: 'Port SARL', CompanyNumber: '123456789' })
    const refused = await refusal(call('Users', 'create', { PersonType: 'LEGAL' }))
    expect(refused.Type).toBe('param_error')
    expect(Object.keys(refused.errors ?? {})).toEqual(
      expect.arrayContaining(['Name', 'Email', 'HeadquartersAddress', 'CompanyNumber']),
    )
    expect(await refusal(call('Users', 'getLegal', owner.Id))).toMatchObject({ Type: 'ressource_not_found' })
    expect(await call('Users', 'update', { ...owner, LastName: 'Durand' })).toMatchObject({ LastName: 'Durand' })
  })

  it('answers lists by pages, with headers that say how many there are', async () => {
    const { user } = await person()
    for (let at = 0; at < 11; at++) await call('Wallets', 'create', { Owners: [user], Currency: 'EUR', Description: `${at}` })
    const told = await call('Users', 'getWallets', user, { parameters: { Page: 2, Per_Page: 5 }, resolveWithFullResponse: true })
    expect(told['headers']).toMatchObject({ 'x-number-of-pages': '3', 'x-number-of-items': '12' })
    expect((told['body'] as Read[]).map((one) => one['Description'])).toEqual(['4', '5', '6', '7', '8'])
    expect(await call('Users', 'getWallets', user)).toHaveLength(10)
  })
})

describe('cards', () => {
  it('exchanges a card for a token, and says of a wrong one what is wrong', async () => {
    const { user } = await person()
    const begun = await call('CardRegistrations', 'create', { UserId: user, Currency: 'EUR' })
    const to = {
      address: String(begun['CardRegistrationURL']),
      accessKey: String(begun['AccessKey']),
      data: String(begun['PreregistrationData']),
    }
    expect(await mangopay.tokenise(to, '4970107111111118')).toBe('errorCode=02625')
    expect(await mangopay.tokenise(to, '4970107111111119', '1333')).toBe('errorCode=02626')
    expect(await mangopay.tokenise(to, '4970107111111119', '0121')).toBe('errorCode=02624')
    expect(await mangopay.tokenise(to, '4970107111111119', '1233', '1')).toBe('errorCode=02627')
    expect(await mangopay.tokenise({ ...to, data: 'other' }, '4970107111111119')).toBe('errorCode=09101')
    expect(await call('CardRegistrations', 'update', { Id: begun.Id, RegistrationData: 'errorCode=02625' })).toMatchObject({
      Status: 'ERROR',
      ResultCode: '105202',
    })
    const kept = await call('Cards', 'get', await card(user))
    expect(kept).toMatchObject({ Alias: '497010XXXXXX1119', Validity: 'UNKNOWN', Active: true })
    expect(JSON.stringify(kept)).not.toContain('4970107111111119')
  })

  it('credits the wallet at once where nobody asks the cardholder, and only after his answer where his bank does', async () => {
    const { user, wallet } = await person()
    expect(await paid(user, wallet, 1000)).toMatchObject({ Status: 'SUCCEEDED', ResultCode: '000000', SecureModeNeeded: false })
    const asked = await paid(user, wallet, 500, { SecureMode: 'FORCE' })
    expect(asked).toMatchObject({ Status: 'CREATED', SecureModeNeeded: true })
    const back = await mangopay.answer(String(asked['SecureModeRedirectURL']), 'agree')
    expect(back).toEqual({ status: 303, location: `https://shop.example/back?transactionId=${asked.Id}` })
    expect(await call('PayIns', 'get', asked.Id)).toMatchObject({ Status: 'SUCCEEDED' })
    expect((await call('Wallets', 'get', wallet))['Balance']).toEqual(euros(1500))
    const gone = await fetch(String(asked['SecureModeRedirectURL']))
    expect(await gone.text()).toContain('This request has ended')
  })

  it('charges a series first with the customer, then without, and asks for him again after a refusal', async () => {
    const { user, wallet } = await person()
    const registration = await call('PayIns', 'createRecurringPayment', {
      AuthorId: user,
      CardId: await card(user),
      CreditedWalletId: wallet,
      FirstTransactionDebitedFunds: euros(1000),
      FirstTransactionFees: euros(0),
      Billing: { FirstName: 'Anne', LastName: 'Martin', Address: { ...address, AddressLine2: '01131' } },
    })
    const RecurringPayinRegistrationId = registration.Id
    const later = (cents: number) =>
      call('PayIns', 'createRecurringPayInRegistrationMIT', {
        RecurringPayinRegistrationId,
        DebitedFunds: euros(cents),
        Fees: euros(0),
      })
    expect(await later(1000)).toMatchObject({ Status: 'FAILED', ResultCode: '205002' })
    const first = { RecurringPayinRegistrationId, SecureModeReturnURL: 'https://shop.example/', ...browser }
    expect(await call('PayIns', 'createRecurringPayInRegistrationCIT', first)).toMatchObject({ Status: 'SUCCEEDED' })
    expect(await later(1000)).toMatchObject({ Status: 'SUCCEEDED' })
    expect(await later(335_01)).toMatchObject({ Status: 'FAILED', ResultCode: '101305' })
    expect(await call('PayIns', 'getRecurringPayin', registration.Id)).toMatchObject({
      Status: 'AUTHENTICATION_NEEDED',
      CurrentState: { PayinsLinked: 3, CumulatedDebitedAmount: euros(2000) },
    })
    expect(await call('PayIns', 'updateRecurringPayin', registration.Id, { Status: 'ENDED' })).toMatchObject({ Status: 'ENDED' })
  })
})

describe('bank accounts, mandates and debits', () => {
  const owner = { OwnerName: 'Anne Martin', OwnerAddress: address }
  const accounts = {
    IBAN: { IBAN: 'FR7630004000031234567890143' },
    GB: { SortCode: '200000', AccountNumber: '55779911' },
    US: { ABA: '071000288', AccountNumber: '11696419' },
    CA: { BankName: 'Royal Bank', InstitutionNumber: '614', BranchCode: '00152', AccountNumber: '11696419' },
    OTHER: { Country: 'AE', BIC: 'BSUIAEAXXXX', AccountNumber: '11696419' },
  }
  const wrong = {
    IBAN: { IBAN: 'FR7630004000031234567890144' },
    GB: { SortCode: '20-00-00', AccountNumber: '5577991' },
    US: { ABA: '07100028', AccountNumber: 'A1' },
    CA: { BankName: 'Bank 1', InstitutionNumber: '61', BranchCode: '152', AccountNumber: '1-2' },
    OTHER: { Country: 'Emirates', BIC: 'BSUI', AccountNumber: '' },
  }

  it.each(Object.keys(accounts) as (keyof typeof accounts)[])(
    'takes an account of type %s and names each of its fields that is wrong',
    async (Type) => {
      const { user } = await person()
      const made = await call('Users', 'createBankAccount', user, { ...owner, Type, ...accounts[Type] })
      expect(await call('Users', 'getBankAccount', user, made.Id)).toMatchObject({ Type, Active: true, ...accounts[Type] })
      const refused = await refusal(call('Users', 'createBankAccount', user, { ...owner, Type, ...wrong[Type] }))
      expect(Object.keys(refused.errors ?? {}).toSorted()).toEqual(Object.keys(wrong[Type]).toSorted())
    },
  )

  async function mandateOf(user: string): Promise<Read> {
    const account = await call('Users', 'createBankAccount', user, { ...owner, Type: 'IBAN', ...accounts.IBAN })
    return call('Mandates', 'create', { BankAccountId: account.Id, Culture: 'FR', ReturnURL: 'https://shop.example/mandate' })
  }

  it('lets a mandate be signed on its page, and debits by it days later', async () => {
    const { user, wallet } = await person()
    const mandate = await mandateOf(user)
    expect(mandate).toMatchObject({ Status: 'CREATED', ReturnURL: `https://shop.example/mandate?MandateId=${mandate.Id}` })
    expect(await refusal(call('Mandates', 'cancel', mandate.Id))).toMatchObject({ Type: 'mandate_cannot_be_cancelled' })
    const debit = { PaymentType: 'DIRECT_DEBIT', ExecutionType: 'DIRECT', AuthorId: user, CreditedWalletId: wallet }
    const by = { ...debit, DebitedFunds: euros(4000), Fees: euros(0), MandateId: mandate.Id }
    expect(await call('PayIns', 'create', { ...by })).toMatchObject({ Status: 'FAILED', ResultCode: '001833' })
    expect((await mangopay.answer(String(mandate['RedirectURL']), 'agree')).status).toBe(303)
    expect(await call('Mandates', 'get', mandate.Id)).toMatchObject({ Status: 'SUBMITTED', Scheme: 'SEPA' })
    const made = await call('PayIns', 'create', { ...by })
    expect(made).toMatchObject({ Status: 'CREATED' })
    await mangopay.control('POST clock', { advance: 7 * 86_400 })
    expect(await call('PayIns', 'get', made.Id)).toMatchObject({ Status: 'SUCCEEDED' })
    expect(await call('Mandates', 'get', mandate.Id)).toMatchObject({ Status: 'ACTIVE' })
    await mangopay.control(`POST pay-ins/${made.Id}/dispute`, { reason: 'LATE_FAILURE_INSUFFICIENT_FUNDS' })
    expect((await call('Wallets', 'get', wallet))['Balance']).toEqual(euros(0))
    const [dispute] = (await call('Disputes', 'getDisputesForPayIn', made.Id)) as unknown as Read[]
    expect(dispute).toMatchObject({ Status: 'CLOSED', DisputeType: 'NOT_CONTESTABLE', InitialTransactionId: made.Id })
  })

  it('ends mandates that nobody signs within an hour, that nothing is collected by for two years, and that are cancelled', async () => {
    const { user } = await person()
    const [left, unused, cancelled] = [await mandateOf(user), await mandateOf(user), await mandateOf(user)]
    for (const one of [unused, cancelled]) await mangopay.answer(String(one['RedirectURL']), 'agree')
    expect(await call('Mandates', 'cancel', cancelled.Id)).toMatchObject({ Status: 'FAILED', ResultCode: '001806' })
    await mangopay.control('POST clock', { advance: 3601 })
    expect(await call('Mandates', 'get', left.Id)).toMatchObject({ Status: 'FAILED', ResultCode: '001807' })
    await mangopay.control('POST clock', { advance: 731 * 86_400 })
    expect(await call('Mandates', 'get', unused.Id)).toMatchObject({ Status: 'EXPIRED', ResultCode: '001835' })
  })
})

describe('money out, refunds and disputes', () => {
  it('refunds in parts up to what was paid and no further', async () => {
    const { user, wallet } = await person()
    const payIn = await paid(user, wallet, 1000)
    const refund = (cents: number) =>
      call('PayIns', 'createRefund', payIn.Id, { AuthorId: user, DebitedFunds: euros(cents), Fees: euros(0) })
    expect(await refund(400)).toMatchObject({ Status: 'SUCCEEDED', Nature: 'REFUND', InitialTransactionId: payIn.Id })
    expect(await refund(601)).toMatchObject({ Status: 'FAILED', ResultCode: '005403' })
    expect(await refund(600)).toMatchObject({ Status: 'SUCCEEDED' })
    expect(await refund(1)).toMatchObject({ Status: 'FAILED', ResultCode: '001401' })
    expect((await call('Wallets', 'get', wallet))['Balance']).toEqual(euros(0))
  })

  it('pays out to a recipient who confirmed, never to a bank account of this year, and gives back what the bank returns', async () => {
    const { user, wallet } = await person()
    await paid(user, wallet, 5000)
    const account = await call('Users', 'createBankAccount', user, {
      Type: 'IBAN',
      OwnerName: 'Anne Martin',
      OwnerAddress: address,
      IBAN: 'FR7630004000031234567890143',
    })
    const out = { AuthorId: user, DebitedWalletId: wallet, DebitedFunds: euros(1000), Fees: euros(0), PaymentType: 'BANK_WIRE' }
    const unknown = await call('PayOuts', 'create', { ...out, BankAccountId: account.Id })
    expect(await call('PayOuts', 'get', unknown.Id)).toMatchObject({ Status: 'FAILED', ResultCode: '002998' })
    await identified(user)
    const old = await call('PayOuts', 'create', { ...out, BankAccountId: account.Id })
    expect(await call('PayOuts', 'get', old.Id)).toMatchObject({ Status: 'FAILED', ResultCode: '121018' })
    const recipient = await call(
      'Recipients',
      'create',
      {
        DisplayName: 'Anne Martin',
        PayoutMethodType: 'LocalBankTransfer',
        RecipientType: 'Individual',
        Currency: 'EUR',
        Country: 'FR',
        ScaContext: 'USER_PRESENT',
        IndividualRecipient: { FirstName: 'Anne', LastName: 'Martin', Address: address },
        LocalBankTransfer: { EUR: { IBAN: 'FR7630004000031234567890143' } },
      },
      user,
    )
    expect(recipient.Status).toBe('PENDING')
    await mangopay.answer((recipient['PendingUserAction'] as { RedirectUrl: string }).RedirectUrl, 'agree')
    const made = await call('PayOuts', 'create', { ...out, RecipientId: recipient.Id })
    expect(made).toMatchObject({ Status: 'CREATED', PaymentType: 'BANK_WIRE', ExecutionDate: null })
    await mangopay.control('POST clock', { advance: 2 * 86_400 })
    expect(await call('PayOuts', 'get', made.Id)).toMatchObject({ Status: 'SUCCEEDED' })
    expect((await call('Wallets', 'get', wallet))['Balance']).toEqual(euros(4000))
    await mangopay.control(`POST payouts/${made.Id}/return`)
    expect((await call('Wallets', 'get', wallet))['Balance']).toEqual(euros(5000))
    expect(await call('PayOuts', 'getRefunds', made.Id)).toMatchObject([{ Nature: 'REFUND', Status: 'SUCCEEDED' }])
  })

  it('transfers between wallets, and refuses more than there is', async () => {
    const [one, other] = [await person(), await person()]
    await paid(one.user, one.wallet, 1000)
    const transfer = (cents: number) =>
      call('Transfers', 'create', {
        AuthorId: one.user,
        DebitedWalletId: one.wallet,
        CreditedWalletId: other.wallet,
        DebitedFunds: euros(cents),
        Fees: euros(10),
      })
    expect(await transfer(1001)).toMatchObject({ Status: 'FAILED', ResultCode: '001001' })
    expect(await transfer(700)).toMatchObject({ Status: 'SUCCEEDED', CreditedFunds: euros(690) })
    expect((await call('Wallets', 'get', other.wallet))['Balance']).toEqual(euros(690))
  })

  it('lets a dispute be contested, and gives the money back when it is won', async () => {
    const { user, wallet } = await person()
    const payIn = await paid(user, wallet, 1000)
    const dispute = await mangopay.control<Read>(`POST pay-ins/${payIn.Id}/dispute`, { reason: 'FRAUD', contestable: true })
    expect(dispute).toMatchObject({ Status: 'PENDING_CLIENT_ACTION', DisputeType: 'CONTESTABLE' })
    const document = await call('Disputes', 'createDisputeDocument', dispute.Id, { Type: 'INVOICE' })
    expect(document.Status).toBe('CREATED')
    expect(await call('Disputes', 'contestDispute', dispute.Id, euros(1000))).toMatchObject({ Status: 'SUBMITTED' })
    await mangopay.control(`POST disputes/${dispute.Id}`, { won: true })
    expect((await call('Wallets', 'get', wallet))['Balance']).toEqual(euros(1000))
  })

  it('credits a wire with what came in', async () => {
    const { user, wallet } = await person()
    const wire = await call('PayIns', 'create', {
      PaymentType: 'BANK_WIRE',
      ExecutionType: 'DIRECT',
      AuthorId: user,
      CreditedWalletId: wallet,
      DeclaredDebitedFunds: euros(1000),
      DeclaredFees: euros(0),
    })
    expect(wire).toMatchObject({ Status: 'CREATED', WireReference: expect.stringMatching(/^[A-Z0-9]{10}$/) as string })
    await mangopay.control(`POST pay-ins/${wire.Id}/receive`, { amount: 900 })
    expect((await call('Wallets', 'get', wallet))['Balance']).toEqual(euros(900))
  })
})

/** A picture that is as large as a proof of identity must be. */
const proof = Buffer.concat([Buffer.from('\x89PNG\r\n', 'latin1'), Buffer.alloc(33 << 10)]).toString('base64')

async function identified(user: string): Promise<Read> {
  const document = await call('Users', 'createKycDocument', user, { Type: 'IDENTITY_PROOF' })
  await call('Users', 'createKycPage', user, document.Id, { File: proof })
  await call('Users', 'updateKycDocument', user, { Id: document.Id, Status: 'VALIDATION_ASKED' })
  return mangopay.control<Read>(`POST documents/${document.Id}`, {})
}

describe('who users are', () => {
  it('takes documents with pages of the right size and kind, refuses them for a reason, and knows who was proven', async () => {
    const { user } = await person()
    const document = await call('Users', 'createKycDocument', user, { Type: 'IDENTITY_PROOF' })
    const small = Buffer.from('%PDF small').toString('base64')
    expect((await refusal(call('Users', 'createKycPage', user, document.Id, { File: small }))).errors).toHaveProperty('File')
    const text = Buffer.alloc(33 << 10, 'a').toString('base64')
    expect(await refusal(call('Users', 'createKycPage', user, document.Id, { File: text }))).toMatchObject({
      Type: 'unsupported_file',
    })
    const submit = { Id: document.Id, Status: 'VALIDATION_ASKED' }
    expect((await refusal(call('Users', 'updateKycDocument', user, { ...submit }))).errors).toHaveProperty('Status')
    await call('Users', 'createKycPage', user, document.Id, { File: proof })
    expect(await call('Users', 'updateKycDocument', user, { ...submit })).toMatchObject({ Status: 'VALIDATION_ASKED' })
    await mangopay.control(`POST documents/${document.Id}`, { refusal: 'DOCUMENT_FALSIFIED', flags: ['425'] })
    expect(await call('KycDocuments', 'get', document.Id)).toMatchObject({
      Status: 'REFUSED',
      RefusedReasonType: 'DOCUMENT_FALSIFIED',
      Flags: ['425'],
    })
    const valid = await identified(user)
    expect(await call('Users', 'get', user)).toMatchObject({ KYCLevel: 'REGULAR' })
    await mangopay.control(`POST documents/${valid.Id}/outdate`)
    expect(await call('Users', 'get', user)).toMatchObject({ KYCLevel: 'LIGHT' })
  })

  it('takes a declaration of who owns a business, and verifies a user on its own page', async () => {
    const company = await call('Users', 'create', { ...legal })
    const declaration = await call('UboDeclarations', 'create', company.Id)
    const ubo = await call('UboDeclarations', 'createUbo', company.Id, declaration.Id, {
      FirstName: 'Anne',
      LastName: 'Martin',
      Address: address,
      Nationality: 'FR',
      Birthday: 188_301_600,
      Birthplace: { City: 'Paris', Country: 'FR' },
    })
    expect(ubo.Id).toMatch(/^ubo_m_/)
    const submitted = await call('UboDeclarations', 'update', company.Id, { Id: declaration.Id, Status: 'VALIDATION_ASKED' })
    expect(submitted).toMatchObject({ Status: 'VALIDATION_ASKED', Ubos: [{ Id: ubo.Id }] })
    await mangopay.control('POST clock', { advance: 86_401 })
    expect(await call('UboDeclarations', 'getById', declaration.Id)).toMatchObject({ Status: 'VALIDATED' })
    const { user } = await person()
    const verification = await call('IdentityVerifications', 'create', user, { ReturnUrl: 'https://shop.example/known' })
    await mangopay.answer(String(verification['HostedUrl']), 'agree')
    expect(await call('IdentityVerifications', 'get', verification.Id)).toMatchObject({ Status: 'VALIDATED' })
    expect(await call('Users', 'get', user)).toMatchObject({ KYCLevel: 'REGULAR' })
  })
})

describe('keys of idempotency, events and hooks', () => {
  it('does once what is asked twice under a key, and tells what it answered then for a day', async () => {
    const key = { headers: { 'Idempotency-Key': 'a-key-of-sixteen-or-more' } }
    const made = await call('Users', 'create', { ...natural }, structuredClone(key))
    expect(await refusal(call('Users', 'create', { ...natural }, structuredClone(key)))).toMatchObject({
      Type: 'idempotent_creation_conflict',
    })
    const kept = await call('Idempotency', 'get', 'a-key-of-sixteen-or-more')
    expect(kept).toMatchObject({ StatusCode: '200', Resource: { Id: made.Id } })
    const short = { headers: { 'Idempotency-Key': 'short' } }
    expect(await refusal(call('Users', 'create', { ...natural }, short))).toMatchObject({ Type: 'param_error' })
    await mangopay.control('POST clock', { advance: 86_401 })
    expect(await refusal(call('Idempotency', 'get', 'a-key-of-sixteen-or-more'))).toMatchObject({ Type: 'ressource_not_found' })
  })

  it('tells events of what it did, and takes one hook for each', async () => {
    const { user, wallet } = await person()
    const payIn = await paid(user, wallet, 1000)
    const events = await call('Events', 'getAll', { parameters: { EventType: 'PAYIN_NORMAL_SUCCEEDED', Per_Page: 100 } })
    expect(events).toContainEqual(expect.objectContaining({ ResourceId: payIn.Id }))
    const hook = await call('Hooks', 'create', { EventType: 'PAYIN_NORMAL_SUCCEEDED', Url: 'http://127.0.0.1:9/hook' })
    expect(hook).toMatchObject({ Status: 'ENABLED', Validity: 'VALID' })
    const again = call('Hooks', 'create', { EventType: 'PAYIN_NORMAL_SUCCEEDED', Url: 'http://127.0.0.1:9/' })
    expect((await refusal(again)).errors).toHaveProperty('EventType')
    expect(await call('Hooks', 'update', { Id: hook.Id, Status: 'DISABLED' })).toMatchObject({ Status: 'DISABLED' })
  })
})
