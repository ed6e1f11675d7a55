import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { TypesetFailed } from '../../../../platform/print/typeset/typeset.ts'
import type { DisputePack } from '../../contract/packs.ts'
import type { DisputeDeps, PrintDeps } from '../keep/deps.ts'
import { printLetterJob } from '../keep/jobs.ts'
import { findPrint, forgetWish, setPrint, wishPrint } from '../keep/print-store.ts'
import { disputeWords } from '../present/dispute-words.ts'
import { dayIn, presentPack } from '../present/present-pack.ts'
import { composePack, packFileName } from './compose-pack.ts'

const longestMs = 2 * 60_000

export type PrintedLetter = { readonly pdf: Buffer; readonly fileName: string; readonly digest: string }

/**
 * Of all that it says, and of its day: the same is printed once.
 * @throws DomainError `dispute.not_ready` with what is lacking; `dispute.being_printed`: ask again; `dispute.faulty`; and those of `presentPack`
 */
export async function readLetterFile(
  deps: DisputeDeps,
  actor: Pick<Actor, 'accountId'>,
  id: string,
  locale: Locale,
): Promise<PrintedLetter> {
  const pack = await presentPack(deps, actor, id, locale)
  if (pack.lacking.length > 0) throw new DomainError('conflict', 'dispute.not_ready', { lacking: pack.lacking.join(', ') })
  const now = deps.clock.now()
  const day = dayIn(now)
  const [of, digest] = [{ evidenceId: id, locale }, digestOf(pack, day)]
  const found = await findPrint(deps.db, of)
  if (found?.digest !== digest) {
    await deps.db.transaction().execute(async (tx) => {
      await wishPrint(tx, of, { digest, day }, now)
      await enqueue(tx, printLetterJob, { evidence_id: id, locale }, { key: `print-letter:${id}:${locale}` })
    })
    throw new DomainError('conflict', 'dispute.being_printed')
  }
  if (found.fault) throw new DomainError('conflict', 'dispute.faulty')
  if (found.pdf === null) throw new DomainError('conflict', 'dispute.being_printed')
  return { pdf: found.pdf, fileName: packFileName(id, locale), digest }
}

/** May be repeated. What was changed meanwhile is asked for again by whoever wants it. */
export async function printLetter(deps: PrintDeps, id: string, locale: Locale, stop: AbortSignal): Promise<void> {
  const of = { evidenceId: id, locale }
  const wished = await findPrint(deps.db, of)
  if (wished === null || wished.pdf !== null || wished.fault) return
  const pack = await presentPack(deps, wished, id, locale).catch((error: unknown) => {
    // The report went meanwhile: nobody asks for its letter any more.
    if (error instanceof DomainError) return null
    throw error
  })
  if (pack === null || pack.lacking.length > 0 || digestOf(pack, wished.day) !== wished.digest)
    return await forgetWish(deps.db, of, wished.digest)
  const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)])
  const document = composePack(disputeWords(locale), pack, new Date(wished.day))
  const pdf = await deps
    .typeset(document, { folder: join(deps.workFolder, `letter-${id}-${randomUUID()}`), signal })
    .catch((error: unknown) => {
      if (error instanceof TypesetFailed) return null
      throw error
    })
  await setPrint(deps.db, of, wished.digest, pdf === null ? null : Buffer.from(pdf))
}

/** When it was kept is nothing that it says. */
function digestOf(pack: DisputePack, day: string): string {
  return createHash('sha256')
    .update(JSON.stringify([day, { ...pack, kept_at: null }]))
    .digest('hex')
}
