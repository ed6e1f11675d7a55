import { randomUUIDv7 } from 'node:crypto'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findNotified, mayActFor, type NotificationKind } from '../../../account/server/index.ts'
import { sendNotificationJob } from '../record/jobs.ts'
import { findReachable } from '../own/reach-store.ts'
import type { EvidenceRecord } from '../record/store.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { insertNotification } from './notify-store.ts'

type About = Pick<EvidenceRecord, 'id' | 'ownerId' | 'createdBy'>

/**
 * Writes down that the people of an evidence are to be written to: its owner, and who asked for it in his name. Runs in the transaction of
 * what it tells of: the mail exists exactly when that does (decision 0278). Of a draft that a token holds nobody is known.
 * @param occasion what tells several of one kind apart
 */
export async function notifyPeople(
  tx: Tx,
  evidence: About,
  told: { kind: NotificationKind; occasion?: string },
  now: Date,
): Promise<void> {
  if (evidence.ownerId === null) return
  for (const userId of new Set([evidence.ownerId, evidence.createdBy ?? evidence.ownerId])) {
    const id = randomUUIDv7()
    const row = { id, userId, evidenceId: evidence.id, kind: told.kind, occasion: told.occasion ?? '', createdAt: now }
    if (await insertNotification(tx, row))
      await enqueue(tx, sendNotificationJob, { notification_id: id }, { key: `notify:${id}` })
  }
}

/** Whether anybody is there who would be written to about it now. */
export async function isAnybodyNotified(db: Db | Tx, evidence: About, kind: NotificationKind, now: Date): Promise<boolean> {
  for (const userId of new Set([evidence.ownerId, evidence.createdBy])) {
    if (userId === null || (await findNotified(db, userId, kind)) === null) continue
    if (await mayStillRead(db, evidence, userId, now)) return true
  }
  return false
}

/** A member who left, and a delegate whose access has ended, are told nothing more. */
export async function mayStillRead(db: Db | Tx, evidence: About, userId: string, now: Date): Promise<boolean> {
  const own = { userId, accountId: userId, delegation: null }
  if (await isReached(db, evidence.id, own)) return true
  const { ownerId } = evidence
  if (ownerId === null || ownerId === userId || !(await mayActFor(db, userId, ownerId, now))) return false
  return await isReached(db, evidence.id, { userId, accountId: ownerId, delegation: { id: '', scope: 'read' } })
}

async function isReached(
  db: Db | Tx,
  id: string,
  of: Pick<Parameters<typeof actorOf>[0], 'userId' | 'accountId' | 'delegation'>,
): Promise<boolean> {
  try {
    await findReachable(db, { actor: actorOf(of) }, id)
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}

type Reader = { userId: string; accountId: string; delegation: { id: string; scope: 'read' } | null }

/** Nobody calls: reach alone is asked for, which no session and no role of staff adds to. */
function actorOf(reader: Reader) {
  return { ...reader, sessionId: '', roles: new Set<never>(), secondFactor: false, locale: 'en' as const }
}
