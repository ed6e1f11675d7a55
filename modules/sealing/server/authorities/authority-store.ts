/** What is known of the configured time authorities, as SQL. */
import type { Db } from '../../../../platform/db/database.ts'

export const authorityStates = ['qualified', 'not_qualified', 'indeterminate', 'silent'] as const
export type AuthorityState = (typeof authorityStates)[number]

export type KnownAuthority = {
  /** Address without credentials, query or fragment. */
  readonly name: string
  readonly checkedAt: Date
  readonly state: AuthorityState
  readonly reason: string
  readonly provider: string | null
  readonly territory: string | null
}

/** Exactly these are known from now on. */
export async function replaceAuthorities(db: Db, authorities: readonly KnownAuthority[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('time_authority').execute()
    for (const { name, checkedAt, state, reason, provider, territory } of authorities)
      await tx
        .insertInto('time_authority')
        .values({ name, checked_at: checkedAt, state, reason, provider, territory })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
  })
}

export async function listAuthorities(db: Db): Promise<KnownAuthority[]> {
  const rows = await db.selectFrom('time_authority').selectAll().orderBy('name').execute()
  return rows.map((row) => ({
    name: row.name,
    checkedAt: row.checked_at,
    state: row.state as AuthorityState,
    reason: row.reason,
    provider: row.provider,
    territory: row.territory,
  }))
}
