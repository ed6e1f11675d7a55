import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../../ui/api/api-error.ts'
import type { DocumentCopy } from '../../contract/copy.ts'
import { startUpload, type UploadGlance } from './upload.ts'

const partBytes = 4
const none = {
  part_bytes: partBytes,
  stored_at: null,
  kept_until: null,
  ended_at: null,
  ended_by: null,
  found_sha256: null,
  unopened: false,
  begun: [],
  slice_bytes: 2,
  limits: { bytes: 100, left: 100, days: 30, room: 100 },
}
const failure = (status: number, data: Record<string, number> = {}) =>
  new ApiError(status, { code: 'x', message: 'x', fields: {}, data, request_id: '' })

/** A server that keeps pieces, and fails as it is told: the n-th call of a piece. */
function makeServer(text: string, fails: Readonly<Record<number, Error>> = {}) {
  let now = 0
  const parts = new Map<number, string>()
  const slices = new Map<number, string>()
  const asked: string[] = []
  const rests: number[] = []
  const glances: UploadGlance[] = []
  let calls = 0
  let msOfByte = 0
  let hold: ((part: number) => Promise<void>) | null = null
  const count = Math.ceil(text.length / partBytes)
  const state = (of: DocumentCopy['state']): DocumentCopy => ({
    ...none,
    state: of,
    upload: '00000000-0000-4000-8000-000000000000',
    bytes: text.length,
    parts: count,
    missing: Array.from({ length: count }, (_, part) => part).filter((part) => !parts.has(part)),
    begun: Array.from({ length: count }, (_, part) => ({
      part,
      from: [0, 2].filter((from) => !slices.has(part * partBytes + from)),
    })).filter(({ part, from }) => !parts.has(part) && from.length === 1),
  })
  let settle: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    settle = resolve
  })
  return {
    parts,
    asked,
    rests,
    glances,
    over,
    paceOf: (ms: number) => {
      msOfByte = ms
    },
    holdAt: (act: (part: number) => Promise<void>) => {
      hold = act
    },
    deps: {
      begin: async () => await Promise.resolve(state('receiving')),
      clock: () => now,
      send: async (
        piece: { part: number; from: number | null; bytes: Blob; onProgress: (share: number) => void },
        signal: AbortSignal,
      ) => {
        calls += 1
        asked.push(piece.from === null ? String(piece.part) : `${String(piece.part)}+${String(piece.from)}`)
        now += msOfByte * piece.bytes.size * 0.5
        piece.onProgress(0.5)
        await hold?.(piece.part)
        signal.throwIfAborted()
        const error = fails[calls]
        if (error !== undefined) throw error
        now += msOfByte * piece.bytes.size * 0.5
        const came = await piece.bytes.text()
        if (piece.from === null) parts.set(piece.part, came)
        else {
          slices.set(piece.part * partBytes + piece.from, came)
          const [first, second] = [slices.get(piece.part * partBytes), slices.get(piece.part * partBytes + 2)]
          if (first !== undefined && second !== undefined) parts.set(piece.part, first + second)
        }
      },
      complete: async () => {
        asked.push('complete')
        return await Promise.resolve(state('comparing'))
      },
      rest: async (seconds: number) => {
        rests.push(seconds)
        await Promise.resolve()
      },
      onChange: (glance: UploadGlance) => {
        glances.push(glance)
        if (glance.kind === 'sent' || glance.kind === 'failed') settle()
      },
    },
  }
}

