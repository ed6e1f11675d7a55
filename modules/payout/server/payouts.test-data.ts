import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import type { Db } from '../../../platform/db/database.ts'
import { createVault } from '../../../platform/vault/vault.ts'
import { accrueEarnings } from '../../referral/server/accrue-earnings.ts'
import type { ReferralDeps } from '../../referral/server/deps.ts'
import { essential, openBooks } from '../../billing/server/billing.test-data.ts'
import type { PaymentProvider } from '../../billing/server/index.ts'
import { runPayouts } from './handlers.ts'
import type { PayoutDeps, PayoutRules } from './keep/deps.ts'
import { sumEarnings, type Sums } from './keep/earning-store.ts'

export const vault = createVault(Buffer.alloc(32, 1))
export const never: AbortSignal = new AbortController().signal
export const secret = 's'.repeat(32)

type Books = ReturnType<typeof openBooks>

/** What was earned and paid out, on the books of somebody who sells. */
export function openPayouts(
  database: { readonly db: Db },
  given: {
    books?: Books
    provider?: PaymentProvider | null
    by?: PayoutRules['by']
    delayDays?: number
    minimumCents?: number
  } = {},
) {
  const books = given.books ?? openBooks(database)
  const folder = mkdtempSync(join(tmpdir(), 'probant-payouts-'))
  const blobs = createFolderBlobStore(folder)
  const rules = {
    by: given.by ?? ('provider' as const),
    delayDays: given.delayDays ?? 60,
    minimumCents: given.minimumCents ?? 2000,
  }
  const deps = (): PayoutDeps => ({
    ...books.deps(),
    blobs,
    rules,
    secret,
    vault,
    provider: given.provider ?? null,
    publicUrl: 'https://probant.example',
  })
  const referral = (): ReferralDeps => ({ ...books.deps(), rule: { rate: 1000, months: 12 }, payout: rules })
  const { db } = database
  return {
    books,
    deps,
    referral,
    blobs,
    remove: () => rmSync(folder, { recursive: true, force: true }),
    async refer(referrerId: string, refereeId: string): Promise<void> {
      await db.updateTable('account_user').set({ referred_by: referrerId }).where('id', '=', refereeId).execute()
    },
    /** Somebody whom another referred, with a name of his own, subscribed and paid. */
    async referee(referrerId: string): Promise<{ userId: string; customerId: string; invoiceId: string }> {
      const who = await books.customer()
      await db
        .updateTable('account_user')
        .set({ last_name: `Friend ${who.userId}`, referred_by: referrerId })
        .where('id', '=', who.userId)
        .execute()
      await books.ask(who.customerId, essential)
      await books.payAll(who.customerId)
      const [invoice] = await books.invoices(who.customerId)
      return { ...who, invoiceId: invoice?.id ?? '' }
    },
    /** Has shown who he is, and where he is paid. */
    async ready(userId: string, iban = 'FR7630004000031234567890143'): Promise<void> {
      const now = books.now()
      await sql`insert into identity_file (user_id, state, round, touched_at, uploads_since, submitted_at, decided_at)
        values (${userId}::uuid, 'success', 1, ${now}, ${now}, ${now}, ${now}) on conflict (user_id) do update set state = 'success'`.execute(
        db,
      )
      await sql`update profile set birth_date = '1980-02-03', birth_city = 'Lyon', birth_country = 'FR', nationality = 'FR', civility = 'Madame'
        where user_id = ${userId}::uuid`.execute(db)
      const account = { type: 'IBAN', iban, owner_name: 'Ada Byron', owner_address: '2 place du Marché' }
      const sealed = vault.seal('account.bank_account', userId, Buffer.from(JSON.stringify(account)))
      const row = { type: 'IBAN', ending: iban.slice(-4), sealed, updated_at: now }
      await db
        .insertInto('bank_account')
        .values({ user_id: userId, ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute()
    },
    accrue: async () => await accrueEarnings(referral(), never),
    run: async () => await runPayouts(deps(), never),
    sums: async (userId: string): Promise<Sums> => await sumEarnings(db, userId),
    async payouts(userId: string) {
      return await db
        .selectFrom('payout')
        .select(['id', 'month', 'status', 'net_cents', 'vat_cents', 'gross_cents', 'failure', 'held_cents', 'granted_cents'])
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .execute()
    },
  }
}
