/** The SQL of this module on the people that identity keeps: their names and language, and the end of their accounts. */
import { sql } from 'kysely'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { GroupRole } from '../../domain/group.ts'

export type PersonStatus = 'unconfirmed' | 'active' | 'suspended' | 'closing' | 'erased'

export type Person = {
  readonly id: string
  readonly status: PersonStatus
  readonly firstName: string
  readonly lastName: string
  readonly locale: Locale
  readonly referralCode: string
  readonly brand: string
  readonly createdAt: Date
  readonly eraseAfter: Date | null
  /** The primary address; empty once there is none. */
  readonly email: string
}

const columns = [
  'account_user.id',
  'account_user.status',
  'account_user.first_name',
  'account_user.last_name',
  'account_user.locale',
  'account_user.referral_code',
  'account_user.brand',
  'account_user.created_at',
  'account_user.erase_after',
] as const

type Row = {
  id: string
  status: string
  first_name: string
  last_name: string
  locale: string
  referral_code: string
  brand: string
  created_at: Date
  erase_after: Date | null
}

async function withAddress(db: Db | Tx, row: Row | undefined): Promise<Person | null> {
  if (row === undefined) return null
  const email = await db
    .selectFrom('email_address')
    .select('address')
    .where('user_id', '=', row.id)
    .where('is_primary', '=', true)
    .executeTakeFirst()
  return personOf(row, email?.address ?? null)
}

function personOf(row: Row, email: string | null): Person {
  return {
    id: row.id,
    status: row.status as PersonStatus,
    firstName: row.first_name,
    lastName: row.last_name,
    locale: row.locale as Locale,
    referralCode: row.referral_code,
    brand: row.brand,
    createdAt: row.created_at,
    eraseAfter: row.erase_after,
    email: email ?? '',
  }
}

export function nameOf(person: Pick<Person, 'firstName' | 'lastName'>): string {
  return `${person.firstName} ${person.lastName}`.trim()
}

export async function findPerson(db: Db | Tx, id: string): Promise<Person | null> {
  return await withAddress(db, await db.selectFrom('account_user').select(columns).where('id', '=', id).executeTakeFirst())
}

/** Several at once; those that there are not are left out. */
export async function listPersons(db: Db | Tx, ids: readonly string[]): Promise<Person[]> {
  const rows = await db
    .selectFrom('account_user')
    .leftJoin('email_address', (join) =>
      join.onRef('email_address.user_id', '=', 'account_user.id').on('email_address.is_primary', '=', true),
    )
    .select([...columns, 'email_address.address'])
    .where('account_user.id', 'in', ids)
    .execute()
  return rows.map(({ address, ...row }) => personOf(row, address))
}

/** Held until the transaction ends. */
export async function lockPerson(tx: Tx, id: string): Promise<Person | null> {
  const row = await tx.selectFrom('account_user').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
  return await withAddress(tx, row)
}

/** Whose mailbox it was proven to be, when his account is open. */
export async function findPersonByAddress(db: Db | Tx, addressKey: string): Promise<Person | null> {
  const row = await db
    .selectFrom('email_address')
    .innerJoin('account_user', 'account_user.id', 'email_address.user_id')
    .select(columns)
    .where('address_key', '=', addressKey)
    .where('verified_at', 'is not', null)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return await withAddress(db, row)
}

