import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { TypedProfile } from '../../../account/server/index.ts'
import type { VerificationState } from '../../domain/identity-document.ts'
import { validUntil } from '../../domain/renewal.ts'
import { standsSince } from '../../domain/retention.ts'
import { listDocuments } from '../documents/document-store.ts'
import { findFile } from '../documents/file-store.ts'
import { changedSince, fingerprintsOf } from '../documents/fingerprint.ts'
import { acceptedOfKinds } from '../documents/versions.ts'
import { typedOf } from './read-renewal.ts'

export type IdentityStatus = {
  /** `success` too while something new is looked at, or was refused: what was accepted before goes on counting. */
  readonly state: VerificationState
  /** When that was decided which counts, else when the last decision was taken; null: none was. */
  readonly decidedAt: Date | null
  /** Last day on which what was accepted is good, as the reviewer read it: `YYYY-MM-DD`; null: none of it says so. See `hasEnded`. */
  readonly expiresOn: string | null
}

/** Whether somebody has proven who he is: what selling licences and opening disputes hang on (P-12, P-13). */
export async function identityStatusOf(db: Db | Tx, userId: string): Promise<IdentityStatus> {
  const file = await findFile(db, userId)
  if (file === null) return { state: 'collecting', decidedAt: null, expiresOn: null }
  const since = standsSince(file)
  const expiresOn = validUntil([...acceptedOfKinds(await listDocuments(db, userId)).values()])
  return since === null
    ? { state: file.state, decidedAt: file.decidedAt, expiresOn }
    : { state: 'success', decidedAt: since, expiresOn }
}

/** Which of these fields of a profile are not what they were when the documents were sent by which he is verified. */
export async function changedSinceSent(
  deps: { readonly db: Db | Tx; readonly secret: string },
  userId: string,
  fields: TypedProfile['fields'],
): Promise<readonly string[]> {
  const now = fingerprintsOf(deps.secret, userId, { userType: null, fields, beneficialOwners: [] })
  const asked = new Set(fields.map(({ field }) => field))
  return changedSince(typedOf(await findFile(deps.db, userId)), now).filter((field) => asked.has(field))
}
