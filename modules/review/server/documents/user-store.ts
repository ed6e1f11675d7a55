/** The SQL of this module on the people that identity and account keep: the list of users, and what staff sees of one. */
import { sql, type SelectQueryBuilder } from 'kysely'
import type { AccountStatus, StaffRole } from '../../../../kernel/actor.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { VerificationState } from '../../domain/identity-document.ts'

export type UserEntry = {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly status: AccountStatus
  readonly userType: 'natural' | 'legal' | null
  readonly companyName: string | null
  readonly country: string | null
  readonly locale: Locale
  readonly roles: readonly StaffRole[]
  readonly createdAt: Date
  readonly file: {
    readonly state: VerificationState
    readonly submittedAt: Date | null
    readonly pending: number
    readonly standsSince: Date | null
    readonly awaitsSecond: boolean
    readonly claim: { readonly by: string; readonly name: string; readonly until: Date } | null
  } | null
}

export type UsersQuery = {
  readonly state: VerificationState | 'any'
  readonly userType: 'natural' | 'legal' | null
  readonly claimed: 'own' | 'nobody' | 'others' | null
  readonly status: AccountStatus | null
  readonly search: string | null
  readonly ordering: 'age' | '-age' | 'created_at' | '-created_at' | 'last_name' | '-last_name'
  readonly limit: number
  readonly offset: number
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/**
 * One word that a text holds. Trigrams begin at three letters: a shorter one is looked for where words begin, which the same index knows.
 * @param column folded, as review_fold does
 */
function holds(column: ReturnType<typeof sql.ref>, word: string) {
  const folded = sql`review_fold(${escaped(word)})`
  return Array.from(word).length < 3
    ? sql<boolean>`(${column} like ${folded} || '%' or ${column} like '% ' || ${folded} || '%')`
    : sql<boolean>`${column} like '%' || ${folded} || '%'`
}

/** Who is found by a name, a company or the beginning of an address; each is read from an index of its own. */
function searched(db: Db | Tx, search: string) {
  const words = search
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 6)
  let byName = db.selectFrom('account_user').select('account_user.id as id')
  let byCompany = db.selectFrom('profile').select('profile.user_id as id').where('folded_company', 'is not', null)
  for (const word of words) {
    byName = byName.where(holds(sql.ref('account_user.folded_name'), word))
    byCompany = byCompany.where(holds(sql.ref('profile.folded_company'), word))
  }
  const beginning = `${escaped((words[0] ?? '').toLowerCase())}%`
  const byAddress = db
    .selectFrom('email_address')
    .select('email_address.user_id as id')
    .where(sql<boolean>`address_key like ${words.length === 1 ? beginning : null}`)
  return byName.union(byCompany).union(byAddress)
}

function matching(db: Db | Tx, query: UsersQuery, reviewerId: string, now: Date) {
  let found = db
    .selectFrom('account_user')
    .leftJoin('profile', 'profile.user_id', 'account_user.id')
    .leftJoin('identity_file', 'identity_file.user_id', 'account_user.id')
    .where('account_user.status', '<>', 'erased')
  const { state, userType, claimed, status, search } = query
  if (state !== 'any') found = found.where('identity_file.state', '=', state)
  if (userType !== null) found = found.where('profile.user_type', '=', userType)
  if (status !== null) found = found.where('account_user.status', '=', status)
  if (claimed === 'nobody') found = found.where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
  else if (claimed !== null)
    found = found.where('claimed_by', claimed === 'own' ? '=' : '<>', reviewerId).where('claimed_until', '>', now)
  if (search !== null) found = found.where('account_user.id', 'in', searched(db, search))
  return found
}

type Ordered<T> = T extends SelectQueryBuilder<infer D, infer B, infer O> ? SelectQueryBuilder<D, B, O> : never

