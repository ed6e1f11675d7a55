import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { mayBePreviewed } from '../../domain/status.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { previewReportJob } from '../record/jobs.ts'
import { findReachable, lockReachable, type Caller } from '../own/reach-store.ts'
import type { EvidenceRecord } from '../record/store.ts'
import { beginPreview, findPreview, type PreviewRecord } from './preview-store.ts'

/** Nothing heard for so long: no worker runs, or it is busy with other things. */
const patienceMs = 5 * 60 * 1000
/** A report that could not be printed twice will not be printed by the same program a third time. */
const maxAttempts = 2

export type PreviewState = {
  readonly status: 'waiting' | 'printing' | 'ready' | 'failed' | 'late'
  /** When this state began; of `late`, when it was last heard of. */
  readonly since: Date
  /** Of `ready` alone. */
  readonly bytes: number | null
  /** Whether a screen can show it. */
  readonly document: boolean
}

/**
 * Shown to whoever has still to decide, and to nobody else: afterwards there is the report itself, or nothing.
 * @throws DomainError gone; conflict `evidence.preview_over` or `evidence.not_ready`
 */
export function assertDraft(evidence: EvidenceRecord, now: Date): void {
  const { status, expiresAt } = evidence
  if (status === 'expired' || status === 'rejected') throw new DomainError('gone', 'evidence.expired')
  if (status === 'finalizing' || status === 'final') throw new DomainError('conflict', 'evidence.preview_over')
  if (!mayBePreviewed(status)) throw new DomainError('conflict', 'evidence.not_ready', { status })
  // The janitor may come a moment later than the term.
  if (expiresAt !== null && expiresAt <= now) throw new DomainError('gone', 'evidence.expired')
}

const nothing = { bytes: null, document: false } as const

function stateOf(preview: PreviewRecord, now: Date): PreviewState {
  const { askedAt, startedAt, failedAt, file, document } = preview
  const heard = startedAt ?? askedAt
  if (file !== null) return { status: 'ready', since: heard, bytes: file.bytes, document: document !== null }
  if (failedAt !== null) return { status: 'failed', since: failedAt, ...nothing }
  if (now.getTime() - heard.getTime() >= patienceMs) return { status: 'late', since: heard, ...nothing }
  return { status: startedAt === null ? 'waiting' : 'printing', since: heard, ...nothing }
}

/**
 * The report of a draft, marked as a preview (C-29). The first call has it printed; those that follow say how far it is. One that
 * failed or is late stays so until it is asked for `again`: a page that only looks never starts a print over and over.
 * @throws DomainError not_found, gone, conflict
 */
export async function askPreview(
  deps: EvidenceDeps,
  caller: Caller,
  id: string,
  { language, again }: { readonly language: Locale; readonly again: boolean },
): Promise<PreviewState> {
  const key = { evidenceId: id, language }
  const now = deps.clock.now()
  assertDraft(await findReachable(deps.db, caller, id), now)
  const known = await findPreview(deps.db, key)
  if (known !== null && !again) return stateOf(known, now)
  return await deps.db.transaction().execute(async (tx) => {
    assertDraft(await lockReachable(tx, caller, id), now)
    const begun = await beginPreview(tx, key, now, new Date(now.getTime() - patienceMs))
    if (begun) {
      const options = { key: `preview:${id}:${language}`, maxAttempts }
      await enqueue(tx, previewReportJob, { evidence_id: id, language }, options)
    }
    const preview = await findPreview(tx, key)
    if (preview === null) throw new Error(`the preview of ${id} that was asked for is not there`)
    return stateOf(preview, now)
  })
}
