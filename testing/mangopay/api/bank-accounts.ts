import { randomBytes } from 'node:crypto'
import { notFound } from '../world/api-error.ts'
import type { BankAccount, Recipient } from '../world/entities.ts'
import type { Form } from '../world/form.ts'
import { bicPattern, isIban } from '../world/iban.ts'
import type { World } from '../world/world.ts'
import { failMandate } from './mandates.ts'
import { type Call, formOf, List, param, route } from './route.ts'

const digits = (length: string, name: string): { pattern: RegExp; says: string } => ({
  pattern: new RegExp(`^\\d{${length}}$`),
  says: `The field ${name} must have ${length.replace(',', ' to ')} digits and nothing else`,
})

const bic = { pattern: bicPattern, says: 'The field BIC must match ISO 9362' }

function iban(form: Form): string {
  const value = form.text('IBAN').replaceAll(' ', '')
  if (value !== '' && !isIban(value)) form.wrong('IBAN', 'The field IBAN must be a valid IBAN')
  return value
}

/** What accounts of each kind are told by. */
const details: Readonly<Record<string, (form: Form) => Record<string, unknown>>> = {
  iban: (form) => ({ Type: 'IBAN', IBAN: iban(form), BIC: form.optionalText('BIC', bic) }),
  gb: (form) => ({
    Type: 'GB',
    SortCode: form.text('SortCode', digits('6', 'SortCode')),
    AccountNumber: form.text('AccountNumber', digits('8', 'AccountNumber')),
  }),
  us: (form) => ({
    Type: 'US',
    ABA: form.text('ABA', digits('9', 'ABA')),
    AccountNumber: form.text('AccountNumber', digits('1,20', 'AccountNumber')),
    DepositAccountType: form.oneOf('DepositAccountType', ['CHECKING', 'SAVINGS'], 'CHECKING'),
  }),
  ca: (form) => ({
    Type: 'CA',
    BankName: form.text('BankName', { max: 50, pattern: /^[\p{L} ]+$/u, says: 'The field BankName must have letters only' }),
    InstitutionNumber: form.text('InstitutionNumber', digits('3,4', 'InstitutionNumber')),
    BranchCode: form.text('BranchCode', digits('5', 'BranchCode')),
    AccountNumber: form.text('AccountNumber', digits('1,20', 'AccountNumber')),
  }),
  other: (form) => ({
    Type: 'OTHER',
    Country: form.country('Country'),
    BIC: form.text('BIC', bic),
    AccountNumber: form.text('AccountNumber', { max: 50 }),
  }),
}

function createAccount(call: Call): BankAccount {
  const user = call.world.get('user', param(call, 'id'))
  const read = details[param(call, 'type').toLowerCase()]
  if (read === undefined) throw notFound('BankAccountType', param(call, 'type'))
  const form = formOf(call)
  const OwnerName = form.text('OwnerName')
  const OwnerAddress = form.address('OwnerAddress')
  const told = read(form)
  const Tag = form.tag()
  form.check()
  return call.world.add('bankAccount', {
    Tag,
    UserId: user.Id,
    OwnerName,
    OwnerAddress,
    Active: true,
    ...told,
  })
}

function accountOf(call: Call): BankAccount {
  const user = call.world.get('user', param(call, 'id'))
  const account = call.world.get('bankAccount', param(call, 'account'))
  if (account.UserId !== user.Id) throw notFound('BankAccount', account.Id)
  return account
}

/** An account is ended for ever, and what was agreed of it with it. */
function endAccount(call: Call): BankAccount {
  const account = accountOf(call)
  const form = formOf(call)
  if (call.body['Active'] !== false) form.wrong('Active', 'The field Active must be false')
  form.check()
  account.Active = false
  for (const mandate of call.world.list('mandate').filter(({ BankAccountId }) => BankAccountId === account.Id))
    failMandate(call.world, mandate, '001806')
  return account
}

