import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { loadChunk } from '../shell/chunk-failure.ts'
import type { MessageId } from '../intl/text.tsx'
import type { WorkDone } from '../../kernel/work-done.ts'

/** Both come when somebody has to work, not with the page. */
const WorkDialog = lazy(async () => ({
  default: (await loadChunk(() => import('./WorkDialog.tsx'))).WorkDialog,
}))

/** Whether a failure is the visitor's own giving up, of which he need not be told. */
export const wasCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

type Send = <T>(
  request: (work?: WorkDone) => Promise<T>,
  /** Sends it with the token of whoever scores visitors; absent: only work is taken. */
  scored?: (token: string) => Promise<T>,
) => Promise<T>

/** @throws what the request is refused with: as `refused` where there is no score, and no worse where it was not enough */
async function sendScored<T>(refused: ApiError, scored: ((token: string) => Promise<T>) | undefined): Promise<T> {
  if (scored === undefined || refused.data['score'] === undefined) throw refused
  const { askScore } = await loadChunk(() => import('../services/ask-score.ts'))
  const token = await askScore()
  if (token === null) throw refused
  return await scored(token)
}

/**
 * Sends what may have to be worked for (H-34, H-41). `why` tells the visitor what for; `dialog` is to be shown: it tells how far the work is, and lets it be given up.
 */
export function useWork(why: MessageId): {
  readonly send: Send
  readonly dialog: ReactNode
} {
  const [done, setDone] = useState<number | null>(null)
  const working = useRef<AbortController | null>(null)
  const work = async <T,>(refused: unknown, request: (work: WorkDone) => Promise<T>): Promise<T> => {
    if (!(refused instanceof ApiError) || !refused.code.endsWith('.work_required')) throw refused
    const controller = new AbortController()
    working.current = controller
    try {
      const { workAndSend } = await loadChunk(() => import('./do-work.ts'))
      return await workAndSend(refused, request, { signal: controller.signal, onProgress: setDone })
    } finally {
      setDone(null)
    }
  }
  const send: Send = async (request, scored) => {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof ApiError) || !error.code.endsWith('.work_required')) throw error
      try {
        return await sendScored(error, scored)
      } catch (refused) {
        return await work(refused, request)
      }
    }
  }
  const dialog =
    done === null ? null : (
      <Suspense>
        <WorkDialog done={done} why={why} cancel={() => working.current?.abort()} />
      </Suspense>
    )
  return { send, dialog }
}
