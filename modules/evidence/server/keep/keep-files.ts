import { DomainError } from '../../../../kernel/errors.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { keptForMs, nextOfTerm, termLooksAheadMs } from '../../domain/keep-files.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { deleteContentJob } from '../record/jobs.ts'
import { recordEvidenceAct } from '../own/own-evidence.ts'
import { lockReachable, type Caller } from '../own/reach-store.ts'
import { refuseSold } from '../record/refuse-sold.ts'
import { lockEvidence, type EvidenceRecord } from '../record/store.ts'
import { setContentDeleted } from '../trash/trash-store.ts'
import { isAnybodyNotified, notifyPeople } from '../notify/notify-people.ts'
import { countReminders, listTerms, putOffTerm, setDownloaded, setStored } from './term-store.ts'

const batch = 100

/** A report that is not to be stored is final from now on: its term begins. Runs in the transaction that makes it so. */
export async function beginTerm(tx: Tx, { id, store }: Pick<EvidenceRecord, 'id' | 'store'>, now: Date): Promise<void> {
  if (!store) await setStored(tx, id, { from: now, until: new Date(now.getTime() + keptForMs) }, false)
}

/**
 * E-24: whether the files of a report stay. Those of one that is final go thirty days after it was so decided. Asking again changes nothing.
 * @throws DomainError conflict `evidence.store_needs_account`, `evidence.for_sale`, `evidence.licensed`; gone `evidence.content_deleted`
 */
export async function storeEvidence(deps: EvidenceDeps, caller: Caller, id: string, store: boolean): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = await lockReachable(tx, caller, id)
    if (evidence.store === store) return
    if (evidence.ownerId === null) throw new DomainError('conflict', 'evidence.store_needs_account')
    if (evidence.contentDeletedAt !== null) throw new DomainError('gone', 'evidence.content_deleted')
    if (!store) refuseSold(evidence)
    const now = deps.clock.now()
    const ends = !store && evidence.status === 'final'
    await setStored(tx, id, ends ? { from: now, until: new Date(now.getTime() + keptForMs) } : null, store)
    await recordEvidenceAct(tx, now, store ? 'stored' : 'unstored', caller, id)
  })
}

/** The whole package was sent to its last byte: nobody needs to be reminded of it. */
export async function noteDownloaded({ db, clock }: Pick<EvidenceDeps, 'db' | 'clock'>, id: string): Promise<void> {
  await setDownloaded(db, id, clock.now())
}

/** Every hour: reminders that are due, and the end of terms that are over. @returns how many of each */
export async function endTerms(deps: EvidenceDeps): Promise<{ reminded: number; deleted: number }> {
  const now = deps.clock.now()
  const ahead = new Date(now.getTime() + termLooksAheadMs())
  const total = { reminded: 0, deleted: 0 }
  for (let after: string | null = null; ;) {
    const ids: string[] = await listTerms(deps.db, { now, ahead, after, limit: batch })
    for (const id of ids) {
      const done = await deps.db.transaction().execute(async (tx) => await goOnWithTerm(tx, id, now))
      if (done !== null) total[done] += 1
    }
    after = ids.at(-1) ?? null
    if (ids.length < batch || after === null) return total
  }
}

async function goOnWithTerm(tx: Tx, id: string, now: Date): Promise<'reminded' | 'deleted' | null> {
  const evidence = await lockEvidence(tx, id)
  if (evidence === null || evidence.trashedAt !== null || evidence.contentDeletedAt !== null) return null
  const { keepFilesUntil: until, unstoredAt, downloadedAt } = evidence
  if (until === null || unstoredAt === null) return null
  const downloaded = downloadedAt !== null && downloadedAt >= unstoredAt
  const remindable = !downloaded && (await isAnybodyNotified(tx, evidence, 'download_reminder', now))
  const next = nextOfTerm({ until, remindable, reminded: await countReminders(tx, id, unstoredAt) }, now)
  switch (next.action) {
    case 'wait':
      return null
    case 'remind': {
      if (next.until.getTime() !== until.getTime()) await putOffTerm(tx, id, next.until)
      const occasion = `${unstoredAt.toISOString()} ${String(next.days)}`
      await notifyPeople(tx, evidence, { kind: 'download_reminder', occasion }, now)
      return 'reminded'
    }
    case 'delete':
      await setContentDeleted(tx, id, now)
      await enqueue(tx, deleteContentJob, { evidence_id: id }, { key: `delete:${id}` })
      return 'deleted'
    default:
      return next satisfies never
  }
}
