/** The SQL of licences. */
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { assertFollows, licenseTransitions, type LicenseStatus, type RevocationReason } from '../../domain/status.ts'

export type Beneficiary = {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly company: string
}
export type LicenseReport = {
  readonly evidenceId: string
  readonly pageUrl: string
  readonly capturedAt: Date
  readonly root: string
}
export type LicenseRow = Beneficiary & {
  readonly id: string
  readonly offerId: string
  readonly sellerId: string
  readonly buyerId: string
  readonly status: LicenseStatus
  readonly netCents: number
  readonly feeRate: number
  readonly feeCents: number
  readonly invoiceId: string | null
  /** As he was called then; null: it has no invoice, or had none. */
  readonly licensor: string | null
  readonly terms: string
  readonly waivedAt: Date
  readonly number: string | null
  readonly nonce: Buffer
  readonly reason: RevocationReason | null
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly activeAt: Date | null
  readonly endedAt: Date | null
  readonly reports: readonly LicenseReport[]
}

async function whole(db: Db | Tx, rows: readonly Selectable<Database['license']>[]): Promise<LicenseRow[]> {
  if (rows.length === 0) return []
  const reports = await db
    .selectFrom('license_report')
    .selectAll()
    .where(
      'license_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('position')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    offerId: row.offer_id,
    sellerId: row.seller_id,
    buyerId: row.buyer_id,
    status: row.status as LicenseStatus,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    company: row.company,
    netCents: row.net_cents,
    feeRate: row.fee_rate,
    feeCents: row.fee_cents,
    invoiceId: row.invoice_id,
    licensor: row.licensor,
    terms: row.terms,
    waivedAt: row.waived_at,
    number: row.number,
    nonce: row.nonce,
    reason: row.reason as RevocationReason | null,
    createdAt: row.created_at,
    paidAt: row.paid_at,
    activeAt: row.active_at,
    endedAt: row.ended_at,
    reports: reports
      .filter((report) => report.license_id === row.id)
      .map((report) => ({
        evidenceId: report.evidence_id,
        pageUrl: report.page_url,
        capturedAt: report.captured_at,
        root: report.root,
      })),
  }))
}

export type NewLicense = Beneficiary &
  Pick<
    LicenseRow,
    'id' | 'offerId' | 'sellerId' | 'buyerId' | 'netCents' | 'feeRate' | 'feeCents' | 'terms' | 'waivedAt' | 'nonce' | 'reports'
  > & { readonly codeHash: Buffer }

export async function insertLicense(tx: Tx, license: NewLicense, now: Date): Promise<void> {
  await tx
    .insertInto('license')
    .values({
      id: license.id,
      offer_id: license.offerId,
      seller_id: license.sellerId,
      buyer_id: license.buyerId,
      status: 'pending',
      email: license.email,
      first_name: license.firstName,
      last_name: license.lastName,
      company: license.company,
      net_cents: license.netCents,
      fee_rate: license.feeRate,
      fee_cents: license.feeCents,
      terms: license.terms,
      waived_at: license.waivedAt,
      nonce: license.nonce,
      code_hash: license.codeHash,
      created_at: now,
    })
    .execute()
  await tx
    .insertInto('license_report')
    .values(
      license.reports.map((report, index) => ({
        license_id: license.id,
        position: index + 1,
        evidence_id: report.evidenceId,
        page_url: report.pageUrl,
        captured_at: report.capturedAt,
        root: report.root,
      })),
    )
    .execute()
}

export async function findLicense(db: Db | Tx, id: string): Promise<LicenseRow | null> {
  return (await whole(db, await db.selectFrom('license').selectAll().where('id', '=', id).execute()))[0] ?? null
}

/** Held until the transaction ends. */
export async function lockLicense(tx: Tx, id: string): Promise<LicenseRow | null> {
  return (await whole(tx, await tx.selectFrom('license').selectAll().where('id', '=', id).forUpdate().execute()))[0] ?? null
}

export async function findByCode(db: Db, codeHash: Buffer): Promise<LicenseRow | null> {
  return (await whole(db, await db.selectFrom('license').selectAll().where('code_hash', '=', codeHash).execute()))[0] ?? null
}

