import type { Db } from '../../../../platform/db/database.ts'
import { actorOf } from '../../../../testing/accounts.ts'
import { openBooks, seller } from '../../../billing/server/billing.test-data.ts'
import { openProvider, type Shop } from '../../../billing/server/provider/mangopay/shop.test-data.ts'
import { findKnownPayee } from '../keep/payee-store.ts'
import { followPayees } from '../payee/follow-payees.ts'
import { preparePayee } from '../payee/prepare-payee.ts'
import { settleByHand } from './settle-by-hand.ts'
import { never, openPayouts } from '../payouts.test-data.ts'

/** For programs, which import no other module’s tests. */
export { openProvider, seller }

/** Books and the provider, whose clocks go on together. */
export async function openPaying(database: { readonly db: Db }, shop: Shop, delayDays?: number) {
  const { now } = await shop.mangopay.control<{ now: number }>('GET clock')
  const books = openBooks(database, new Date(now * 1000).toISOString())
  const provider = openProvider(shop.mangopay, shop.seller, { now: books.now })
  const payouts = openPayouts(database, { books, provider, ...(delayDays === undefined ? {} : { delayDays }) })
  return {
    ...payouts,
    provider,
    async later(days: number) {
      books.later(days)
      await shop.mangopay.control('POST clock', { advance: Math.round(days * 86_400) })
    },
    /** To nine in the morning of the next first day of a month. */
    async toFirst() {
      const at = books.now()
      const next = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1, 9))
      const seconds = Math.round((next.getTime() - at.getTime()) / 1000)
      books.at(next.toISOString())
      await shop.mangopay.control('POST clock', { advance: seconds })
    },
    /** Known to the provider, who may pay him. */
    async prepared(userId: string) {
      const first = await preparePayee(payouts.deps(), actorOf(userId), '/en/account/payout/')
      for (const address of [first.account_address, first.identity_address])
        if (address !== null) await shop.mangopay.answer(address, 'agree')
      await followPayees(payouts.deps(), never)
      const known = await findKnownPayee(database.db, userId, provider.realm)
      if (known?.accountState !== 'usable' || known.identityState !== 'verified') throw new Error(JSON.stringify(known))
      return known
    },
  }
}

/** By hand: what it would bring is looked at, then accepted. */
export async function settled(
  deps: Parameters<typeof settleByHand>[0],
  actor: Parameters<typeof settleByHand>[1],
  id: string,
  outcome: 'success' | 'failed' | 'returned',
) {
  const reason = 'As the bank says'
  const { shown } = await settleByHand(deps, actor, id, { outcome, reason })
  return await settleByHand(deps, actor, id, { outcome, reason, accepted: shown })
}

/** An account whose profile is complete, and that somebody's first invoice has brought something. */
export async function earner(
  payouts: { books: ReturnType<typeof openBooks> } & Pick<ReturnType<typeof openPayouts>, 'referee' | 'accrue' | 'ready'>,
) {
  const { userId } = await payouts.books.customer()
  const friend = await payouts.referee(userId)
  await payouts.accrue()
  await payouts.ready(userId)
  return { userId, friend }
}
