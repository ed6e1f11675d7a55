import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Tx } from '../../../../platform/db/database.ts'
import { TypesetFailed, type typesetAll } from '../../../../platform/print/typeset/typeset.ts'
import { documentWords, InvoiceBreaksRules, makeSelfBill, type MakeInvoicesDeps } from '../../../billing/server/index.ts'
import { billOfPayout } from '../bill/bill-of-payout.ts'
import { findOperator, listBills } from '../bill/bill-store.ts'
import { isTest, type PayoutDeps } from '../keep/deps.ts'
import { listLines } from '../keep/earning-list-store.ts'
import { forgetPayeeOf, holdWishedPaper, listOverdue, setPaper, type WishedPaper } from '../keep/paper-store.ts'
import { findPayout, type Payout } from '../keep/payout-store.ts'
import { composeStatement } from './compose-statement.ts'

export type PaperDeps = Pick<PayoutDeps, 'db' | 'clock' | 'log' | 'blobs' | 'seller' | 'provider'> & {
  /** Holds the folders of jobs that are running. */
  readonly workFolder: string
  readonly typesetAll: typeof typesetAll
  /** As every document of the house. `reason` in the language of the document. */
  readonly signPdf: (pdf: Uint8Array, reason: string, signal: AbortSignal) => Promise<Uint8Array>
}

const longestMs = 5 * 60 * 1000

/** All that are wished for and not made. May be repeated, or run twice at a time: each is made by one. @returns how many were looked at */
export async function makePapers(deps: PaperDeps, stop: AbortSignal): Promise<number> {
  for (let total = 0; ; total += 1) {
    stop.throwIfAborted()
    const held = await deps.db.transaction().execute(async (tx) => {
      const wished = await holdWishedPaper(tx)
      if (wished !== null) await makeOne(tx, deps, wished, stop)
      return wished
    })
    if (held === null) return total
  }
}

async function makeOne(tx: Tx, deps: PaperDeps, wished: WishedPaper, stop: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const payout = await findPayout(tx, wished.payoutId)
  if (payout === null) return await setPaper(tx, wished, { fault: 'forgotten' }, now)
  const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)])
  try {
    const pdf = await (wished.kind === 'statement' ? statementOf : billOf)(tx, deps, payout, wished, signal)
    if (pdf === null) return await setPaper(tx, wished, { fault: 'forgotten' }, now)
    await setPaper(tx, wished, await deps.blobs.scope(payout.id).putBytes(pdf), now)
  } catch (error) {
    if (!(error instanceof TypesetFailed || error instanceof InvoiceBreaksRules)) throw error
    deps.log.error({ payout_id: payout.id, kind: wished.kind, reason: error.message }, 'a document of a payout cannot be made')
    await setPaper(tx, wished, { fault: error.message }, now)
  }
}

function pressOf({ typesetAll: set, signPdf, workFolder }: PaperDeps, signal: AbortSignal): MakeInvoicesDeps {
  return {
    typesetAll: async (printed) => await set(printed, { folder: join(workFolder, `payout-${randomUUID()}`), signal }),
    signPdf: async (pdf, reason) => await signPdf(pdf, reason, signal),
  }
}

async function statementOf(
  tx: Tx,
  deps: PaperDeps,
  payout: Payout,
  { locale }: WishedPaper,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const { payee } = payout
  if (payee === null) return null
  const told = {
    payout,
    payee,
    operator: deps.seller,
    lines: await listLines(tx, payout.id),
    test: isTest(deps, payout),
  }
  const printed = composeStatement(locale, told)
  const press = pressOf(deps, signal)
  const [pdf = new Uint8Array()] = await press.typesetAll([printed])
  return await press.signPdf(pdf, documentWords(locale).t('billing.statement.sign_reason'))
}

async function billOf(
  tx: Tx,
  deps: PaperDeps,
  payout: Payout,
  { kind, locale }: WishedPaper,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  if (kind === 'statement') return null
  const named = (await listBills(tx, payout.id)).find((each) => each.kind === kind)
  const [bill, operator] = [await billOfPayout(tx, deps, payout, kind), await findOperator(tx, payout.id, kind)]
  if (named === undefined || bill === null || operator === null) return null
  return (await makeSelfBill({ ...bill, operator }, named, locale, pressOf(deps, signal))).pdf
}

const together = 100

/** Ten years after its year whoever was paid is forgotten, with the files that name him: bytes first, then the rows. */
export async function forgetPayees({ db, clock, blobs }: Pick<PaperDeps, 'db' | 'clock' | 'blobs'>): Promise<number> {
  const ids = await listOverdue(db, clock.now(), together)
  for (const id of ids) {
    await blobs.scope(id).clear()
    await db.transaction().execute(async (tx) => await forgetPayeeOf(tx, id))
  }
  return ids.length
}
