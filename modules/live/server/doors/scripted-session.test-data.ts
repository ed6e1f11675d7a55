/** A live session that does nothing but say what it was told: what carries its messages is what is tested. */
import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import { DomainError } from '../../../../kernel/errors.ts'
import type { LiveSession, Viewer } from '../session/viewers/viewer.ts'
import { liveClose, type LiveInput, type LiveOutput } from '../../contract/live.ts'

export type ScriptedSession = LiveSession & {
  readonly viewers: Set<Viewer>
  readonly heard: { readonly viewer: Viewer; readonly message: LiveInput | Uint8Array }[]
  readonly calls: string[]
  end(): void
}

const state = { phase: 'capturing', remaining_ms: 600_000, recording: true } as const

/** Welcomes each viewer, echoes text as the title of a tab, and answers each upload with the same bytes. */
export function scriptedSession(evidenceId: string, onQuit: () => void = () => undefined): ScriptedSession {
  const viewers = new Set<Viewer>()
  const heard: ScriptedSession['heard'] = []
  const calls: string[] = []
  return {
    evidenceId,
    viewers,
    heard,
    calls,
    join(viewer) {
      viewers.add(viewer)
      viewer.send({
        type: 'welcome',
        role: viewer.role,
        state,
        picture: { width: 1280, height: 840, page_height: 800 },
        mobile: null,
        tabs: [],
        screenshots: [],
        limits: { tabs: 8, upload_bytes: 1, download_bytes: 1 },
      })
    },
    receive(viewer, message) {
      heard.push({ viewer, message })
      if (message.type === 'text') viewer.send({ type: 'tabs', tabs: [tabTitled(message.text)] })
      if (message.type === 'paste') viewer.send({ type: 'pasted', id: message.id, result: 'pasted' })
      if (message.type === 'quit') this.end()
    },
    receiveBytes(viewer, bytes) {
      heard.push({ viewer, message: bytes })
      viewer.sendBytes(bytes)
    },
    leave: (viewer) => void viewers.delete(viewer),
    call(name) {
      calls.push(name)
      if (name === 'full_page_screenshot') throw new DomainError('conflict', 'live.too_soon')
      if (name === 'quit_interactivity') this.end()
      return Promise.resolve()
    },
    paste(text, secret) {
      calls.push(`paste ${String(secret)} ${text}`)
      return text === 'nowhere' ? Promise.reject(new DomainError('conflict', 'live.no_field')) : Promise.resolve()
    },
    end() {
      for (const viewer of viewers) viewer.close(liveClose.ended, 'ended')
      onQuit()
    },
  }
}

export function tabTitled(title: string): Extract<LiveOutput, { type: 'tabs' }>['tabs'][number] {
  return { id: '1', title, url: '', active: true, loading: false, back: false, forward: false, security: 'none', failure: null }
}

export type TestViewer = {
  readonly socket: WebSocket
  readonly said: LiveOutput[]
  readonly bytes: Buffer[]
  send(message: unknown): void
  /** The first message that is wanted, from the first on. @throws Error when the connection ends before */
  until(wanted: (message: LiveOutput) => boolean): Promise<LiveOutput>
  /** Resolves with the code and reason of the close. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** Connects as a page of the site would; `ticket` null says nothing. */
export function viewerOf(
  origin: string,
  ticket: string | null,
  also: { readonly hello?: Record<string, unknown>; readonly headers?: Record<string, string> } = {},
): TestViewer {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/live/`, { headers: { origin, ...also.headers } })
  const said: LiveOutput[] = []
  const bytes: Buffer[] = []
  const waiting = new Set<() => void>()
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() })
      for (const wake of waiting) wake()
    })
  })
  socket.on('error', () => undefined)
  socket.on('message', (data, binary) => {
    if (binary) bytes.push(data as Buffer)
    else said.push(JSON.parse((data as Buffer).toString('utf8')) as LiveOutput)
    for (const wake of waiting) wake()
  })
  socket.on('open', () => {
    if (ticket !== null)
      socket.send(JSON.stringify({ type: 'hello', ticket, video: null, audio: false, touch: false, ...also.hello }))
  })
  return {
    socket,
    said,
    bytes,
    closed,
    send: (message) => socket.send(message instanceof Uint8Array ? message : JSON.stringify(message)),
    async until(wanted) {
      for (;;) {
        const found = said.find(wanted)
        if (found !== undefined) return found
        if (socket.readyState === socket.CLOSED) throw new Error('the connection ended')
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            resolve()
          }
          waiting.add(wake)
        })
      }
    },
  }
}

/** An upload's piece as the contract frames it. */
export function uploadPiece(bytes: number): Buffer {
  return Buffer.concat([Buffer.from([32, 0, 0, 0, 1, 0, 0]), randomBytes(bytes)])
}
