/** The SQL of whom the provider knows as somebody who is paid. */
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type AccountState = 'none' | 'customer_needed' | 'usable' | 'ended' | 'refused'
export type IdentityState = 'none' | 'customer_needed' | 'submitted' | 'verified' | 'refused'

export type KnownPayee = {
  readonly userId: string
  readonly realm: string
  readonly customerKey: string
  readonly reference: string | null
  readonly accountKey: string
  readonly accountMark: Buffer | null
  readonly accountReference: string | null
  readonly accountState: AccountState
  readonly accountAddress: string | null
  readonly identityState: IdentityState
  readonly identityRefusal: string | null
  readonly identityAddress: string | null
  readonly askedAt: Date
}

export async function findKnownPayee(db: Db | Tx, userId: string, realm: string): Promise<KnownPayee | null> {
  const row = await db
    .selectFrom('payout_payee')
    .selectAll()
    .where('user_id', '=', userId)
    .where('realm', '=', realm)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    userId: row.user_id,
    realm: row.realm,
    customerKey: row.customer_key,
    reference: row.reference,
    accountKey: row.account_key,
    accountMark: row.account_mark,
    accountReference: row.account_reference,
    accountState: row.account_state as AccountState,
    accountAddress: row.account_address,
    identityState: row.identity_state as IdentityState,
    identityRefusal: row.identity_refusal,
    identityAddress: row.identity_address,
    askedAt: row.asked_at,
  }
}

/** Noted, with its keys, before the provider is asked. @returns what stands there, if somebody else was earlier */
export async function notePayee(
  db: Db | Tx,
  payee: Pick<KnownPayee, 'userId' | 'realm' | 'customerKey' | 'accountKey'>,
  now: Date,
): Promise<KnownPayee> {
  await db
    .insertInto('payout_payee')
    .values({
      user_id: payee.userId,
      realm: payee.realm,
      customer_key: payee.customerKey,
      account_key: payee.accountKey,
      asked_at: now,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'realm']).doNothing())
    .execute()
  const known = await findKnownPayee(db, payee.userId, payee.realm)
  if (known === null) throw new Error(`payee ${payee.userId} is gone as he is noted`)
  return known
}

export type PayeeNews = {
  readonly customerKey?: string
  readonly reference?: string
  readonly accountKey?: string
  readonly accountMark?: Buffer
  readonly accountReference?: string | null
  readonly accountState?: AccountState
  readonly accountAddress?: string | null
  readonly identityState?: IdentityState
  readonly identityRefusal?: string | null
  readonly identityAddress?: string | null
  readonly askedAt?: Date
}

const names = {
  customerKey: 'customer_key',
  reference: 'reference',
  accountKey: 'account_key',
  accountMark: 'account_mark',
  accountReference: 'account_reference',
  accountState: 'account_state',
  accountAddress: 'account_address',
  identityState: 'identity_state',
  identityRefusal: 'identity_refusal',
  identityAddress: 'identity_address',
  askedAt: 'asked_at',
} as const satisfies Readonly<Record<keyof PayeeNews, string>>

export async function changePayee(
  db: Db | Tx,
  { userId, realm }: Pick<KnownPayee, 'userId' | 'realm'>,
  told: PayeeNews,
): Promise<void> {
  const set = Object.fromEntries(Object.entries(told).map(([name, value]) => [names[name as keyof PayeeNews], value]))
  if (Object.keys(set).length === 0) return
  await db.updateTable('payout_payee').set(set).where('user_id', '=', userId).where('realm', '=', realm).execute()
}

/** Of whom the provider has not said the last word: he confirms his account, or somebody looks at what he handed in. */
export async function listWaiting(
  db: Db,
  realm: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly string[]> {
  let found = db
    .selectFrom('payout_payee')
    .select('user_id')
    .where('realm', '=', realm)
    .where((eb) =>
      eb.or([
        eb('account_state', '=', 'customer_needed'),
        eb('identity_state', 'in', ['customer_needed', 'submitted']),
        eb.exists(
          eb
            .selectFrom('payout_document')
            .select('id')
            .whereRef('payout_document.user_id', '=', 'payout_payee.user_id')
            .whereRef('payout_document.realm', '=', 'payout_payee.realm')
            .where('state', '=', 'submitted'),
        ),
      ]),
    )
  if (after !== null) found = found.where('user_id', '>', after)
  return (await found.orderBy('user_id').limit(limit).execute()).map(({ user_id }) => user_id)
}

/** Who is verified there, and of whom a document was accepted here after the last that was handed in: it replaces that one. */
export async function listRenewed(db: Db, realm: string, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('payout_payee')
    .select('user_id')
    .where('realm', '=', realm)
    .where('identity_state', '=', 'verified')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('identity_document')
          .select('id')
          .whereRef('identity_document.user_id', '=', 'payout_payee.user_id')
          .where('identity_document.state', '=', 'success')
          .where('identity_document.erased_at', 'is', null)
          .where((each) =>
            each.not(
              each.exists(
                each
                  .selectFrom('payout_document')
                  .select('payout_document.id')
                  .whereRef('payout_document.user_id', '=', 'payout_payee.user_id')
                  .whereRef('payout_document.realm', '=', 'payout_payee.realm')
                  .whereRef('payout_document.created_at', '>=', 'identity_document.decided_at')
                  .where('payout_document.state', '<>', 'begun'),
              ),
            ),
          ),
      ),
    )
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