function ordered<T extends ReturnType<typeof matching>>(found: T, { ordering, state }: UsersQuery): Ordered<T> {
  const descending = ordering.startsWith('-')
  const direction = descending ? 'desc' : 'asc'
  const by = ordering.replace('-', '')
  if (by === 'created_at')
    return found.orderBy('account_user.created_at', direction).orderBy('account_user.id', direction) as Ordered<T>
  if (by === 'last_name')
    return found.orderBy(sql`lower(account_user.last_name)`, direction).orderBy('account_user.id', direction) as Ordered<T>
  // `age`: the longest waiting first.
  if (state !== 'any')
    return found.orderBy('identity_file.submitted_at', direction).orderBy('identity_file.user_id', direction) as Ordered<T>
  return found
    .orderBy('identity_file.submitted_at', direction)
    .orderBy('account_user.created_at', direction)
    .orderBy('account_user.id', direction) as Ordered<T>
}

const entryColumns = [
  'account_user.id',
  'account_user.first_name',
  'account_user.last_name',
  'account_user.status',
  'account_user.locale',
  'account_user.created_at',
  'profile.user_type',
  'profile.company_name',
  'profile.country',
  'identity_file.state',
  'identity_file.submitted_at',
  'identity_file.stands_since',
  'identity_file.agreed_by',
  'identity_file.claimed_by',
  'identity_file.claimed_until',
] as const

type EntryRow = {
  id: string
  first_name: string
  last_name: string
  status: string
  locale: string
  created_at: Date
  user_type: string | null
  company_name: string | null
  country: string | null
  state: string | null
  submitted_at: Date | null
  stands_since: Date | null
  agreed_by: string | null
  claimed_by: string | null
  claimed_until: Date | null
}

/** What stands in other tables, for all rows of a page at once. */
async function complete(db: Db | Tx, rows: readonly EntryRow[], now: Date): Promise<UserEntry[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const addresses = await db
    .selectFrom('email_address')
    .select(['user_id', 'address'])
    .where('user_id', 'in', ids)
    .where('is_primary', '=', true)
    .execute()
  const roles = await db.selectFrom('user_role').select(['user_id', 'role']).where('user_id', 'in', ids).orderBy('role').execute()
  const pending = await db
    .selectFrom('identity_document')
    .select((eb) => ['user_id', eb.fn.countAll<number>().as('count')])
    .where('user_id', 'in', ids)
    .where('state', '=', 'pending')
    .groupBy('user_id')
    .execute()
  const names = await namesOf(
    db,
    rows.flatMap(({ claimed_by: by }) => (by === null ? [] : [by])),
  )
  return rows.map((row) => ({
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: addresses.find(({ user_id: id }) => id === row.id)?.address ?? '',
    status: row.status as AccountStatus,
    userType: row.user_type as UserEntry['userType'],
    companyName: row.company_name,
    country: row.country,
    locale: row.locale as Locale,
    roles: roles.filter(({ user_id: id }) => id === row.id).map(({ role }) => role as StaffRole),
    createdAt: row.created_at,
    file:
      row.state === null
        ? null
        : {
            state: row.state as VerificationState,
            submittedAt: row.submitted_at,
            pending: pending.find(({ user_id: id }) => id === row.id)?.count ?? 0,
            standsSince: row.stands_since,
            awaitsSecond: row.agreed_by !== null,
            claim:
              row.claimed_by === null || row.claimed_until === null || row.claimed_until <= now
                ? null
                : { by: row.claimed_by, name: names.get(row.claimed_by) ?? '', until: row.claimed_until },
          },
  }))
}

