import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { sendStream } from '../../../../platform/http/answer/stream.ts'
import { numberIn } from '../../domain/invoice/number.ts'
import { findCustomer } from '../customer/customer-store.ts'
import { findDocument, findOwnLocale, wishDocument, type MadeDocument } from '../invoice/document-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { findListed } from './invoice-list-store.ts'

type Deps = Pick<BillingDeps, 'db' | 'clock'> & { readonly blobs: BlobStore }

type Wanted = { readonly id: string; readonly locale: Locale | null }
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/**
 * C-42. In the customer's language unless another is told. In one in which it was not made yet it is made now.
 * @throws DomainError `billing.invoice_unknown`; `billing.not_issued`; `billing.document_being_made`: ask again; `billing.document_faulty`
 */
export async function sendDocument(
  deps: Deps,
  actor: Pick<Actor, 'accountId'>,
  wanted: Wanted,
  exchange: Exchange,
): Promise<FastifyReply> {
  const customer = await findCustomer(deps.db, actor.accountId)
  if (customer === null) throw new DomainError('not_found', 'billing.invoice_unknown')
  return await sendDocumentOf(deps, customer.id, wanted, exchange)
}

/** The same, of a customer who may have no account any more; whoever asks may. */
export async function sendDocumentOf(
  deps: Deps,
  customerId: string,
  { id, locale }: Wanted,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const invoice = await findListed(deps.db, customerId, id)
  if (invoice === null) throw new DomainError('not_found', 'billing.invoice_unknown')
  if (invoice.series === null || invoice.number === null) throw new DomainError('conflict', 'billing.not_issued')
  const { sha256, bytes } = await findOrWish(deps, id, locale ?? (await findOwnLocale(deps.db, id)))
  return await sendStream(reply, request, {
    totalBytes: bytes,
    mediaType: 'application/pdf',
    disposition: 'attachment',
    fileName: `${numberIn(invoice.series, invoice.number)}.pdf`,
    etag: sha256,
    captured: false,
    open: async (range) => await deps.blobs.scope(id).open(sha256, range),
  })
}

async function findOrWish({ db, clock }: Deps, invoiceId: string, locale: Locale): Promise<MadeDocument> {
  const wanted = { invoiceId, locale }
  const found = await findDocument(db, wanted)
  if (found === 'faulty') throw new DomainError('unavailable', 'billing.document_faulty')
  if (found === null) await db.transaction().execute(async (tx) => await wishDocument(tx, wanted, clock.now()))
  if (found === null || found === 'wished') throw new DomainError('conflict', 'billing.document_being_made')
  return found
}