/** Whether that mailbox is one of his, proven. */
export async function hasAddress(db: Db | Tx, userId: string, addressKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('email_address')
    .select('id')
    .where('user_id', '=', userId)
    .where('address_key', '=', addressKey)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The primary address, once it was proven to be his; null: there is none. */
export async function findProvenAddress(db: Db | Tx, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('email_address')
    .select('address')
    .where('user_id', '=', userId)
    .where('is_primary', '=', true)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.address ?? null
}

export async function renamePerson(tx: Tx, id: string, firstName: string, lastName: string): Promise<void> {
  await tx.updateTable('account_user').set({ first_name: firstName, last_name: lastName }).where('id', '=', id).execute()
}

export async function setLanguage(tx: Tx, id: string, locale: Locale): Promise<void> {
  await tx.updateTable('account_user').set({ locale }).where('id', '=', id).execute()
}

export type PersonEntry = {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly userType: string | null
  readonly companyName: string | null
  readonly groupRole: GroupRole | null
}

const pattern = (search: string) => `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Himself, and the members of the group that he owns or manages. */
export async function listReachablePeople(
  db: Db,
  userId: string,
  query: { readonly search: string | null; readonly descending: boolean; readonly limit: number; readonly offset: number },
): Promise<Page<PersonEntry>> {
  let found = db
    .selectFrom('account_user')
    .leftJoin('email_address', (join) =>
      join.onRef('email_address.user_id', '=', 'account_user.id').on('email_address.is_primary', '=', true),
    )
    .leftJoin('profile', 'profile.user_id', 'account_user.id')
    .leftJoin('group_member', 'group_member.user_id', 'account_user.id')
    .where((eb) =>
      eb.or([
        eb('account_user.id', '=', userId),
        eb(
          'group_member.group_id',
          'in',
          eb
            .selectFrom('group_member as own')
            .select('own.group_id')
            .where('own.user_id', '=', userId)
            .where('own.role', 'in', ['owner', 'manager']),
        ),
      ]),
    )
  if (query.search !== null) {
    const like = pattern(query.search)
    found = found.where((eb) =>
      eb.or([
        eb(sql`account_user.first_name || ' ' || account_user.last_name`, 'ilike', like),
        eb('email_address.address', 'ilike', like),
        eb('profile.company_name', 'ilike', like),
      ]),
    )
  }
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = query.descending ? 'desc' : 'asc'
  const rows = await found
    .select([
      'account_user.id',
      'account_user.first_name',
      'account_user.last_name',
      'email_address.address',
      'profile.user_type',
      'profile.company_name',
      'group_member.role',
    ])
    .orderBy('account_user.last_name', direction)
    .orderBy('account_user.first_name', direction)
    .orderBy('account_user.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return {
    count,
    rows: rows.map((row) => ({
      id: row.id,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.address ?? '',
      userType: row.user_type,
      companyName: row.company_name,
      groupRole: row.role as GroupRole | null,
    })),
  }
}

/** What identity holds on somebody beside his name: for the export. Hashes and secrets are nobody's to read. */
export async function readHeldOnPerson(db: Db, id: string) {
  const account = await db
    .selectFrom('account_user')
    .select([
      'id',
      'status',
      'first_name',
      'last_name',
      'locale',
      'referral_code',
      'referred_by',
      'formula',
      'brand',
      'terms_accepted_at',
      'created_at',
      'confirmed_at',
      'last_sign_in_at',
      'password_changed_at',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  const emails = await db
    .selectFrom('email_address')
    .select(['address', 'is_primary', 'verified_at', 'created_at'])
    .where('user_id', '=', id)
    .orderBy('created_at')
    .execute()
  const sessions = await db
    .selectFrom('user_session')
    .select(['created_at', 'seen_at', 'expires_at', 'browser', 'network', 'remembered', 'second_factor'])
    .where('user_id', '=', id)
    .orderBy('created_at')
    .execute()
  const apiKeys = await db
    .selectFrom('api_key')
    .select(['name', 'hint', 'scopes', 'per_minute', 'created_at', 'expires_at', 'last_used_on', 'last_network'])
    .where('user_id', '=', id)
    .orderBy('created_at')
    .execute()
  const roles = await db.selectFrom('user_role').select(['role', 'granted_at']).where('user_id', '=', id).execute()
  const factor = await db.selectFrom('second_factor').select('confirmed_at').where('user_id', '=', id).executeTakeFirst()
  return { account, emails, sessions, api_keys: apiKeys, roles, second_factor_since: factor?.confirmed_at ?? null }
}
