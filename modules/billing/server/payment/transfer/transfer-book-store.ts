/** The SQL of transfers to the seller's own account. */
import type { Db, Tx } from '../../../../../platform/db/database.ts'
import type { Announced, TransferBook } from '../../provider/transfer/book.ts'
import type { StatementLine } from '../../provider/transfer/statement.ts'

type Row = {
  direction: string
  payment: string
  customer: string
  idempotency_key: string
  tag: string
  cents: number
  reference: string
}
const toAnnounced = (row: Row | undefined): Announced | null =>
  row === undefined
    ? null
    : {
        direction: row.direction as Announced['direction'],
        payment: row.payment,
        customer: row.customer,
        key: row.idempotency_key,
        tag: row.tag,
        cents: row.cents,
        reference: row.reference,
      }

/** In a transaction of the caller's, or each call by itself. */
export function transferBook(db: Db | Tx, now: () => Date): TransferBook {
  const announced = () => db.selectFrom('transfer_announced').selectAll()
  return {
    announce: async ({ direction, payment, customer, key, tag, cents, reference }) => {
      await db
        .insertInto('transfer_announced')
        .values({ direction, payment, customer, idempotency_key: key, tag, cents, reference })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute()
      const kept = toAnnounced(await announced().where('idempotency_key', '=', key).executeTakeFirst())
      if (kept === null) throw new Error(`transfer ${payment} is gone as it is announced`)
      return kept
    },
    byPayment: async (payment) => toAnnounced(await announced().where('payment', '=', payment).executeTakeFirst()),
    byTag: async (customer, tag) =>
      toAnnounced(await announced().where('customer', '=', customer).where('tag', '=', tag).executeTakeFirst()),
    byReference: async (reference) => toAnnounced(await announced().where('reference', '=', reference).executeTakeFirst()),
    receiptsOf: async (payment) => {
      const rows = await db.selectFrom('transfer_receipt').selectAll().where('payment', '=', payment).orderBy('line_id').execute()
      return rows.map((row) => ({ line: row.line as StatementLine, payment: row.payment }))
    },
    keep: async ({ line, payment }) => {
      const kept = await db
        .insertInto('transfer_receipt')
        .values({ line_id: line.id, payment, line: JSON.stringify(line), imported_at: now() })
        .onConflict((conflict) => conflict.column('line_id').doNothing())
        .returning('line_id')
        .executeTakeFirst()
      return kept !== undefined
    },
  }
}

/** Of which something came in, or went back, that the books do not know of yet. */
export async function listReceived(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('transfer_receipt')
    .select('payment')
    .distinct()
    .where('payment', 'is not', null)
    .where('noted', '=', false)
    .execute()
  return rows.flatMap(({ payment }) => (payment === null ? [] : [payment]))
}

export async function setNoted(db: Db, payment: string, until: Date): Promise<void> {
  await db
    .updateTable('transfer_receipt')
    .set({ noted: true })
    .where('payment', '=', payment)
    .where('imported_at', '<=', until)
    .execute()
}