/** Of those of that offer which somebody asked for, the one that is not paid yet; else the newest. */
export async function findNewestOf(db: Db | Tx, offerId: string, buyerId: string): Promise<LicenseRow | null> {
  const rows = await db
    .selectFrom('license')
    .selectAll()
    .where('offer_id', '=', offerId)
    .where('buyer_id', '=', buyerId)
    .orderBy((eb) => eb('status', '=', 'pending'), 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .execute()
  return (await whole(db, rows))[0] ?? null
}

export async function setBeneficiary(tx: Tx, id: string, to: Beneficiary): Promise<void> {
  await tx
    .updateTable('license')
    .set({ email: to.email, first_name: to.firstName, last_name: to.lastName, company: to.company })
    .where('id', '=', id)
    .execute()
}

/** What it costs is settled with its invoice. */
export async function setInvoice(
  tx: Tx,
  id: string,
  to: Pick<LicenseRow, 'netCents' | 'feeRate' | 'feeCents' | 'licensor'> & { readonly invoiceId: string },
): Promise<void> {
  await tx
    .updateTable('license')
    .set({
      invoice_id: to.invoiceId,
      net_cents: to.netCents,
      fee_rate: to.feeRate,
      fee_cents: to.feeCents,
      licensor: to.licensor,
    })
    .where('id', '=', id)
    .execute()
}

/** @throws DomainError `licensing.illegal_transition`; the database refuses it too */
export async function changeLicenseStatus(
  tx: Tx,
  { id, status }: Pick<LicenseRow, 'id' | 'status'>,
  to: LicenseStatus,
  now: Date,
  also: { readonly number?: string; readonly reason?: RevocationReason } = {},
): Promise<void> {
  assertFollows(licenseTransitions, status, to)
  await tx
    .updateTable('license')
    .set({
      status: to,
      ...(to === 'paid' ? { paid_at: now } : {}),
      ...(to === 'active' ? { active_at: now } : {}),
      ...(to === 'lapsed' || to === 'revoked' ? { ended_at: now } : {}),
      // Of what never was, nobody is named.
      ...(to === 'lapsed' ? { licensor: null } : {}),
      ...(also.number === undefined ? {} : { number: also.number }),
      ...(also.reason === undefined ? {} : { reason: also.reason }),
    })
    .where('id', '=', id)
    .execute()
}

/** The next of the year; given again should the transaction fail. */
export async function takeLicenseNumber(tx: Tx, year: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into license_series (year, last) values (${year}, 1)
    on conflict (year) do update set last = license_series.last + 1 returning last`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('no number was given')
  return row.last
}

/** Of an offer: licences that hold, and places kept for those who are about to pay. */
export async function countPlaces(db: Db | Tx, offerId: string): Promise<{ readonly sold: number; readonly kept: number }> {
  const { rows } = await sql<{ sold: number; kept: number }>`
    select count(*) filter (where status in ('paid', 'active'))::integer as sold,
      count(*) filter (where status = 'pending' and invoice_id is not null)::integer as kept
    from license where offer_id = ${offerId}::uuid`.execute(db)
  return rows[0] ?? { sold: 0, kept: 0 }
}

/** Asked for before that, and not paid. */
export async function listWaiting(
  db: Db,
  of: { readonly before: Date; readonly limit: number } | { readonly offerId: string },
): Promise<readonly { readonly id: string; readonly buyerId: string }[]> {
  let found = db.selectFrom('license').select(['id', 'buyer_id']).where('status', '=', 'pending').orderBy('created_at')
  found = 'offerId' in of ? found.where('offer_id', '=', of.offerId) : found.where('created_at', '<', of.before).limit(of.limit)
  return (await found.execute()).map((row) => ({ id: row.id, buyerId: row.buyer_id }))
}

/** Those that hold, in the order of their ids. */
export async function listHolding(
  db: Db,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly { readonly id: string; readonly invoiceId: string }[]> {
  let found = db.selectFrom('license').select(['id', 'invoice_id']).where('status', 'in', ['paid', 'active'])
  if (after !== null) found = found.where('id', '>', after)
  const rows = await found.where('invoice_id', 'is not', null).orderBy('id').limit(limit).execute()
  return rows.map((row) => ({ id: row.id, invoiceId: row.invoice_id ?? '' }))
}

export type LicensesWanted = {
  readonly accountId: string
  readonly side: 'bought' | 'sold'
  readonly status: LicenseStatus | null
  readonly search: string | null
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

/** Of what was sold, what was never paid is the buyer's own. */
export async function pageLicenses(db: Db, wanted: LicensesWanted): Promise<Page<LicenseRow>> {
  let found = db.selectFrom('license')
  found =
    wanted.side === 'bought'
      ? found.where('buyer_id', '=', wanted.accountId)
      : found.where('seller_id', '=', wanted.accountId).where('paid_at', 'is not', null)
  if (wanted.status !== null) found = found.where('status', '=', wanted.status)
  if (wanted.search !== null) {
    const search = wanted.search.toLowerCase()
    found = found.where(
      sql<boolean>`(strpos(lower(concat_ws(' ', number, first_name, last_name, company, email)), ${search}) > 0 or exists (
        select from license_report r where r.license_id = license.id and strpos(lower(r.page_url), ${search}) > 0))`,
    )
  }
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = wanted.descending ? 'desc' : 'asc'
  const rows = await found
    .selectAll()
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(wanted.limit)
    .offset(wanted.offset)
    .execute()
  return { count, rows: await whole(db, rows) }
}

export type LicenseStats = {
  readonly bought: number
  readonly current: number
  readonly previous: number
  readonly total: number
  readonly net: number
  readonly fee: number
  readonly openOffers: number
}

/** @param month first instant of this one @param before of the one before it */
export async function readStats(db: Db, accountId: string, month: Date, before: Date): Promise<LicenseStats> {
  const { rows } = await sql<LicenseStats>`
    select
      (select count(*)::integer from license where buyer_id = ${accountId}::uuid and status in ('paid', 'active')) as bought,
      count(*) filter (where paid_at >= ${month})::integer as current,
      count(*) filter (where paid_at >= ${before} and paid_at < ${month})::integer as previous,
      count(*)::integer as total, coalesce(sum(net_cents), 0)::float8 as net, coalesce(sum(fee_cents), 0)::float8 as fee,
      (select count(*)::integer from license_offer where seller_id = ${accountId}::uuid and status = 'open') as "openOffers"
    from license where seller_id = ${accountId}::uuid and status in ('paid', 'active')`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate has one row')
  return row
}

export type LicenseDocument = { readonly locale: Locale; readonly sha256: string; readonly bytes: number }

export async function listDocuments(db: Db | Tx, licenseId: string): Promise<readonly LicenseDocument[]> {
  const rows = await db
    .selectFrom('license_document')
    .select(['locale', 'sha256', 'bytes'])
    .where('license_id', '=', licenseId)
    .orderBy('locale')
    .execute()
  return rows.map((row) => ({ ...row, locale: row.locale as Locale }))
}

/** Of each language the first stays. */
export async function insertDocument(tx: Tx, licenseId: string, document: LicenseDocument, now: Date): Promise<void> {
  await tx
    .insertInto('license_document')
    .values({ license_id: licenseId, ...document, made_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
