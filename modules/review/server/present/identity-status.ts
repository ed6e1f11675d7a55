import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { TypedProfile } from '../../../account/server/index.ts'
import type { VerificationState } from '../../domain/identity-document.ts'
import { listDocuments } from '../documents/document-store.ts'
import { findFile } from '../documents/file-store.ts'
import { changedSince, fingerprintsOf } from '../documents/fingerprint.ts'

export type IdentityStatus = {
  readonly state: VerificationState
  /** When the last decision was taken; null: none was. */
  readonly decidedAt: Date | null
  /** First day after which one of the accepted documents is no longer valid, as the reviewer read it: `YYYY-MM-DD`; null: none says so. */
  readonly expiresOn: string | null
}

/** Whether somebody has proven who he is: what selling licences and opening disputes hang on (P-12, P-13). */
export async function identityStatusOf(db: Db | Tx, userId: string): Promise<IdentityStatus> {
  const file = await findFile(db, userId)
  if (file === null) return { state: 'collecting', decidedAt: null, expiresOn: null }
  const dates = (await listDocuments(db, userId)).flatMap(({ state, expiresOn }) =>
    state === 'success' && expiresOn !== null ? [expiresOn] : [],
  )
  return { state: file.state, decidedAt: file.decidedAt, expiresOn: dates.toSorted()[0] ?? null }
}

/** Which of these fields of a profile are not what they were when the documents were sent by which he is verified. */
export async function changedSinceSent(
  deps: { readonly db: Db | Tx; readonly secret: string },
  userId: string,
  fields: TypedProfile['fields'],
): Promise<readonly string[]> {
  const file = await findFile(deps.db, userId)
  const now = fingerprintsOf(deps.secret, userId, { userType: null, fields, beneficialOwners: [] })
  const asked = new Set(fields.map(({ field }) => field))
  return changedSince(file?.typed ?? null, now).filter((field) => asked.has(field))
}
