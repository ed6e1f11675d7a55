import type { CaptureProgress } from '../../../capture/server/index.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { recordProgress } from '../queue/lease-store.ts'

/** Writes the latest progress, one write at a time: a fast capture is not slowed down by its own reports. */
export function createProgressReporter(deps: Pick<EvidenceDeps, 'db' | 'log'>, id: string, fence: number, onLost: () => void) {
  let waiting: CaptureProgress | null = null
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    while (waiting !== null) {
      const progress = waiting
      waiting = null
      try {
        if (!(await recordProgress(deps.db, id, fence, progress))) onLost()
      } catch (error) {
        deps.log.warn({ err: error, evidence_id: id }, 'progress could not be recorded')
      }
    }
    writing = null
  }

  return {
    report(progress: CaptureProgress): void {
      waiting = progress
      writing ??= write()
    },
    async settled(): Promise<void> {
      await writing
    },
  }
}