describe('E-33 a file is sent in pieces', () => {
  test('all of them, then it is said to be whole; the share that left only grows', async () => {
    const server = makeServer('abcdefghij')
    startUpload(new Blob(['abcdefghij']), server.deps)
    await server.over
    expect([...server.parts.values()]).toEqual(['abcd', 'efgh', 'ij'])
    expect(server.asked).toEqual(['0', '1', '2', 'complete'])
    const shares = server.glances.flatMap((glance) => ('sent' in glance ? [glance.sent] : []))
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(server.glances.at(-1)).toEqual({ kind: 'sent' })
  })

  test('a network that goes away, and a server that is busy, are waited for: only what is missing is sent again', async () => {
    const server = makeServer('abcdefghij', { 2: failure(0), 3: failure(0), 4: failure(429, { seconds: 7 }), 6: failure(503) })
    startUpload(new Blob(['abcdefghij']), server.deps)
    await server.over
    expect(server.asked).toEqual(['0', '1', '1', '1', '1', '2', '2', 'complete'])
    expect(server.rests).toEqual([2, 4, 7, 2])
    expect([...server.parts.values()].join('')).toBe('abcdefghij')
  })

  test('after a reload, the file given again, it goes on where it stood', async () => {
    const server = makeServer('abcdefghij')
    server.parts.set(0, 'abcd')
    server.parts.set(2, 'ij')
    startUpload(new Blob(['abcdefghij']), server.deps)
    await server.over
    expect(server.asked).toEqual(['1', 'complete'])
    expect(server.glances[1]).toEqual({ kind: 'sending', sent: 6, size: 10 })
  })

  test('paused, nothing is sent until it goes on', async () => {
    const server = makeServer('abcdefghij')
    let paused = false
    const upload = startUpload(new Blob(['abcdefghij']), server.deps)
    server.holdAt(async (part) => {
      if (part === 1 && !paused) {
        paused = true
        upload.pause()
        expect(server.glances.at(-1)).toMatchObject({ kind: 'paused' })
        queueMicrotask(() => upload.resume())
      }
      await Promise.resolve()
    })
    await server.over
    expect(server.asked).toEqual(['0', '1', '1', '2', 'complete'])
  })

  test('what the server refuses, and a file that cannot be read any more, end it and are told', async () => {
    const refusing = makeServer('abcdefghij', { 2: failure(409) })
    startUpload(new Blob(['abcdefghij']), refusing.deps)
    await refusing.over
    expect(refusing.glances.at(-1)).toMatchObject({ kind: 'failed', reason: { status: 409 } })
    const gone = makeServer('abcdefghij')
    const file = new Blob(['abcdefghij'])
    file.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }) as unknown as Blob
    startUpload(file, gone.deps)
    await gone.over
    expect(gone.glances.at(-1)).toEqual({ kind: 'failed', reason: 'unreadable' })
    expect(gone.asked).toEqual([])
  })

  test('what is too much for good ends it; too much just now is waited for, and what was answered is told', async () => {
    const full = makeServer('abcdefghij', { 1: failure(429) })
    startUpload(new Blob(['abcdefghij']), full.deps)
    await full.over
    expect(full.glances.at(-1)).toMatchObject({ kind: 'failed', reason: { status: 429 } })
    const busy = makeServer('abcdefghij', { 1: failure(503, { seconds: 60 }) })
    startUpload(new Blob(['abcdefghij']), busy.deps)
    await busy.over
    expect(busy.rests).toEqual([60])
    expect(busy.glances.find(({ kind }) => kind === 'resting')).toMatchObject({ why: { status: 503 } })
  })

  test('a line too slow for a whole piece is found out before the piece is given up, and slices go over it; a faster one has whole pieces again', async () => {
    const server = makeServer('abcdefghijklmnop')
    // A whole piece of four would take 64 seconds.
    server.paceOf(16_000)
    server.holdAt(async (part) => {
      // The line gets better while the second piece is on its way.
      if (part === 1) server.paceOf(1)
      await Promise.resolve()
    })
    startUpload(new Blob(['abcdefghijklmnop']), server.deps)
    await server.over
    expect(server.asked).toEqual(['0', '0+0', '0+2', '1+0', '1+2', '2', '3', 'complete'])
    expect([...server.parts.values()].join('')).toBe('abcdefghijklmnop')
    // Interrupted in the midst of a piece, it goes on with the slices that are missing.
    const half = makeServer('abcdefgh', { 3: failure(408) })
    half.paceOf(16_000)
    startUpload(new Blob(['abcdefgh']), half.deps)
    await half.over
    expect(half.asked).toEqual(['0', '0+0', '0+2', '0+2', '1+0', '1+2', 'complete'])
    expect([...half.parts.values()].join('')).toBe('abcdefgh')
  })
})
