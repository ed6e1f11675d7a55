import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Tx } from '../../../../platform/db/database.ts'
import { TypesetFailed } from '../../../../platform/print/typeset/typeset.ts'
import { pageStatement } from '../accounting/statement-store.ts'
import { buyerOf, sellerOf } from '../document/issued/parties-of-invoice.ts'
import type { DocumentDeps } from '../document/make-documents.ts'
import { documentWords } from '../document/words/document-words.ts'
import { findBuyer } from '../invoice/invoice-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { composeStatement } from './compose-statement.ts'
import {
  deleteStatements,
  findLastInvoice,
  holdWishedStatements,
  listOldStatements,
  setStatement,
  type WishedStatement,
} from './statement-document-store.ts'

export type StatementDeps = DocumentDeps & Pick<BillingDeps, 'seller'>

const together = 5
const longestMs = 5 * 60 * 1000

/** All that were asked for and are not made. May be repeated, or run twice at a time: each is made by one. @returns how many were looked at */
export async function makeStatements(deps: StatementDeps, stop: AbortSignal): Promise<number> {
  for (let total = 0; ;) {
    stop.throwIfAborted()
    const held = await deps.db.transaction().execute(async (tx) => {
      const wished = await holdWishedStatements(tx, together)
      for (const each of wished) await makeOne(tx, deps, each, stop)
      return wished.length
    })
    total += held
    if (held < together) return total
  }
}

/** The lines that there were when it was asked for. */
async function makeOne(tx: Tx, deps: StatementDeps, wished: WishedStatement, stop: AbortSignal): Promise<void> {
  const { customerId, locale, on } = wished
  const now = deps.clock.now()
  const last = await findLastInvoice(tx, customerId)
  const whose = last === null ? null : await findBuyer(tx, last)
  if (whose === null) return await setStatement(tx, wished, { fault: 'forgotten' }, now)
  const { rows, count } = await pageStatement(tx, customerId, { limit: mostLines, offset: 0 })
  const lines = rows.toReversed().slice(0, wished.lines)
  if (count > mostLines) return await setStatement(tx, wished, { fault: `has ${String(count)} lines` }, now)
  const words = documentWords(locale)
  const { legal, ...seller } = sellerOf(deps.seller)
  const legalText = words.t('billing.document.legal', {
    form: legal.form,
    capital: legal.capital ?? 'none',
    register: legal.register ?? 'none',
    vat: seller.vatId ?? 'none',
  })
  const facts = { seller, legalText, buyer: buyerOf(whose.buyer), lines, on, test: deps.testPayments }
  const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)])
  const folder = join(deps.workFolder, `statement-${randomUUID()}`)
  try {
    const [pdf = new Uint8Array()] = await deps.typesetAll([composeStatement(words, facts)], { folder, signal })
    const signed = await deps.signPdf(pdf, words.t('billing.statement.sign_reason'), signal)
    await setStatement(tx, wished, await deps.blobs.scope(customerId).putBytes(signed), now)
  } catch (error) {
    if (!(error instanceof TypesetFailed)) throw error
    deps.log.error({ customer_id: customerId, reason: error.message }, 'a statement of an account cannot be made')
    await setStatement(tx, wished, { fault: error.message }, now)
  }
}

/** What one file holds; no account is near it. */
const mostLines = 10_000
const keptMs = 30 * 24 * 60 * 60 * 1000

/** They hold the name of a customer: those of a month ago, and of accounts that are no more, go. Bytes first, then their rows. */
export async function forgetStatements({ db, clock, blobs }: Pick<StatementDeps, 'db' | 'clock' | 'blobs'>): Promise<number> {
  const ids = await listOldStatements(db, new Date(clock.now().getTime() - keptMs))
  for (const id of ids) await blobs.scope(id).clear()
  await deleteStatements(db, ids)
  return ids.length
}
