import { ApiError } from '../../../../ui/api/api-error.ts'
import type { DocumentCopy } from '../../contract/copy.ts'

/** What an upload needs of the world. */
export type UploadDeps = {
  /** Begins it, or tells what is still missing of it. */
  readonly begin: (bytes: number, signal: AbortSignal) => Promise<DocumentCopy>
  readonly send: (
    piece: {
      readonly upload: string
      readonly part: number
      /** Of a slice: at which byte of the piece it begins. */
      readonly from: number | null
      readonly bytes: Blob
      readonly onProgress: (share: number) => void
    },
    signal: AbortSignal,
  ) => Promise<void>
  readonly complete: (upload: string, signal: AbortSignal) => Promise<DocumentCopy>
  /** Until it is worth another attempt: the network is back, or so many seconds have passed. */
  readonly rest: (seconds: number, signal: AbortSignal) => Promise<void>
  /** In milliseconds, from whenever. */
  readonly clock: () => number
  readonly onChange: (glance: UploadGlance) => void
}

export type UploadGlance =
  | { readonly kind: 'sending' | 'paused'; readonly sent: number; readonly size: number }
  /** `why`: what was answered; it goes on by itself. */
  | { readonly kind: 'resting'; readonly sent: number; readonly size: number; readonly why: unknown }
  /** All of it is there. */
  | { readonly kind: 'sent' }
  /** `unreadable`: the file cannot be read any more, or is another than when it was chosen. */
  | { readonly kind: 'failed'; readonly reason: 'unreadable' | Error }

export type Upload = { readonly pause: () => void; readonly resume: () => void; readonly cancel: () => void }

/** Longest wait between two attempts, in seconds. */
const longestRest = 60

/** A whole piece must come within two minutes and a half, or the server gives it up: what would take longer than this goes in slices. */
const longestPieceMs = 60_000
/** After so long it can be told how long a piece will take. */
const toldAfterMs = 10_000

class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Nothing came back, or the server cannot just now: the same again later may do. */
const passes = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 ||
    error.status === 408 ||
    error.status >= 500 ||
    // Too much just now, and not for good.
    (error.status === 429 && typeof error.data['seconds'] === 'number'))

/** What the server asks for; else longer each time. */
function secondsOf(error: unknown, failures: number): number {
  const asked = error instanceof ApiError ? error.data['seconds'] : undefined
  return typeof asked === 'number' && asked > 0 ? Math.min(asked, longestRest) : Math.min(2 ** failures, longestRest)
}

/**
 * Sends a file in pieces, whichever the server still lacks: what was sent before an interruption is not sent again. A piece is read before it is
 * sent, so that a file that went away is not taken for a network that did. On a line that is too slow for a whole piece it is sent in slices.
 */
export function startUpload(file: Blob, deps: UploadDeps): Upload {
  const ended = new AbortController()
  let run = new AbortController()
  let sent = 0
  let slow = false
  const show = (glance: { kind: 'sending' | 'paused' } | { kind: 'resting'; why: unknown }) => {
    if (!ended.signal.aborted) deps.onChange({ ...glance, sent, size: file.size })
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
    const begun = new Map(state.begun.map(({ part, from }) => [part, from]))
    const lengthOf = (part: number) => Math.min(state.part_bytes, file.size - part * state.part_bytes)
    const lengthOfSlice = (part: number, from: number) => Math.min(state.slice_bytes, lengthOf(part) - from)
    const leftOf = (part: number) => begun.get(part)?.reduce((sum, from) => sum + lengthOfSlice(part, from), 0) ?? lengthOf(part)
    let held = file.size - state.missing.reduce((sum, part) => sum + leftOf(part), 0)
    const tell = (more: number) => {
      sent = held + more
      show({ kind: 'sending' })
    }
    const sendRange = async (part: number, from: number | null, length: number): Promise<void> => {
      const at = part * state.part_bytes + (from ?? 0)
      const bytes = await read(file.slice(at, at + length))
      const began = deps.clock()
      const tooSlow = new AbortController()
      const onProgress = (share: number) => {
        tell(share * length)
        const past = deps.clock() - began
        if (from === null && length > state.slice_bytes && past > toldAfterMs && past > share * longestPieceMs)
          tooSlow.abort(new TooSlow('too slow for a whole piece'))
      }
      try {
        await deps.send({ upload, part, from, bytes, onProgress }, AbortSignal.any([signal, tooSlow.signal]))
      } catch (error) {
        if (tooSlow.signal.aborted && !signal.aborted) throw tooSlow.signal.reason
        if (deps.clock() - began > longestPieceMs) slow = true
        throw error
      }
      // At this pace a whole piece would take so long; of a short one nothing can be told.
      if (length >= state.slice_bytes) slow = (deps.clock() - began) * (state.part_bytes / length) > longestPieceMs
      held += length
      tell(0)
    }
    tell(0)
    for (const part of state.missing) {
      if (!slow && !begun.has(part))
        try {
          await sendRange(part, null, lengthOf(part))
          continue
        } catch (error) {
          if (!(error instanceof TooSlow)) throw error
          slow = true
        }
      const all = Array.from({ length: Math.ceil(lengthOf(part) / state.slice_bytes) }, (_, i) => i * state.slice_bytes)
      for (const from of begun.get(part) ?? all) await sendRange(part, from, lengthOfSlice(part, from))
    }
    await deps.complete(upload, signal)
  }

  const go = async (signal: AbortSignal): Promise<void> => {
    for (let failures = 0; ;) {
      const before = sent
      try {
        show({ kind: 'sending' })
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
        show({ kind: 'resting', why: error })
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
      show({ kind: 'paused' })
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
