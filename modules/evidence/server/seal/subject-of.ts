import { packageSoftware } from '../../../../platform/config/software.ts'
import type { CaptureFacts } from '../../../capture/server/index.ts'
import type { Subject } from '../../../verification/server/index.ts'

/** What the manifest says that the package is evidence of. */
export function subjectOf(evidenceId: string, kind: Subject['kind'], facts: CaptureFacts): Subject {
  return {
    evidence_id: evidenceId,
    kind,
    requested_url: facts.requested_url,
    final_url: facts.final_url,
    started_at: facts.started_at,
    finished_at: facts.finished_at,
    software: packageSoftware,
  }
}
