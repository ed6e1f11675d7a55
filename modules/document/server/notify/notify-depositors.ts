import { randomUUIDv7 } from 'node:crypto'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { copyReminderDays } from '../../domain/copy.ts'
import { draftReminderMs } from '../../domain/status.ts'
import { renewalGraceMs } from '../../../sealing/server/index.ts'
import { listOwnersOfEnding, markEndingReminded } from './reminder-store.ts'
import type { DocumentDeps } from '../deposit/deps.ts'
import { sendNoticeJob } from '../deposit/jobs.ts'
import { insertNotice, listOwnersToRemind, markReminded, type DepositNotice } from './notify-store.ts'
import { listOwnersOfWeak, markWeakTold } from './weakening-store.ts'

const batch = 100

/** Writes down that somebody is to be written to, in the transaction of what it tells of (decision 0278). Once for each occasion. */
async function notify(tx: Tx, told: Pick<DepositNotice, 'userId' | 'ownerId' | 'kind' | 'occasion'>, now: Date): Promise<void> {
  const id = randomUUIDv7()
  if (await insertNotice(tx, { id, ...told, createdAt: now }))
    await enqueue(tx, sendNoticeJob, { notice_id: id }, { key: `notice:${id}` })
}

/** A batch stands in the chain: its owner is told once of all that the same anchor covers, if he wishes. */
export async function notifyAnchored(tx: Tx, ownerId: string, anchorId: string, now: Date): Promise<void> {
  await notify(tx, { userId: ownerId, ownerId, kind: 'anchored', occasion: anchorId }, now)
}

/** Writes down who is to be told that drafts of his end soon (S-41, K-03): the owner, and who deposited them for him. @returns of how many accounts */
export async function remindOfDrafts({ db, clock }: Pick<DocumentDeps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  const between = { now, before: new Date(now.getTime() + draftReminderMs) }
  for (let total = 0; ;) {
    const owners = await listOwnersToRemind(db, between, batch)
    for (const ownerId of owners)
      await db.transaction().execute(async (tx) => {
        const drafts = await markReminded(tx, ownerId, between)
        if (drafts.length === 0) return
        const first = new Date(Math.min(...drafts.map(({ expiresAt }) => expiresAt.getTime())))
        for (const userId of new Set([ownerId, ...drafts.map(({ createdBy }) => createdBy)]))
          await notify(tx, { userId, ownerId, kind: 'draft_ending', occasion: first.toISOString() }, now)
      })
    total += owners.length
    if (owners.length < batch) return total
  }
}

/**
 * Writes down who is to be told that copies of his files end, thirty days before and seven: the owner, and who deposited them for him. Those that
 * are told of together are in one mail. @returns of how many accounts
 */
export async function remindOfCopies({ db, clock }: Pick<DocumentDeps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  let total = 0
  // The nearest first: what is told of that is not told of as further away.
  for (const days of copyReminderDays.toReversed())
    for (;;) {
      const owners = await listOwnersOfEnding(db, { now, days }, batch)
      for (const ownerId of owners)
        await db.transaction().execute(async (tx) => {
          const makers = await markEndingReminded(tx, ownerId, { now, days })
          if (makers.size === 0) return
          for (const userId of new Set([ownerId, ...makers]))
            await notify(
              tx,
              { userId, ownerId, kind: 'download_reminder', occasion: `${String(days)} ${now.toISOString()}` },
              now,
            )
        })
      total += owners.length
      if (owners.length < batch) break
    }
  return total
}

/**
 * Writes down who is to be told that time stamps of deposits of his were not renewed in time, once, and that they have ended, once more: the
 * owner, and who deposited them for him. All that is found together is in one mail. @returns of how many accounts
 */
export async function warnOfWeakening({ db, clock }: Pick<DocumentDeps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  const weak = { now, dueBefore: new Date(now.getTime() - renewalGraceMs) }
  for (let total = 0; ;) {
    const owners = await listOwnersOfWeak(db, weak, batch)
    for (const ownerId of owners)
      await db.transaction().execute(async (tx) => {
        const makers = await markWeakTold(tx, ownerId, weak)
        if (makers.size === 0) return
        for (const userId of new Set([ownerId, ...makers]))
          await notify(tx, { userId, ownerId, kind: 'proof_weakening', occasion: now.toISOString() }, now)
      })
    total += owners.length
    if (owners.length < batch) return total
  }
}
