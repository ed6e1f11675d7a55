import type { Actor } from '../../../../kernel/actor.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { eraseAt, untouchedDays } from '../../domain/retention.ts'
import type { ReviewDeps } from '../documents/deps.ts'
import { existsDocument, listDocuments, markErased } from '../documents/document-store.ts'
import { changeFile, deleteFile, listDueFiles, lockFile } from '../documents/file-store.ts'
import { clearDocumentJob } from '../documents/jobs.ts'
import { scopeOf } from '../documents/subject-key.ts'

type EraseDeps = Pick<ReviewDeps, 'db' | 'blobs' | 'clock' | 'documentsDays'>

const batch = 100
const dayMs = 86_400_000
const nobody: Pick<Actor, 'userId' | 'accountId'> | null = null

/** Deletes what is stored for a document, unless there is such a document. Idempotent. */
export async function clearDocument(deps: Pick<ReviewDeps, 'db' | 'blobs'>, documentId: string): Promise<void> {
  if (await existsDocument(deps.db, documentId)) return
  await deps.blobs.scope(scopeOf(documentId)).clear()
}

/**
 * Erases the files of whoever was accepted long enough ago, or left refused or unsent ones alone: the key goes with the transaction, so that what is
 * stored is noise from then on, and the deletion of that follows as jobs. Which kinds, when and by whom stays. @returns of how many persons
 */
export async function eraseDueDocuments(deps: EraseDeps): Promise<number> {
  const now = deps.clock.now()
  const before = (days: number) => new Date(now.getTime() - days * dayMs)
  const due = await listDueFiles(deps.db, { accepted: before(deps.documentsDays), untouched: before(untouchedDays) }, batch)
  for (const userId of due) await eraseByAge(deps, userId, now)
  return due.length
}

async function eraseByAge(deps: EraseDeps, userId: string, now: Date): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const file = await lockFile(tx, userId)
    if (file === null || file.sealedKey === null) return
    const isDue = (document: { readonly decidedAt: Date | null }) => {
      const at = eraseAt(file, document, deps.documentsDays)
      return at !== null && at <= now
    }
    const kept = (await listDocuments(tx, userId)).filter(({ erasedAt }) => erasedAt === null)
    const due = kept.filter(isDue).map(({ id }) => id)
    // He did something meanwhile.
    if (due.length === 0 && (kept.length > 0 || !isDue({ decidedAt: null }))) return
    await markErased(tx, due, now)
    // Of what replaces something the key is still needed: then what was accepted goes by itself.
    if (due.length === kept.length) await changeFile(tx, userId, { sealed_key: null })
    for (const id of due) await enqueue(tx, clearDocumentJob, { document_id: id })
    const data = { documents: due.length }
    await recordAct(tx, now, { action: 'review.erased_documents', actor: nobody, subject: { type: 'user', id: userId }, data })
  })
}

/** All that is held on an account that is closed; done again from the start should it be interrupted. */
export async function eraseIdentityDocuments(deps: Pick<ReviewDeps, 'db' | 'blobs'>, userId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if ((await lockFile(tx, userId)) !== null) await changeFile(tx, userId, { sealed_key: null })
  })
  for (const { id } of await listDocuments(deps.db, userId)) await deps.blobs.scope(scopeOf(id)).clear()
  await deps.db.transaction().execute(async (tx) => await deleteFile(tx, userId))
}
