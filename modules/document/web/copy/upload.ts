import { ApiError } from '../../../../ui/api/api-error.ts'
import type { DocumentCopy } from '../../contract/copy.ts'

/** What an upload needs of the world. */
export type UploadDeps = {
  /** Begins it, or tells what is still missing of it. */
  readonly begin: (bytes: number, signal: AbortSignal) => Promise<DocumentCopy>
  readonly send: (
    piece: { readonly upload: string; readonly part: number; readonly bytes: Blob; readonly onProgress: (share: number) => void },
    signal: AbortSignal,
  ) => Promise<void>
  readonly complete: (upload: string, signal: AbortSignal) => Promise<DocumentCopy>
  /** Until it is worth another attempt: the network is back, or so many seconds have passed. */
  readonly rest: (seconds: number, signal: AbortSignal) => Promise<void>
  readonly onChange: (glance: UploadGlance) => void
}

export type UploadGlance =
  | { readonly kind: 'sending' | 'paused' | 'resting'; readonly sent: number; readonly size: number }
  /** All of it is there. */
  | { readonly kind: 'sent' }
  /** `unreadable`: the file cannot be read any more, or is another than when it was chosen. */
  | { readonly kind: 'failed'; readonly reason: 'unreadable' | Error }

export type Upload = { readonly pause: () => void; readonly resume: () => void; readonly cancel: () => void }

/** Longest wait between two attempts, in seconds. */
const longestRest = 60

class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Nothing came back, or the server cannot just now: the same again later may do. */
const passes = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

/** What the server asks for; else longer each time. */
function secondsOf(error: unknown, failures: number): number {
  const asked = error instanceof ApiError ? error.data['seconds'] : undefined
  return typeof asked === 'number' && asked > 0 ? Math.min(asked, longestRest) : Math.min(2 ** failures, longestRest)
}

/**
 * Sends a file in pieces, whichever the server still lacks: what was sent before an interruption is not sent again. A piece is read before it is
 * sent, so that a file that went away is not taken for a network that did.
 */
export function startUpload(file: Blob, deps: UploadDeps): Upload {
  const ended = new AbortController()
  let run = new AbortController()
  let sent = 0
  const show = (kind: 'sending' | 'paused' | 'resting') => {
    if (!ended.signal.aborted) deps.onChange({ kind, sent, size: file.size })
  }
  const finish = (glance: UploadGlance) => {
    if (ended.signal.aborted) return
    ended.abort()
    deps.onChange(glance)
  }

  const sendMissing = async (signal: AbortSignal): Promise<void> => {
    const state = await deps.begin(file.size, signal)
    const { upload } = state
    if (state.state !== 'receiving' || upload === null) return
    const lengthOf = (part: number) => Math.min(state.part_bytes, file.size - part * state.part_bytes)
    let held = file.size - state.missing.reduce((sum, part) => sum + lengthOf(part), 0)
    const tell = (more: number) => {
      sent = held + more
      show('sending')
    }
    tell(0)
    for (const part of state.missing) {
      const at = part * state.part_bytes
      const bytes = await read(file.slice(at, at + lengthOf(part)))
      await deps.send({ upload, part, bytes, onProgress: (share) => tell(share * bytes.size) }, signal)
      held += bytes.size
      tell(0)
    }
    await deps.complete(upload, signal)
  }

  const go = async (signal: AbortSignal): Promise<void> => {
    for (let failures = 0; ;) {
      const before = sent
      try {
        show('sending')
        await sendMissing(signal)
        finish({ kind: 'sent' })
        return
      } catch (error) {
        if (signal.aborted) return
        if (!passes(error)) {
          finish({ kind: 'failed', reason: error instanceof Unreadable || !(error instanceof Error) ? 'unreadable' : error })
          return
        }
        failures = sent > before ? 1 : failures + 1
        show('resting')
        await deps.rest(secondsOf(error, failures), signal).catch(() => undefined)
        if (signal.aborted) return
      }
    }
  }

  const begin = () => {
    run = new AbortController()
    void go(run.signal)
  }
  begin()
  return {
    pause() {
      if (ended.signal.aborted || run.signal.aborted) return
      run.abort()
      show('paused')
    },
    resume() {
      if (!ended.signal.aborted && run.signal.aborted) begin()
    },
    cancel() {
      ended.abort()
      run.abort()
    },
  }
}

async function read(piece: Blob): Promise<Blob> {
  try {
    return new Blob([await piece.arrayBuffer()])
  } catch (cause) {
    throw new Unreadable('a file cannot be read any more', { cause })
  }
}
