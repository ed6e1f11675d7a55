/** The SQL of who wants the newsletter. */
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type Subscription = {
  readonly id: string
  readonly address: string
  readonly locale: Locale
  readonly askedAt: Date
  /** What was agreed to. */
  readonly askedWords: string
  readonly confirmedAt: Date | null
}

/** Asked for again it is asked anew, unless it was confirmed: then it stays as it is. */
export async function askSubscription(
  tx: Tx,
  asked: Omit<Subscription, 'confirmedAt'> & { readonly addressKey: string },
): Promise<Subscription | null> {
  const row = await tx
    .insertInto('newsletter_subscription')
    .values({
      id: asked.id,
      address: asked.address,
      address_key: asked.addressKey,
      locale: asked.locale,
      asked_at: asked.askedAt,
      asked_words: asked.askedWords,
    })
    .onConflict((conflict) =>
      conflict
        .column('address_key')
        .doUpdateSet({ locale: asked.locale, asked_at: asked.askedAt, asked_words: asked.askedWords })
        .where('newsletter_subscription.confirmed_at', 'is', null),
    )
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toSubscription(row)
}

type Row = {
  id: string
  address: string
  locale: string
  asked_at: Date
  asked_words: string
  confirmed_at: Date | null
}
const toSubscription = (row: Row): Subscription => ({
  id: row.id,
  address: row.address,
  locale: row.locale as Locale,
  askedAt: row.asked_at,
  askedWords: row.asked_words,
  confirmedAt: row.confirmed_at,
})

export async function findSubscription(db: Db, id: string): Promise<Subscription | null> {
  const row = await db.selectFrom('newsletter_subscription').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toSubscription(row)
}

/** @returns whether there was one; confirmed twice, it keeps its first time */
export async function confirmSubscription(db: Db, id: string, now: Date): Promise<boolean> {
  await db
    .updateTable('newsletter_subscription')
    .set({ confirmed_at: now })
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .execute()
  return (await findSubscription(db, id)) !== null
}

export async function deleteSubscription(db: Db, id: string): Promise<void> {
  await db.deleteFrom('newsletter_subscription').where('id', '=', id).execute()
}

export async function deleteUnconfirmed(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('newsletter_subscription').where('confirmed_at', 'is', null).where('asked_at', '<=', before).execute()
}

export async function listConfirmed(db: Db): Promise<Subscription[]> {
  const rows = await db
    .selectFrom('newsletter_subscription')
    .selectAll()
    .where('confirmed_at', 'is not', null)
    .orderBy('confirmed_at')
    .orderBy('id')
    .execute()
  return rows.map(toSubscription)
}
