/** The documents of invoices and credit notes, after they were issued: several by one typesetter, each made and kept once. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { TypesetFailed, type typesetAll } from '../../../../platform/print/typeset/typeset.ts'
import { holdWished, setFault, setMade, type WishedDocument } from '../invoice/document-store.ts'
import { notify } from '../notice/notify.ts'
import { InvoiceBreaksRules } from '../issue/assert-issuable.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { factsOfInvoice } from './issued/facts-of-invoice.ts'
import { readIssued, type Said } from './issued/read-issued.ts'
import { makeInvoices, type InvoiceInput, type MadeInvoice } from './make-invoices.ts'
import { writeDocument } from './write/write-document.ts'

export type DocumentDeps = Pick<BillingDeps, 'db' | 'clock'> & {
  readonly blobs: BlobStore
  readonly log: Pick<Log, 'error'>
  /** Holds the folders of jobs that are running. */
  readonly workFolder: string
  readonly typesetAll: typeof typesetAll
  /** As every document of the house. `reason` in the language of the document. */
  readonly signPdf: (pdf: Uint8Array, reason: string, signal: AbortSignal) => Promise<Uint8Array>
  /** Whether payments move no money. */
  readonly testPayments: boolean
}

/** As many are set by one program, and held meanwhile. */
const together = 20
const longestMs = 5 * 60 * 1000

/** All that are wished for and not made. May be repeated, or run twice at a time: each is made by one. @returns how many were made */
export async function makeDocuments(deps: DocumentDeps, stop: AbortSignal): Promise<number> {
  for (let total = 0; ;) {
    stop.throwIfAborted()
    const held = await deps.db.transaction().execute(async (tx) => {
      const wished = await holdWished(tx, together)
      if (wished.length > 0) await makeHeld(tx, deps, wished, stop)
      return wished.length
    })
    total += held
    if (held < together) return total
  }
}

type Draft = {
  readonly wished: WishedDocument
  readonly customerId: string
  readonly input: InvoiceInput
  readonly said: Said
}
type Made = MadeInvoice | InvoiceBreaksRules | TypesetFailed

async function makeHeld(tx: Tx, deps: DocumentDeps, held: readonly WishedDocument[], stop: AbortSignal): Promise<void> {
  const drafts: Draft[] = []
  for (const wished of held) {
    const found = await readIssued(tx, wished.invoiceId, deps.testPayments)
    if (found === null) {
      await setFault(tx, wished, 'forgotten')
      continue
    }
    const { issued, ...about } = found
    const document = writeDocument(factsOfInvoice(issued, wished.locale), wished.locale)
    drafts.push({ wished, ...about, input: { document, locale: wished.locale } })
  }
  const made = await makeAll(deps, drafts, AbortSignal.any([stop, AbortSignal.timeout(longestMs)]))
  for (const [at, draft] of drafts.entries()) await keep(tx, deps, draft, made[at] ?? new TypesetFailed('nothing was made'))
}

async function keep(tx: Tx, deps: DocumentDeps, { wished, customerId, said }: Draft, made: Made): Promise<void> {
  const { invoiceId } = wished
  if (made instanceof Error) {
    deps.log.error({ invoice_id: invoiceId, reason: made.message }, 'the document of an invoice cannot be made')
    return await setFault(tx, wished, made.message)
  }
  const now = deps.clock.now()
  await setMade(tx, wished, { ...(await deps.blobs.scope(invoiceId).putBytes(made.pdf)), said }, now)
  // Once there is something to read; in another language it is the same invoice.
  await notify(tx, { customerId, kind: 'invoice_issued', occasion: invoiceId, told: { invoice_id: invoiceId } }, now)
}

/** One that cannot be set holds up no other: when some cannot be made together, each is made by itself. */
async function makeAll(deps: DocumentDeps, drafts: readonly Draft[], signal: AbortSignal): Promise<readonly Made[]> {
  const make = async (some: readonly Draft[]) =>
    await makeInvoices(
      some.map(({ input }) => input),
      {
        typesetAll: async (printed) =>
          await deps.typesetAll(printed, { folder: join(deps.workFolder, `invoices-${randomUUID()}`), signal }),
        signPdf: async (pdf, reason) => await deps.signPdf(pdf, reason, signal),
      },
    )
  if (drafts.length === 0) return []
  try {
    return await make(drafts)
  } catch (error) {
    if (!isFaulty(error)) throw error
    if (drafts.length === 1) return [error]
  }
  const made: Made[] = []
  for (const draft of drafts) made.push(...(await makeAll(deps, [draft], signal)))
  return made
}

/** Of the document itself; anything else passes, and is tried again. */
const isFaulty = (error: unknown): error is InvoiceBreaksRules | TypesetFailed =>
  error instanceof InvoiceBreaksRules || error instanceof TypesetFailed