const localAccounts: Readonly<Record<string, (form: Form) => Record<string, unknown>>> = {
  EUR: (form) => ({ IBAN: iban(form) }),
  GBP: (form) => ({
    SortCode: form.text('SortCode', digits('6', 'SortCode')),
    AccountNumber: form.text('AccountNumber', digits('8', 'AccountNumber')),
  }),
  USD: (form) => ({
    ABA: form.text('ABA', digits('9', 'ABA')),
    AccountNumber: form.text('AccountNumber', digits('1,20', 'AccountNumber')),
  }),
  CAD: (form) => ({
    BankName: form.text('BankName', { max: 50 }),
    InstitutionNumber: form.text('InstitutionNumber', digits('3,4', 'InstitutionNumber')),
    BranchCode: form.text('BranchCode', digits('5', 'BranchCode')),
    AccountNumber: form.text('AccountNumber', digits('1,20', 'AccountNumber')),
  }),
}

/** Who is paid out, in the newer way: the user authenticates on a page before it may be used. */
function createRecipient(call: Call): Recipient {
  const user = call.world.get('user', param(call, 'id'))
  const form = formOf(call)
  const DisplayName = form.text('DisplayName')
  const PayoutMethodType = form.oneOf('PayoutMethodType', ['LocalBankTransfer', 'InternationalBankTransfer'])
  const RecipientType = form.oneOf('RecipientType', ['Individual', 'Business'])
  const Currency = form.currency('Currency')
  const person = form.inner(`${RecipientType}Recipient`)
  for (const name of RecipientType === 'Individual' ? ['FirstName', 'LastName'] : ['BusinessName']) person.text(name)
  person.address('Address')
  const told = form.inner(PayoutMethodType)
  if (PayoutMethodType === 'LocalBankTransfer') {
    const read = localAccounts[Currency]
    if (read === undefined) form.wrong('Currency', 'The currency has no local payouts')
    else read(told.inner(Currency))
  } else {
    told.text('AccountNumber', { max: 50 })
    told.text('BIC', bic)
  }
  const Tag = form.tag()
  form.check()
  const token = randomBytes(16).toString('hex')
  const recipient = call.world.add('recipient', {
    Tag,
    UserId: user.Id,
    Status: 'PENDING',
    DisplayName,
    PayoutMethodType,
    RecipientType,
    Currency,
    Country: call.body['Country'] ?? null,
    RecipientScope: 'PAYOUT',
    IndividualRecipient: call.body['IndividualRecipient'] ?? null,
    BusinessRecipient: call.body['BusinessRecipient'] ?? null,
    LocalBankTransfer: call.body['LocalBankTransfer'] ?? null,
    InternationalBankTransfer: call.body['InternationalBankTransfer'] ?? null,
    PendingUserAction: { RedirectUrl: `${call.world.origin}/sca/${token}` },
  })
  call.world.hide(`sca:${token}`, { recipient: recipient.Id })
  return recipient
}

export function answerRecipient(world: World, recipient: Recipient, agreed: boolean): void {
  if (recipient.Status !== 'PENDING') return
  recipient.Status = agreed ? 'ACTIVE' : 'CANCELED'
  recipient['PendingUserAction'] = null
  world.emit(agreed ? 'RECIPIENT_ACTIVE' : 'RECIPIENT_CANCELED', recipient.Id)
}

export const bankAccountRoutes = [
  route('POST users/:id/bankaccounts/:type', createAccount),
  route('GET users/:id/bankaccounts', (call) => {
    const user = call.world.get('user', param(call, 'id'))
    return new List(call.world.list('bankAccount').filter(({ UserId }) => UserId === user.Id))
  }),
  route('GET users/:id/bankaccounts/:account', accountOf),
  route('PUT users/:id/bankaccounts/:account', endAccount),
  route('GET bankaccounts/:account/transactions', (call) => {
    const { Id } = call.world.get('bankAccount', param(call, 'account'))
    return new List(call.world.list('transaction').filter((one) => one['BankAccountId'] === Id))
  }),
  route('POST users/:id/recipients', createRecipient),
  route('GET users/:id/recipients', (call) => {
    const user = call.world.get('user', param(call, 'id'))
    return new List(call.world.list('recipient').filter(({ UserId }) => UserId === user.Id))
  }),
  route('GET recipients/:recipient', (call) => call.world.get('recipient', param(call, 'recipient'))),
  route('PUT recipients/:recipient', (call) => {
    const recipient = call.world.get('recipient', param(call, 'recipient'))
    if (call.body['Status'] === 'DEACTIVATED' && recipient.Status === 'ACTIVE') {
      recipient.Status = 'DEACTIVATED'
      call.world.emit('RECIPIENT_DEACTIVATED', recipient.Id)
    }
    return recipient
  }),
]
