import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { sendStream } from '../../../../platform/http/answer/stream.ts'
import { findLocale, listBills } from '../bill/bill-store.ts'
import type { PayoutDeps } from '../keep/deps.ts'
import { findPaper, wishPaper, type MadePaper, type PaperKind, type WishedPaper } from '../keep/paper-store.ts'
import { findPayout, type Payout } from '../keep/payout-store.ts'

type Deps = Pick<PayoutDeps, 'db' | 'clock' | 'blobs'>
type Asked = { readonly id: string; readonly kind: PaperKind; readonly language: Locale | null }

/** What there is to be had of a payout, with its number where it has one. */
export async function listPapers(
  db: PayoutDeps['db'],
  { id, status, payee }: Payout,
): Promise<readonly { readonly kind: PaperKind; readonly number: string | null }[]> {
  if (payee === null || (status !== 'success' && status !== 'returned')) return []
  return [{ kind: 'statement', number: null }, ...(await listBills(db, id)).map(({ kind, number }) => ({ kind, number }))]
}

/**
 * C-55: in the payee's language unless another is told; made as it is asked for.
 * @throws DomainError `payout.unknown`, `payout.no_document`; `payout.document_being_made`: ask again; `payout.document_faulty`
 */
export async function sendPaper(
  deps: Deps,
  /** null: anybody's; whoever asks may. */
  accountId: string | null,
  { id, kind, language }: Asked,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const { db, blobs } = deps
  const payout = await findPayout(db, id)
  if (payout === null || (accountId !== null && payout.userId !== accountId)) throw new DomainError('not_found', 'payout.unknown')
  const paper = (await listPapers(db, payout)).find((each) => each.kind === kind)
  if (paper === undefined) throw new DomainError('conflict', 'payout.no_document')
  const locale = language ?? (await findLocale(db, payout.userId))
  const { sha256, bytes } = await findOrWish(deps, { payoutId: id, kind, locale })
  return await sendStream(reply, request, {
    totalBytes: bytes,
    mediaType: 'application/pdf',
    disposition: 'attachment',
    fileName: `${paper.number ?? payout.referenceText}.pdf`,
    etag: sha256,
    captured: false,
    open: async (range) => await blobs.scope(id).open(sha256, range),
  })
}

async function findOrWish({ db, clock }: Deps, wanted: WishedPaper): Promise<MadePaper> {
  const found = await findPaper(db, wanted)
  if (found === 'faulty') throw new DomainError('unavailable', 'payout.document_faulty')
  if (found === null) await db.transaction().execute(async (tx) => await wishPaper(tx, wanted, clock.now()))
  if (found === null || found === 'wished') throw new DomainError('conflict', 'payout.document_being_made')
  return found
}
