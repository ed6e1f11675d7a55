import type { Clock } from '../../../../../kernel/clock.ts'
import type { PaymentProvider } from '../port.ts'
import { accounts } from './accounts.ts'
import { askOnce } from './ask-once.ts'
import { cards } from './cards.ts'
import { judgeMade } from './charge-card.ts'
import { registerCustomer } from './customers.ts'
import { debits } from './debits.ts'
import { euros, type MangopayDeps, noFees } from './deps.ts'
import { identity } from './identity.ts'
import { refuseAmount } from './judge-payment.ts'
import { notices } from './notices.ts'
import { payouts } from './payouts.ts'
import { findPayment, readPayment } from './read-payment.ts'
import { refunds } from './refunds.ts'
import { type MangopaySettings, openSdk } from './sdk.ts'

/** Only the provider's own production moves money. */
const production = 'https://api.mangopay.com'
export const movesMoney = (baseUrl: string): boolean => new URL(baseUrl).origin === production

/** What one contract with it gave out means nothing to another. */
export const realmOf = ({ baseUrl, clientId }: Pick<MangopaySettings, 'baseUrl' | 'clientId'>): string =>
  `${new URL(baseUrl).hostname} ${clientId}`

/** Whether what was paid by the provider of that realm moved no money. */
export function isTestRealm(realm: string): boolean {
  const [host, contract] = realm.split(' ')
  return contract !== undefined && host !== new URL(production).hostname
}

export function mangopayProvider(
  settings: MangopaySettings & { readonly seller: MangopayDeps['seller'] },
  clock: Clock,
): PaymentProvider {
  const sdk = openSdk(settings)
  const deps = { sdk, clock, seller: settings.seller }
  return {
    name: 'mangopay',
    realm: realmOf(settings),
    isTest: !movesMoney(settings.baseUrl),
    registerCustomer: (customer, attempt) => registerCustomer(deps, customer, attempt),
    readPayment: (payment) => readPayment(deps, payment),
    findPayment: ({ customer, attempt }) => findPayment(deps, customer, attempt),
    cards: cards(deps),
    debits: debits(deps),
    refunds: refunds(deps),
    accounts: accounts(deps),
    payouts: payouts(deps),
    identity: identity(deps),
    notices: notices(deps),
    transfers: {
      announce: async ({ customer, amount }, attempt) => {
        const refused = refuseAmount(amount)
        if (refused !== null) return refused
        const body = {
          PaymentType: 'BANK_WIRE' as const,
          ExecutionType: 'DIRECT' as const,
          AuthorId: customer,
          CreditedWalletId: settings.seller.wallet,
          DeclaredDebitedFunds: euros(amount.cents),
          DeclaredFees: { ...noFees },
          Tag: attempt.tag,
        }
        const made = await askOnce(sdk, clock.now(), attempt, (options) => sdk.PayIns.create({ ...body }, options))
        return judgeMade(made, amount)
      },
    },
  }
}
