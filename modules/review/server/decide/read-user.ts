import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { readTypedProfile } from '../../../account/server/index.ts'
import type { AdminUser, AdminUserEntry } from '../../contract/review.ts'
import { ageOn } from '../../domain/compared-fields.ts'
import { listDecisions } from '../documents/decision-store.ts'
import type { ReviewDeps } from '../documents/deps.ts'
import { listDocuments } from '../documents/document-store.ts'
import { findFile } from '../documents/file-store.ts'
import { changedSince, fingerprintsOf } from '../documents/fingerprint.ts'
import { presentDocuments } from '../present/present-verification.ts'
import { findUser, namesOf, type UserEntry } from '../documents/user-store.ts'

export const userNotFound = () => new DomainError('not_found', 'review.user_not_found')

export function presentEntry(entry: UserEntry, actor: Actor): AdminUserEntry {
  const { file } = entry
  return {
    id: entry.id,
    first_name: entry.firstName,
    last_name: entry.lastName,
    email: entry.email,
    status: entry.status,
    user_type: entry.userType,
    company_name: entry.companyName,
    country: entry.country,
    locale: entry.locale,
    roles: [...entry.roles],
    created_at: entry.createdAt.toISOString(),
    verification:
      file === null
        ? null
        : {
            state: file.state,
            submitted_at: file.submittedAt?.toISOString() ?? null,
            documents: file.pending,
            stands_since: file.standsSince?.toISOString() ?? null,
            awaits_second: file.awaitsSecond,
            claim:
              file.claim === null
                ? null
                : {
                    by: { id: file.claim.by, name: file.claim.name },
                    own: file.claim.by === actor.userId,
                    until: file.claim.until.toISOString(),
                  },
          },
  }
}

const isReviewer = (actor: Actor) => actor.roles.has('verifier') || actor.roles.has('administrator')

type ReadDeps = Pick<ReviewDeps, 'vault' | 'secret' | 'clock'>

/** What a reviewer compares; support never gets here. */
async function presentFile(deps: ReadDeps, db: Db | Tx, userId: string): Promise<NonNullable<AdminUser['file']>> {
  const file = await findFile(db, userId)
  const documents = await listDocuments(db, userId)
  const decisions = await listDecisions(db, userId)
  const profile = await readTypedProfile(db, deps.vault, userId)
  const names = await namesOf(
    db,
    decisions.map(({ by }) => by),
  )
  const birthDate = profile.fields.find(({ field }) => field === 'birth_date')?.value ?? null
  return {
    typed: [...profile.fields],
    beneficial_owners: profile.beneficialOwners.map((owner) => [...owner]),
    changed_since: changedSince(file?.typed ?? null, fingerprintsOf(deps.secret, userId, profile)),
    documents: presentDocuments(documents),
    pending: documents.filter(({ state }) => state === 'pending').map(({ id }) => id),
    history: decisions.map((decision) => ({
      round: decision.round,
      by: { id: decision.by, name: names.get(decision.by) ?? '' },
      at: decision.at.toISOString(),
      outcome: decision.outcome,
      final: decision.final,
      note: decision.note,
      missing: [...decision.missing],
      decisions: decision.verdicts.map((verdict) => ({
        document_id: verdict.documentId,
        outcome: verdict.outcome,
        reason: verdict.reason,
        note: verdict.note,
        expires_on: verdict.expiresOn,
      })),
    })),
    age: birthDate === null ? null : ageOn(deps.clock.now().toISOString().slice(0, 10), birthDate),
  }
}

/** @throws DomainError `review.user_not_found` */
export async function presentUser(deps: ReadDeps, db: Db | Tx, actor: Actor, userId: string): Promise<AdminUser> {
  const user = await findUser(db, userId, deps.clock.now())
  if (user === null) throw userNotFound()
  const file = await findFile(db, userId)
  return {
    ...presentEntry(user, actor),
    confirmed_at: user.confirmedAt?.toISOString() ?? null,
    last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
    suspended_at: user.suspendedAt?.toISOString() ?? null,
    suspended_reason: user.suspendedReason,
    sessions: user.sessions,
    second_factor: user.secondFactor,
    addresses: user.addresses.map((each) => ({ ...each })),
    round: file?.round ?? 0,
    file: isReviewer(actor) ? await presentFile(deps, db, userId) : null,
  }
}

/** Opening somebody's file is an act of its own, whatever is looked at in it. */
export async function readUser(deps: ReadDeps & Pick<ReviewDeps, 'db'>, actor: Actor, userId: string): Promise<AdminUser> {
  return await deps.db.transaction().execute(async (tx) => {
    const user = await presentUser(deps, tx, actor, userId)
    const data = { file: user.file !== null }
    const subject = { type: 'user', id: userId }
    await recordAct(tx, deps.clock.now(), { action: 'review.opened_user', actor, subject, data })
    return user
  })
}
