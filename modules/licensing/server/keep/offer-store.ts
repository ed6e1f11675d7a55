/** The SQL of offers. */
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { OfferStatus } from '../../domain/status.ts'

export type OfferRow = {
  readonly id: string
  readonly sellerId: string
  readonly createdBy: string
  readonly status: OfferStatus
  readonly priceCents: number
  readonly description: string
  readonly most: number | null
  readonly nonce: Buffer
  readonly personalDataReviewedAt: Date | null
  readonly createdAt: Date
  readonly openedAt: Date | null
  readonly stoppedAt: Date | null
  /** Ids of its reports, in their order. */
  readonly reports: readonly string[]
}

async function whole(db: Db | Tx, rows: readonly Selectable<Database['license_offer']>[]): Promise<OfferRow[]> {
  if (rows.length === 0) return []
  const reports = await db
    .selectFrom('license_offer_report')
    .select(['offer_id', 'evidence_id'])
    .where(
      'offer_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('position')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    sellerId: row.seller_id,
    createdBy: row.created_by,
    status: row.status as OfferStatus,
    priceCents: row.price_cents,
    description: row.description,
    most: row.most,
    nonce: row.nonce,
    personalDataReviewedAt: row.personal_data_reviewed_at,
    createdAt: row.created_at,
    openedAt: row.opened_at,
    stoppedAt: row.stopped_at,
    reports: reports.filter((report) => report.offer_id === row.id).map((report) => report.evidence_id),
  }))
}

export async function insertOffer(
  tx: Tx,
  offer: Omit<OfferRow, 'status' | 'openedAt' | 'stoppedAt'> & { readonly tokenHash: Buffer },
): Promise<void> {
  await tx
    .insertInto('license_offer')
    .values({
      id: offer.id,
      seller_id: offer.sellerId,
      created_by: offer.createdBy,
      status: 'draft',
      price_cents: offer.priceCents,
      description: offer.description,
      most: offer.most,
      nonce: offer.nonce,
      token_hash: offer.tokenHash,
      personal_data_reviewed_at: offer.personalDataReviewedAt,
      created_at: offer.createdAt,
    })
    .execute()
  await tx
    .insertInto('license_offer_report')
    .values(offer.reports.map((id, index) => ({ offer_id: offer.id, position: index + 1, evidence_id: id })))
    .execute()
}

export async function findOffer(db: Db | Tx, id: string): Promise<OfferRow | null> {
  const rows = await db.selectFrom('license_offer').selectAll().where('id', '=', id).execute()
  return (await whole(db, rows))[0] ?? null
}

/** Held until the transaction ends: whoever takes a place, and whoever changes it, come one after the other. */
export async function lockOffer(tx: Tx, id: string): Promise<OfferRow | null> {
  const rows = await tx.selectFrom('license_offer').selectAll().where('id', '=', id).forUpdate().execute()
  return (await whole(tx, rows))[0] ?? null
}

/** By the hash of its token; a draft has no page. */
export async function findSale(db: Db | Tx, tokenHash: Buffer): Promise<OfferRow | null> {
  const rows = await db
    .selectFrom('license_offer')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('opened_at', 'is not', null)
    .execute()
  return (await whole(db, rows))[0] ?? null
}

export async function changeOfferRow(
  tx: Tx,
  id: string,
  to: Partial<
    Pick<OfferRow, 'status' | 'priceCents' | 'description' | 'most' | 'personalDataReviewedAt' | 'openedAt' | 'stoppedAt'>
  >,
): Promise<void> {
  const values = {
    ...(to.status === undefined ? {} : { status: to.status }),
    ...(to.priceCents === undefined ? {} : { price_cents: to.priceCents }),
    ...(to.description === undefined ? {} : { description: to.description }),
    ...(to.most === undefined ? {} : { most: to.most }),
    ...(to.personalDataReviewedAt === undefined ? {} : { personal_data_reviewed_at: to.personalDataReviewedAt }),
    ...(to.openedAt === undefined ? {} : { opened_at: to.openedAt }),
    ...(to.stoppedAt === undefined ? {} : { stopped_at: to.stoppedAt }),
  }
  if (Object.keys(values).length > 0) await tx.updateTable('license_offer').set(values).where('id', '=', id).execute()
}

export type OffersWanted = {
  readonly sellerId: string
  readonly evidenceId: string | null
  readonly status: OfferStatus | null
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

export async function pageOffers(db: Db, wanted: OffersWanted): Promise<Page<OfferRow>> {
  let found = db.selectFrom('license_offer').where('seller_id', '=', wanted.sellerId)
  if (wanted.status !== null) found = found.where('status', '=', wanted.status)
  if (wanted.evidenceId !== null)
    found = found.where('id', 'in', (eb) =>
      eb.selectFrom('license_offer_report').select('offer_id').where('evidence_id', '=', wanted.evidenceId),
    )
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

/** Of each report: whether somebody has a licence of it, or has had one; whether it is for sale, or is being paid for. */
export async function readSales(
  tx: Tx,
  evidenceIds: readonly string[],
): Promise<readonly { readonly id: string; readonly licensed: boolean; readonly offered: boolean }[]> {
  const { rows } = await sql<{ id: string; licensed: boolean; offered: boolean }>`
    select e.id,
      exists (select from license_report r join license l on l.id = r.license_id
        where r.evidence_id = e.id and l.status in ('paid', 'active')) as licensed,
      exists (select from license_offer_report r join license_offer o on o.id = r.offer_id
        where r.evidence_id = e.id and (o.status = 'open'
          or exists (select from license l where l.offer_id = o.id and l.status = 'pending' and l.invoice_id is not null))) as offered
    from unnest(${[...evidenceIds]}::uuid[]) as e (id)`.execute(tx)
  return rows
}

/** Those of a seller that are not stopped. */
export async function listUnstopped(db: Db | Tx, sellerId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('license_offer')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('status', '<>', 'stopped')
    .execute()
  return rows.map(({ id }) => id)
}