/** Everybody by age: who never sent anything comes last either way, newest of them first where that is asked. */
async function listByAge(db: Db, query: UsersQuery, reviewerId: string, now: Date): Promise<EntryRow[]> {
  const { limit, offset } = query
  const part = (sent: boolean) =>
    matching(db, query, reviewerId, now).where('identity_file.submitted_at', sent ? 'is not' : 'is', null)
  // Two statements: the first is read in the order of an index, and is all there is to most pages.
  const first = await ordered(part(true).select(entryColumns), query).limit(limit).offset(offset).execute()
  if (first.length === limit) return first
  const { count } = await part(true)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const ordering = query.ordering === '-age' ? '-created_at' : 'created_at'
  const rest = await ordered(part(false).select(entryColumns), { ...query, ordering })
    .limit(limit - first.length)
    .offset(Math.max(0, offset - count))
    .execute()
  return [...first, ...rest]
}

export async function listUsers(db: Db, query: UsersQuery, reviewerId: string, now: Date): Promise<Page<UserEntry>> {
  const { count } = await matching(db, query, reviewerId, now)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const isByAge = query.state === 'any' && query.ordering.endsWith('age')
  const rows = isByAge
    ? await listByAge(db, query, reviewerId, now)
    : await ordered(matching(db, query, reviewerId, now).select(entryColumns), query)
        .limit(query.limit)
        .offset(query.offset)
        .execute()
  return { count, rows: await complete(db, rows, now) }
}

export type UserFacts = UserEntry & {
  readonly confirmedAt: Date | null
  readonly lastSignInAt: Date | null
  readonly suspendedAt: Date | null
  readonly suspendedReason: string | null
  readonly sessions: number
  readonly secondFactor: boolean
  readonly addresses: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[]
}

/** null: there is no such account, or it was erased. */
export async function findUser(db: Db | Tx, id: string, now: Date): Promise<UserFacts | null> {
  const row = await db
    .selectFrom('account_user')
    .leftJoin('profile', 'profile.user_id', 'account_user.id')
    .leftJoin('identity_file', 'identity_file.user_id', 'account_user.id')
    .select(entryColumns)
    .select(['confirmed_at', 'last_sign_in_at', 'suspended_at', 'suspension_reason'])
    .where('account_user.id', '=', id)
    .where('account_user.status', '<>', 'erased')
    .executeTakeFirst()
  const [entry] = row === undefined ? [] : await complete(db, [row], now)
  if (row === undefined || entry === undefined) return null
  const addresses = await db
    .selectFrom('email_address')
    .select(['address', 'is_primary', 'verified_at'])
    .where('user_id', '=', id)
    .orderBy('is_primary', 'desc')
    .orderBy('created_at')
    .execute()
  const sessions = await db
    .selectFrom('user_session')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  const factor = await db
    .selectFrom('second_factor')
    .select('user_id')
    .where('user_id', '=', id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return {
    ...entry,
    confirmedAt: row.confirmed_at,
    lastSignInAt: row.last_sign_in_at,
    suspendedAt: row.suspended_at,
    suspendedReason: row.suspension_reason,
    sessions: sessions.count,
    secondFactor: factor !== undefined,
    addresses: addresses.map((each) => ({
      email: each.address,
      primary: each.is_primary,
      verified: each.verified_at !== null,
    })),
  }
}

/** Names by id; of somebody erased nothing is left to name. */
export async function namesOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('account_user')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`.trim()]))
}

export type Reader = { readonly email: string; readonly firstName: string; readonly locale: Locale; readonly brand: string }

/** To whom a decision is told, in his language; null: nobody is left to tell. */
export async function findReader(db: Db, id: string): Promise<Reader | null> {
  const row = await db
    .selectFrom('account_user')
    .innerJoin('email_address', 'email_address.user_id', 'account_user.id')
    .select(['first_name', 'locale', 'address', 'brand'])
    .where('account_user.id', '=', id)
    .where('account_user.status', '<>', 'erased')
    .where('is_primary', '=', true)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { email: row.address, firstName: row.first_name, locale: row.locale as Locale, brand: row.brand }
}

/** Held until the transaction ends; whether the account is open. */
export async function lockOpenUser(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.selectFrom('account_user').select('status').where('id', '=', id).forShare().executeTakeFirst()
  return row?.status === 'active'
}
