import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../db/database.ts'
import type { FindMailBrand } from './mail-brand.ts'
import type { Mail, Mailer } from './mailer.ts'
import { settleNotice, type NoticeTable } from './notice-store.ts'

/** What the mail of a line that was written down for somebody is made with. */
export type NoticeDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly mailer: Mailer
  /** Links in mails that end them are made with it. */
  readonly secret: string
  /** Without trailing slash; links start with it. */
  readonly publicUrl: string
  /** Of accounts that were made under a partner's sign; absent: the product's own for all. */
  readonly mailBrand?: FindMailBrand
}

/**
 * Sends the mail of one line, unless what happened since has made it pointless (null), and settles the line. Killed between the two it is
 * sent again, under the same Message-ID and into the same file: one mail for whoever reads (decision 0278).
 */
export async function sendOnce(
  { db, clock, mailer }: Pick<NoticeDeps, 'db' | 'clock' | 'mailer'>,
  line: { readonly table: NoticeTable; readonly id: string; readonly createdAt: Date },
  mail: Mail | null,
): Promise<void> {
  if (mail !== null) await mailer.send({ ...mail, once: { id: line.id, at: line.createdAt } })
  await settleNotice(db, line.table, line.id, mail !== null, clock.now())
}
