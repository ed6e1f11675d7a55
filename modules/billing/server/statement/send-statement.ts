import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { defaultLocale, type Locale } from '../../../../kernel/locale.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { sendStream } from '../../../../platform/http/answer/stream.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { findCustomer } from '../customer/customer-store.ts'
import { findOwnLocale } from '../invoice/document-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import {
  countLines,
  findLastInvoice,
  findStatement,
  wishStatement,
  type MadeStatement,
  type WishedStatement,
} from './statement-document-store.ts'

type Deps = Pick<BillingDeps, 'db' | 'clock'> & { readonly blobs: BlobStore }

/**
 * H-36: the statement as it stands today, in the customer's language unless another is told; made as it is asked for.
 * @throws DomainError `billing.nothing_to_export`; `billing.document_being_made`: ask again; `billing.document_faulty`
 */
export async function sendStatement(
  deps: Deps,
  actor: Pick<Actor, 'accountId'>,
  language: Locale | null,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const { db, clock, blobs } = deps
  const customer = await findCustomer(db, actor.accountId)
  const lines = customer === null ? 0 : await countLines(db, customer.id)
  if (customer === null || lines === 0) throw new DomainError('conflict', 'billing.nothing_to_export')
  const last = await findLastInvoice(db, customer.id)
  const locale = language ?? (last === null ? defaultLocale : await findOwnLocale(db, last))
  const on = dayOf(clock.now())
  const { sha256, bytes } = await findOrWish(deps, { customerId: customer.id, locale, lines, on })
  return await sendStream(reply, request, {
    totalBytes: bytes,
    mediaType: 'application/pdf',
    disposition: 'attachment',
    fileName: `statement-${on}.pdf`,
    etag: sha256,
    captured: false,
    open: async (range) => await blobs.scope(customer.id).open(sha256, range),
  })
}

async function findOrWish({ db, clock }: Deps, wanted: WishedStatement): Promise<MadeStatement> {
  const found = await findStatement(db, wanted)
  if (found === 'faulty') throw new DomainError('unavailable', 'billing.document_faulty')
  if (found === null) await db.transaction().execute(async (tx) => await wishStatement(tx, wanted, clock.now()))
  if (found === null || found === 'wished') throw new DomainError('conflict', 'billing.document_being_made')
  return found
}
