import { liveFrame, type LiveInputSent, type LiveRole } from '../../contract/live.ts'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { call } from '../../../../ui/api/call.ts'
import { livePath, liveTicket, witnessTicket } from '../../contract/endpoints.ts'
import { connect, type Connection } from './connection.ts'
import { reduceLive, unseen, type LiveChange, type LiveView } from './live-view.ts'
import { pictureKind, showPicture, type ShownPicture } from '../picture/show-picture.ts'
import { readFrame } from '../picture/codec.ts'
import { playSound, soundIsPossible } from '../sound/play-sound.ts'
import { sendFiles } from './send-files.ts'

/**
 * By what right one looks on: the draft's token or, null, the account that owns it; or an invitation. `page` is the address at which
 * the session stands, which links to it begin with.
 */
export type LiveAccess =
  | { readonly by: 'token'; readonly id: string; readonly token: string | null; readonly page: string }
  | { readonly by: 'invitation'; readonly token: string }

export type LiveSession = {
  readonly get: () => LiveView
  readonly subscribe: (listener: () => void) => () => void
  /** @returns whether it left; when it did not, the viewer says so */
  readonly send: (message: LiveInputSent) => boolean
  /** Gestures that are made again and again: when there is no connection they are dropped without a word. */
  readonly input: (message: LiveInputSent) => void
  readonly screenshot: (kind: 'viewport' | 'full_page') => void
  readonly paste: (text: string, secret: boolean) => void
  readonly answerFiles: (files: readonly File[]) => void
  readonly answerCredentials: (user: string, password: string) => void
  readonly decline: (wish: 'credentials' | 'files') => void
  readonly seen: (key: number) => void
  /** The canvas must be new. @returns what ends it */
  readonly showOn: (canvas: HTMLCanvasElement) => () => void
  readonly setMuted: (muted: boolean) => Promise<boolean>
  readonly setVolume: (volume: number) => void
  /** Label of the invitation, once known. */
  readonly label: () => string | null
  readonly close: () => void
}

/** What is not drawn within so many pictures is not waited for. */
const mostArrived = 200

function socketAddress(): string {
  const address = new URL(apiAddress(livePath), location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return address.href
}

/** The token opens nothing any more, or never did: asking again changes nothing. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429

export function openLiveSession(access: LiveAccess, wanted: { readonly touch: boolean }): LiveSession {
  let view: LiveView = unseen
  let number = 0
  let label: string | null = null
  let role: LiveRole | null = null
  let video: 'h264' | 'jpeg' | null = null
  let picture: ShownPicture | null = null
  /** The stream's description and first pictures may come before there is a canvas. */
  let early: ArrayBuffer[] = []
  /** When pictures that are not drawn yet came, by their numbers. */
  const arrived = new Map<number, number>()
  /** Of this connection's stream, what a canvas that comes now would need is gone. */
  let missed = false
  /** Sound that nobody hears is not sent. */
  let hears = false
  const listeners = new Set<() => void>()
  const sound = playSound()

  const change = (next: LiveChange) => {
    view = reduceLive(view, next)
    role = view.role
    for (const listener of listeners) listener()
  }

  async function ticket(): Promise<string> {
    video ??= await pictureKind()
    if (access.by === 'invitation') {
      const answer = await call(witnessTicket, { body: { token: access.token } })
      label = answer.label
      return answer.ticket
    }
    // Whoever gave up control does not take it back by a lost connection.
    const body = { role: role === 'watcher' ? 'watcher' : 'controller' } as const
    return (await call(liveTicket, { params: { id: access.id }, evidenceToken: access.token, body })).ticket
  }

  function bytes(message: ArrayBuffer): void {
    const kind = new Uint8Array(message)[0]
    if (kind === liveFrame.audioConfig || kind === liveFrame.audio) {
      const frame = readFrame(message)
      if (frame === null) return
      if (kind === liveFrame.audioConfig) sound.config(frame.bytes)
      else sound.packet(frame)
    } else if (picture === null) {
      early.push(message)
      if (early.length > 500) {
        early = []
        missed = true
      }
    } else {
      const frame = readFrame(message)
      if (frame !== null) arrived.set(frame.number, performance.now())
      for (const number of arrived.keys()) {
        if (arrived.size <= mostArrived) break
        arrived.delete(number)
      }
      picture.message(message)
    }
  }

  const connection: Connection = connect({
    ticket,
    isFinal,
    open: () => new WebSocket(socketAddress()),
    hello: () => ({ video, audio: hears && soundIsPossible(), touch: wanted.touch }),
    state(state) {
      if (state === 'reconnecting' || state === 'connecting') {
        early = []
        arrived.clear()
        missed = false
        picture?.restart()
      }
      change({ type: 'connection', state })
    },
    message: (message) => change({ type: 'said', message, at: performance.now() }),
    bytes,
    now: () => performance.now(),
    random: () => Math.random(),
  })

  const retry = () => {
    if (document.visibilityState === 'visible') connection.retryNow()
  }
  window.addEventListener('online', retry)
  window.addEventListener('offline', connection.doubt)
  document.addEventListener('visibilitychange', retry)

  const send = (message: LiveInputSent): boolean => {
    const left = connection.send(message)
    if (!left) change({ type: 'not_sent' })
    return left
  }
  const next = () => (number += 1)

  return {
    get: () => view,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send,
    input: (message) => void connection.send(message),
    screenshot(kind) {
      const id = next()
      if (send({ type: 'screenshot', kind, id })) change({ type: 'screenshot_asked', id })
    },
    paste(text, secret) {
      const id = next()
      if (send({ type: 'paste', id, text, secret })) change({ type: 'paste_asked', id, secret })
    },
    answerFiles(files) {
      const asked = view.files
      change({ type: 'answered', wish: 'files' })
      if (asked !== null) void sendFiles(connection, asked.id, files).then((done) => done || change({ type: 'not_sent' }))
    },
    answerCredentials(user, password) {
      const asked = view.credentials
      change({ type: 'answered', wish: 'credentials' })
      if (asked !== null) send({ type: 'credentials', id: asked.id, user, password })
    },
    decline(wish) {
      const asked = view[wish]
      change({ type: 'answered', wish })
      if (asked !== null) send({ type: 'decline', id: asked.id })
    },
    seen: (key) => change({ type: 'seen', key }),
    showOn(canvas) {
      const shown = showPicture(canvas, (report) => {
        if (report.type === 'drawn') {
          canvas.dataset['picture'] = String(report.number)
          const since = arrived.get(report.number)
          arrived.delete(report.number)
          const held = since === undefined ? {} : { held: Math.min(60_000, performance.now() - since) }
          connection.send({ type: 'acknowledge', picture: report.number, ...held })
        } else if (video === 'h264') {
          video = 'jpeg'
          connection.renew()
        }
      })
      picture = shown
      for (const message of early.splice(0)) shown.message(message)
      if (missed) connection.renew()
      return () => {
        if (picture === shown) picture = null
        missed = true
        shown.close()
      }
    },
    async setMuted(muted) {
      hears = !muted
      if (soundIsPossible()) connection.send({ type: 'sound', on: hears })
      return await sound.setMuted(muted)
    },
    setVolume: (volume) => sound.setVolume(volume),
    label: () => label,
    close() {
      window.removeEventListener('online', retry)
      window.removeEventListener('offline', connection.doubt)
      document.removeEventListener('visibilitychange', retry)
      connection.close()
      sound.close()
      picture?.close()
    },
  }
}
