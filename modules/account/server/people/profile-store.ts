/** The SQL of profiles, bank accounts and settings. */
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { BankAccountType } from '../../domain/bank-account.ts'
import { profileFieldNames, type ProfileField, type ProfileValues } from '../../domain/profile.ts'
import { defaultSettings, type ServerLocation, type Settings } from '../../domain/settings.ts'

/** Names stand with the account. */
export type KeptField = Exclude<ProfileField, 'first_name' | 'last_name'>
export const keptFields = profileFieldNames.filter((field): field is KeptField => field !== 'first_name' && field !== 'last_name')

export type KeptProfile = {
  readonly values: Pick<ProfileValues, KeptField>
  readonly sealedOwners: Buffer | null
  readonly owners: number
  readonly updatedAt: Date | null
}

const nothing = Object.fromEntries(keptFields.map((field) => [field, null])) as Record<KeptField, null>

/** An account that said nothing has an empty one. */
export async function findProfile(db: Db | Tx, userId: string): Promise<KeptProfile> {
  const row = await db
    .selectFrom('profile')
    .select([...keptFields, 'sealed_owners', 'owners', 'updated_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return { values: nothing, sealedOwners: null, owners: 0, updatedAt: null }
  const { sealed_owners: sealedOwners, owners, updated_at: updatedAt, ...values } = row
  return { values, sealedOwners, owners, updatedAt }
}

/** Those of several at once; of who said nothing there is none. */
export async function listProfiles(db: Db | Tx, userIds: readonly string[]): Promise<Map<string, KeptProfile>> {
  const rows = await db
    .selectFrom('profile')
    .select([...keptFields, 'user_id', 'sealed_owners', 'owners', 'updated_at'])
    .where('user_id', 'in', userIds)
    .execute()
  return new Map(
    rows.map(({ user_id: userId, sealed_owners: sealedOwners, owners, updated_at: updatedAt, ...values }) => [
      userId,
      { values, sealedOwners, owners, updatedAt },
    ]),
  )
}

/** Where somebody says that he lives; null: he does not. */
export async function findCountry(db: Db | Tx, userId: string): Promise<string | null> {
  const row = await db.selectFrom('profile').select('country').where('user_id', '=', userId).executeTakeFirst()
  return row?.country ?? null
}

export async function saveProfile(
  tx: Tx,
  userId: string,
  profile: { readonly values: Pick<ProfileValues, KeptField>; readonly sealedOwners: Buffer | null; readonly owners: number },
  now: Date,
): Promise<void> {
  const kept = Object.fromEntries(keptFields.map((field) => [field, profile.values[field]])) as Pick<ProfileValues, KeptField>
  const row = { ...kept, sealed_owners: profile.sealedOwners, owners: profile.owners, updated_at: now }
  await tx
    .insertInto('profile')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

export type KeptBankAccount = {
  readonly type: BankAccountType
  readonly ending: string
  readonly sealed: Buffer
  readonly updatedAt: Date
}

export async function findBankAccount(db: Db | Tx, userId: string): Promise<KeptBankAccount | null> {
  const row = await db
    .selectFrom('bank_account')
    .select(['type', 'ending', 'sealed', 'updated_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { type: row.type as BankAccountType, ending: row.ending, sealed: row.sealed, updatedAt: row.updated_at }
}

export async function hasBankAccount(db: Db | Tx, userId: string): Promise<boolean> {
  return (await db.selectFrom('bank_account').select('user_id').where('user_id', '=', userId).executeTakeFirst()) !== undefined
}

export async function saveBankAccount(
  tx: Tx,
  userId: string,
  account: Pick<KeptBankAccount, 'type' | 'ending' | 'sealed'>,
  now: Date,
): Promise<void> {
  const row = { type: account.type, ending: account.ending, sealed: account.sealed, updated_at: now }
  await tx
    .insertInto('bank_account')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/** @returns whether there was one */
export async function deleteBankAccount(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.deleteFrom('bank_account').where('user_id', '=', userId).executeTakeFirst()).numDeletedRows > 0n
}

export async function findSettings(db: Db | Tx, userId: string): Promise<Settings> {
  const row = await db.selectFrom('account_settings').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (row === undefined) return defaultSettings
  return {
    serverLocation: row.server_location as ServerLocation,
    serverId: row.server_id,
    closeCookies: row.close_cookies,
    eidasTimestamping: row.eidas_timestamping,
    notifications: {
      report_ready: row.notify_report_ready,
      draft_ending: row.notify_draft_ending,
      download_reminder: row.notify_download_reminder,
      anchored: row.notify_anchored,
      proof_weakening: row.notify_proof_weakening,
    },
  }
}

export async function saveSettings(tx: Tx, userId: string, settings: Settings): Promise<void> {
  const row = {
    server_location: settings.serverLocation,
    server_id: settings.serverId,
    close_cookies: settings.closeCookies,
    eidas_timestamping: settings.eidasTimestamping,
    notify_report_ready: settings.notifications.report_ready,
    notify_draft_ending: settings.notifications.draft_ending,
    notify_download_reminder: settings.notifications.download_reminder,
    notify_anchored: settings.notifications.anchored,
    notify_proof_weakening: settings.notifications.proof_weakening,
  }
  await tx
    .insertInto('account_settings')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

export async function deleteProfile(tx: Tx, userId: string): Promise<void> {
  for (const table of ['profile', 'bank_account', 'account_settings'] as const)
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
}
