import { sql } from 'kysely'
import { actorOf } from '../../../../testing/accounts.ts'
import { createVault } from '../../../../platform/vault/vault.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { PaymentOnTheWire } from '../../contract/payments.ts'
import type { Formula } from '../../domain/plan/plan.ts'
import { comfort, openBooks } from '../billing.test-data.ts'
import { browser, openProvider, type Shop, wire } from '../provider/mangopay/shop.test-data.ts'
import { askAfterAll } from './attempt/ask-after.ts'
import { chargeDue } from './attempt/charge-due.ts'
import { payInvoice, readPayment, type Wish } from './attempt/pay-invoice.ts'
import type { PaymentDeps } from './means/deps.ts'
import { beginCardRegistration, finishCardRegistration } from './means/register-card.ts'

export const vault = createVault(Buffer.alloc(32, 1))
const day = 86_400

/** Books, and a provider that is a process; both clocks go on together. */
export async function openPayments(database: { readonly db: Db }, shop: Shop) {
  const { now } = await shop.mangopay.control<{ now: number }>('GET clock')
  const books = openBooks(database, new Date(now * 1000).toISOString())
  const provider = openProvider(shop.mangopay, shop.seller, { now: books.now })
  const deps = (): PaymentDeps => ({ ...books.deps(), provider, vault, publicUrl: 'https://probant.example' })
  const payments = {
    books,
    provider,
    deps,
    async later(days: number): Promise<void> {
      books.later(days)
      await shop.mangopay.control('POST clock', { advance: Math.round(days * day) })
    },
    /** What the jobs of each day do. */
    async run(): Promise<void> {
      await books.run()
      await chargeDue(deps())
      await askAfterAll(deps())
    },
    async card(userId: string, number: string, expiry = '1233'): Promise<string> {
      const begun = await beginCardRegistration(deps(), actorOf(userId))
      const to = { address: begun.card_registration_url, accessKey: begun.access_key, data: begun.preregistration_data }
      const answer = await shop.mangopay.tokenise(to, number, expiry)
      return (await finishCardRegistration(deps(), actorOf(userId), begun.id, answer)).id
    },
    /** Somebody who asked for a plan, and its invoice. */
    async buyer(to: Formula = comfort): Promise<{ userId: string; customerId: string; invoiceId: string }> {
      const who = await books.customer()
      await books.ask(who.customerId, to)
      return { ...who, invoiceId: await payments.owed(who.customerId) }
    },
    async owed(customerId: string): Promise<string> {
      const row = await database.db
        .selectFrom('instalment')
        .select('invoice_id')
        .where('customer_id', '=', customerId)
        .where('status', 'not in', ['paid', 'dropped', 'scheduled'])
        .executeTakeFirstOrThrow()
      return row.invoice_id ?? ''
    },
    async pay(userId: string, invoiceId: string, wish: Partial<Wish>, by = deps()): Promise<PaymentOnTheWire> {
      const whole = { by: 'card', card: undefined, browser, returnTo: '/fr/payment/return/', accepted: undefined } as const
      return await payInvoice(by, actorOf(userId), invoiceId, { ...whole, referralManager: 'none', ...wish })
    },
    async read(userId: string, invoiceId: string): Promise<PaymentOnTheWire> {
      return await readPayment(deps(), actorOf(userId), invoiceId)
    },
    async instalments(customerId: string): Promise<string[]> {
      const rows = await database.db
        .selectFrom('instalment')
        .select('status')
        .where('customer_id', '=', customerId)
        .orderBy('status_changed_at')
        .orderBy('id')
        .execute()
      return rows.map(({ status }) => status)
    },
    async attempts(customerId: string) {
      return await database.db
        .selectFrom('payment_attempt')
        .innerJoin('instalment', 'instalment.id', 'payment_attempt.instalment_id')
        .select(['payment_attempt.id', 'payment_attempt.status', 'failure', 'reference', 'reversed_at', 'instalment_id'])
        .where('customer_id', '=', customerId)
        .orderBy('created_at')
        .orderBy('payment_attempt.id')
        .execute()
    },
  }
  return payments
}

type PayIn = {
  readonly Id: string
  readonly Status: string
  readonly Tag: string | null
  readonly Type: string
  readonly Nature: string
}

/** Invariant 15: what our books say came in by the provider is what he says, payment by payment, each once for an instalment. */
export async function compareTotals(
  db: Db,
  shop: Shop,
): Promise<{ ours: number; theirs: number; twice: string[]; unknown: string[] }> {
  const { rows } = await sql<{ cents: number }>`select coalesce(sum(debit_cents) - sum(credit_cents), 0)::integer as cents
    from journal_posting where account = '517000'`.execute(db)
  const attempts = await db.selectFrom('payment_attempt').select(['id', 'instalment_id', 'status']).execute()
  const byTag = new Map(attempts.map((each) => [`attempt ${each.id}`, each]))
  const paid: PayIn[] = []
  for (let page = 1; ; page += 1) {
    const line = `GET wallets/${shop.seller.wallet}/transactions?per_page=100&page=${String(page)}&Status=SUCCEEDED&Type=PAYIN`
    const all = await wire<(PayIn & { DebitedFunds: { Amount: number } })[]>(shop.mangopay, line)
    paid.push(...all.filter(({ Status, Nature }) => Status === 'SUCCEEDED' && Nature === 'REGULAR'))
    if (all.length < 100) break
  }
  const known = paid.flatMap(({ Tag }) => byTag.get(Tag ?? '') ?? [])
  const instalments = known.map((each) => each.instalment_id)
  const wallet = await wire<{ Balance: { Amount: number } }>(shop.mangopay, `GET wallets/${shop.seller.wallet}`)
  return {
    ours: rows[0]?.cents ?? 0,
    theirs: wallet.Balance.Amount,
    twice: instalments.filter((id, index) => instalments.indexOf(id) !== index),
    unknown: known.filter(({ status }) => status !== 'succeeded').map(({ id }) => id),
  }
}
