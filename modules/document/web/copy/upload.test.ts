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
  const parts = new Map<number, string>()
  const asked: string[] = []
  const rests: number[] = []
  const glances: UploadGlance[] = []
  let calls = 0
  let hold: ((part: number) => Promise<void>) | null = null
  const count = Math.ceil(text.length / partBytes)
  const state = (of: DocumentCopy['state']): DocumentCopy => ({
    ...none,
    state: of,
    upload: '00000000-0000-4000-8000-000000000000',
    bytes: text.length,
    parts: count,
    missing: Array.from({ length: count }, (_, part) => part).filter((part) => !parts.has(part)),
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
    holdAt: (act: (part: number) => Promise<void>) => {
      hold = act
    },
    deps: {
      begin: async () => await Promise.resolve(state('receiving')),
      send: async (piece: { part: number; bytes: Blob; onProgress: (share: number) => void }, signal: AbortSignal) => {
        calls += 1
        asked.push(String(piece.part))
        piece.onProgress(0.5)
        await hold?.(piece.part)
        signal.throwIfAborted()
        const error = fails[calls]
        if (error !== undefined) throw error
        parts.set(piece.part, await piece.bytes.text())
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
})
