import type { bankAccount } from 'mangopay4-nodejs-sdk'
import type { AccountHolder, Accounts, BankAccount } from '../port.ts'
import { ask } from './ask.ts'
import { askOnce, judgeAnswer } from './ask-once.ts'
import { idOf } from './cards.ts'
import { addressOf } from './customers.ts'
import type { MangopayDeps } from './deps.ts'

/** Accounts that are debited: mandates are still made of them, though they are no longer paid out to. */
export function accounts({ sdk, clock }: MangopayDeps): Accounts {
  return {
    registerAccount: async (customer, holder, account, attempt) => {
      const body = { ...describe(holder, account), Tag: attempt.tag } as unknown as bankAccount.IBANData
      return idOf(
        await askOnce(sdk, clock.now(), attempt, (options) => sdk.Users.createBankAccount(customer, { ...body }, options)),
      )
    },
    endAccount: async (customer, account) => {
      const ended = await ask(sdk, (options) => sdk.Users.deactivateBankAccount(customer, account, options))
      return idOf(judgeAnswer(ended))
    },
  }
}

function describe({ name, address }: AccountHolder, account: BankAccount): Record<string, unknown> {
  const owner = { OwnerName: name, OwnerAddress: addressOf(address) }
  switch (account.kind) {
    case 'iban':
      return { ...owner, Type: 'IBAN', IBAN: account.iban, ...(account.bic === null ? {} : { BIC: account.bic }) }
    case 'gb':
      return { ...owner, Type: 'GB', SortCode: account.sortCode, AccountNumber: account.number }
    case 'us':
      return { ...owner, Type: 'US', ABA: account.aba, AccountNumber: account.number }
    case 'ca':
      return {
        ...owner,
        Type: 'CA',
        BankName: account.bank,
        InstitutionNumber: account.institution,
        BranchCode: account.branch,
        AccountNumber: account.number,
      }
    default:
      return { ...owner, Type: 'OTHER', Country: account.country, BIC: account.bic, AccountNumber: account.number }
  }
}
