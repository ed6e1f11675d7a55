/** A process that pays, and is killed meanwhile: it says how far it came, and goes no further than it was told to. */
import type { Actor } from '../../../../kernel/actor.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createVault } from '../../../../platform/vault/vault.ts'
import { seller } from '../billing.test-data.ts'
import { browser, openProvider } from '../provider/mangopay/shop.test-data.ts'
import type { Attempt, Cards, Outcome, PresentCharge } from '../provider/port.ts'
import { chargeDue } from './attempt/charge-due.ts'
import { payInvoice } from './attempt/pay-invoice.ts'
import type { PaymentDeps } from './means/deps.ts'

export type Order = {
  readonly url: string
  readonly origin: string
  readonly shop: { readonly user: string; readonly wallet: string }
  readonly now: string
  /** Where it stands still: before the provider is asked, once he has answered, or nowhere. */
  readonly stop: 'before' | 'after' | 'nowhere'
  readonly pay: { readonly userId: string; readonly invoiceId: string; readonly card: string } | null
}

type LaterCharge = Parameters<Cards['chargeLater']>[0]

const customerAs = (userId: string): Actor => ({
  userId,
  accountId: userId,
  delegation: null,
  sessionId: '00000000-0000-4000-8000-000000000000',
  roles: new Set(),
  secondFactor: false,
  locale: 'fr',
})

const forever = new Promise<never>(() => undefined)

function stopping<Charge>(
  charge: (by: Charge, attempt: Attempt) => Promise<Outcome>,
  stop: Order['stop'],
): (by: Charge, attempt: Attempt) => Promise<Outcome> {
  return async (by, attempt) => {
    process.send?.('before')
    if (stop === 'before') await forever
    const outcome = await charge(by, attempt)
    process.send?.('after')
    return stop === 'after' ? await forever : outcome
  }
}

async function obey({ url, origin, shop, now, stop, pay }: Order): Promise<void> {
  const clock = { now: () => new Date(now) }
  const real = openProvider({ origin }, shop, clock)
  const { cards } = real
  if (cards === undefined) throw new Error('no cards')
  const held = {
    ...cards,
    chargeNow: stopping((by: PresentCharge, attempt) => cards.chargeNow(by, attempt), stop),
    chargeLater: stopping((by: LaterCharge, attempt) => cards.chargeLater(by, attempt), stop),
  }
  const deps: PaymentDeps = {
    db: openDatabase(url, { max: 2, log: silentLog }),
    clock,
    log: silentLog,
    seller,
    provider: { ...real, cards: held },
    vault: createVault(Buffer.alloc(32, 1)),
    publicUrl: 'https://probant.example',
  }
  if (pay === null) await chargeDue(deps)
  else {
    const wish = { by: 'card', card: pay.card, browser, returnTo: '/fr/payment/return/', accepted: undefined } as const
    await payInvoice(deps, customerAs(pay.userId), pay.invoiceId, { ...wish, referralManager: 'none' })
  }
  process.send?.('done')
}

process.once('message', (order: Order) => void obey(order))
process.once('disconnect', () => process.exit(1))
process.send?.('ready')
