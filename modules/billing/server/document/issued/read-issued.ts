import type { Db, Tx } from '../../../../../platform/db/database.ts'
import type { Schedule } from '../../../domain/document/invoice-document.ts'
import { findSaid } from '../../invoice/document-store.ts'
import type { IssuedInvoice } from './facts-of-invoice.ts'
import { findMeans } from './means-store.ts'
import { findIssued, findPaidAtOnce, findSchedule } from './issued-store.ts'

/** What is not in the invoice, and is said of it in every language as it was when the first document was made. */
export type Said = Pick<IssuedInvoice, 'paid' | 'means' | 'test'> & { readonly schedule: Schedule | null }

/** null: it is not issued, or the law no longer wants it kept. @param test whether payments move no money */
export async function readIssued(
  db: Db | Tx,
  invoiceId: string,
  test: boolean,
): Promise<{ readonly issued: IssuedInvoice; readonly customerId: string; readonly said: Said } | null> {
  const found = await findIssued(db, invoiceId)
  if (found === null) return null
  // Written by this file alone.
  const said = ((await findSaid(db, invoiceId)) as Said | null) ?? (await sayOf(db, found, test))
  const { customerId } = found.invoice
  return { customerId, said, issued: { ...found, dueOn: found.invoice.dueOn, ...said } }
}

async function sayOf(db: Db | Tx, found: NonNullable<Awaited<ReturnType<typeof findIssued>>>, test: boolean): Promise<Said> {
  const paid = await findPaidAtOnce(db, found)
  const schedule = await findSchedule(db, found, paid?.on ?? found.invoice.dueOn)
  return { paid, schedule, means: await findMeans(db, found, paid), test }
}
