import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { WorkDone } from '../../../../kernel/work-done.ts'
import { requireWork } from '../../../../platform/guard/require-work.ts'
import type { Quotas } from '../../domain/quotas.ts'
import { priceOf } from '../../domain/work-price.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { askerOf, type Asker } from './name-asker.ts'
import { countDrafts, countPreview, countQueue, countReports, lockAsker, lockQueue, readPreviews } from './quota-store.ts'

export type QuotaDeps = Pick<EvidenceWebDeps, 'secret' | 'clock' | 'quotas'>

export type AskedFor = {
  /** `requestDigest` of what is asked for. */
  readonly request: string
  readonly work: WorkDone | undefined
  /** The draft that this one takes the place of. */
  readonly instead?: string
}

/**
 * Refuses what is beyond somebody's quota, or the queue's. Whoever asks at once, in whichever process, is counted one after the
 * other.
 * @param tx the transaction that then inserts the evidence
 * @throws DomainError `evidence.queue_full`, `evidence.too_many_drafts`, `evidence.too_many_reports`, `evidence.preview_quota`;
 * `evidence.work_required` with `challenge`, `parts`, `hashes` (of each part, on the mean) and `reason`
 */
export async function admitCapture(deps: QuotaDeps, tx: Tx, who: Asker, asked: AskedFor): Promise<void> {
  const { quotas } = deps
  if (quotas === undefined) return
  const asker = askerOf(deps, who)
  if (asker !== null) await lockAsker(tx, asker)
  if (who.accountId != null) await admitAccount(deps, quotas, tx, who.accountId, asked)
  else if (asker !== null) await admitStranger(deps, quotas, tx, asker, asked)
  await lockQueue(tx)
  await assertRoom(quotas.queueLength, tx, who.accountId == null)
}

/** @returns how many strangers wait */
async function assertRoom(queueLength: number, tx: Tx, isStranger: boolean): Promise<number> {
  const { account, stranger } = await countQueue(tx, queueLength)
  if (account + stranger >= queueLength || (isStranger && 2 * stranger >= queueLength))
    throw new DomainError('unavailable', 'evidence.queue_full', { seconds: 60 })
  return stranger
}

async function admitAccount(
  deps: QuotaDeps,
  { draftsPerAccount, reportsPerMonth }: Quotas,
  tx: Tx,
  accountId: string,
  { instead }: AskedFor,
): Promise<void> {
  if (draftsPerAccount === 0 && reportsPerMonth === 0) return
  const drafts = await countDrafts(tx, accountId, instead ?? null)
  if (draftsPerAccount > 0 && drafts >= draftsPerAccount)
    throw new DomainError('limited', 'evidence.too_many_drafts', { max: draftsPerAccount })
  if (reportsPerMonth === 0) return
  const month = deps.clock.now().toISOString().slice(0, 7)
  if (drafts + (await countReports(tx, accountId, month)) >= reportsPerMonth)
    throw new DomainError('limited', 'evidence.too_many_reports', { max: reportsPerMonth })
}

async function admitStranger(
  deps: QuotaDeps,
  { freePreviews, mostPreviews, queueLength }: Quotas,
  tx: Tx,
  asker: Buffer,
  { request, work }: AskedFor,
): Promise<void> {
  const now = deps.clock.now()
  const { previews, oldest, underWay } = await readPreviews(tx, asker, now)
  if (previews >= mostPreviews) {
    const freed = (oldest ?? now).getTime() + 24 * 3_600_000
    throw new DomainError('limited', 'evidence.preview_quota', {
      seconds: Math.max(1, Math.ceil((freed - now.getTime()) / 1000)),
    })
  }
  if (previews >= freePreviews || underWay > 0) {
    // Nobody computes for a queue that has no place for him.
    const waiting = await assertRoom(queueLength, tx, true)
    const hashes = priceOf(previews - freePreviews, waiting)
    await requireWork(deps, tx, { asker, request, previews, hashes, code: 'evidence.work_required' }, work)
  }
  await countPreview(tx, asker, now)
}
