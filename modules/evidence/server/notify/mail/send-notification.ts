import type { Mail } from '../../../../../platform/mail/mailer.ts'
import { sendOnce, type NoticeDeps } from '../../../../../platform/mail/notice.ts'
import { endingLinks, findNotified } from '../../../../account/server/index.ts'
import { anchorNetwork } from '../../../../sealing/server/index.ts'
import type { BitcoinNetwork } from '../../../../verification/server/index.ts'
import { mayBePreviewed } from '../../../domain/status.ts'
import { findEvidenceAnchor } from '../../anchor/anchor-store.ts'
import { findPeople } from '../../../../../platform/reach/people-store.ts'
import { findEvidence, type EvidenceRecord } from '../../record/store.ts'
import { mayStillRead } from '../notify-people.ts'
import { findNotification, findStampsOf, type NotificationRow } from '../notify-store.ts'
import { writeNotification, type Told } from './write-notification.ts'

export type NotifyDeps = NoticeDeps & {
  /** Into which chain the log is anchored; `main` when absent. */
  readonly bitcoinNetwork?: BitcoinNetwork
}

/** Sends the mail of one line, unless it is settled, or what happened since has made it pointless. */
export async function sendNotification(deps: NotifyDeps, id: string): Promise<void> {
  const row = await findNotification(deps.db, id)
  if (row !== null && !row.settled) await sendOnce(deps, { table: 'notification', ...row }, await mailOf(deps, row))
}

async function mailOf(deps: NotifyDeps, row: NotificationRow): Promise<Mail | null> {
  const { db, clock } = deps
  const now = clock.now()
  const evidence = await findEvidence(db, row.evidenceId)
  const to = await findNotified(db, row.userId, row.kind)
  if (evidence === null || to === null || evidence.requestedUrl === '') return null
  if (!(await mayStillRead(db, evidence, row.userId, now))) return null
  const told = await toldOf(deps, row, evidence, now)
  if (told === null) return null
  const { userId, kind } = row
  const brand = deps.mailBrand?.(to.brand) ?? null
  const publicUrl = brand?.publicUrl ?? deps.publicUrl
  return writeNotification({
    to,
    told,
    evidence,
    people: await peopleOf(deps, evidence, userId),
    page: `${publicUrl}/${to.locale}/capture/${evidence.id}/`,
    ending: endingLinks({ secret: deps.secret, publicUrl }, { userId, kind, locale: to.locale }),
    brand,
  })
}

/** Whoever acted for somebody else: the one is named to the other. */
async function peopleOf({ db }: NotifyDeps, { ownerId, createdBy }: EvidenceRecord, userId: string) {
  if (ownerId === null || createdBy === null || ownerId === createdBy) return null
  const people = await findPeople(db, [ownerId, createdBy])
  return userId === ownerId
    ? { kind: 'made_by' as const, name: people.get(createdBy)?.name ?? '' }
    : { kind: 'made_for' as const, name: people.get(ownerId)?.name ?? '' }
}

/** What is true now of what the line was written for; null: it is true no more. */
async function toldOf(deps: NotifyDeps, row: NotificationRow, evidence: EvidenceRecord, now: Date): Promise<Told | null> {
  const { kind } = row
  const kept = evidence.status === 'final' && evidence.trashedAt === null && evidence.contentDeletedAt === null
  switch (kind) {
    case 'report_ready':
      return kept ? { kind, keptUntil: evidence.keepFilesUntil } : null
    case 'draft_ending': {
      const { expiresAt } = evidence
      if (!mayBePreviewed(evidence.status) || evidence.replacedBy !== null) return null
      return expiresAt === null || expiresAt <= now
        ? null
        : { kind, until: expiresAt, waits: evidence.status === 'to_validate' ? 'decision' : 'payment' }
    }
    case 'download_reminder': {
      const { keepFilesUntil: until, unstoredAt, downloadedAt } = evidence
      if (!kept || until === null || unstoredAt === null || until <= now) return null
      // The term of which this line speaks may have been ended, and another begun.
      if (!row.occasion.startsWith(unstoredAt.toISOString())) return null
      return downloadedAt !== null && downloadedAt >= unstoredAt ? null : { kind, until }
    }
    case 'anchored': {
      const anchor = kept ? await findEvidenceAnchor(deps.db, evidence.id) : null
      if (anchor === null) return null
      const network = anchorNetwork(anchor, deps.bitcoinNetwork)
      return { kind, height: anchor.height, at: anchor.blockTime, network }
    }
    case 'proof_weakening': {
      const stamps = kept ? await findStampsOf(deps.db, evidence.id) : null
      if (stamps === null || !row.occasion.endsWith(stamps.stampedUntil.toISOString())) return null
      return { kind, until: stamps.stampedUntil, ended: stamps.stampedUntil <= now, anchored: evidence.anchoredAt !== null }
    }
    default:
      return kind satisfies never
  }
}
