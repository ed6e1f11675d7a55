import type { Readable, Writable } from 'node:stream'
import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts'

export type { Protocol }

type Method = keyof Protocol.CommandParameters
type EventName = Extract<keyof Protocol.Events, string>
type EventPayload<E extends EventName> = Protocol.Events[E]

/** The browser has gone, or the target that the session spoke to. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone'
}

/** The browser answered with an error; `message` is its own, so untrusted. */
export class CdpError extends Error {
  override readonly name = 'CdpError'
}

/** No answer within the time given: usually a page whose script never yields. */
export class CdpTimeout extends Error {
  override readonly name = 'CdpTimeout'
  constructor(method: string) {
    super(`no answer to ${method} in time`)
  }
}

/** One attached target, or the browser itself (Chrome DevTools Protocol, flat sessions). */
export type CdpSession = {
  readonly id: string | null
  /** @throws BrowserGone, CdpError, CdpTimeout. `timeoutMs` is 30,000 unless told. */
  send<M extends Method>(
    method: M,
    params?: Protocol.CommandParameters[M],
    options?: { timeoutMs?: number },
  ): Promise<Protocol.CommandReturnValues[M]>
  /** Returns a function that stops listening. */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void
}

export type CdpConnection = {
  readonly browser: CdpSession
  session(id: string): CdpSession
  /** Fails everything pending; the pipes are left to the owner of the process. */
  close(reason: string): void
}

type Pending = {
  readonly session: string | null
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}
type Message = {
  id?: number
  sessionId?: string
  method?: string
  params?: unknown
  result?: unknown
  error?: { code?: number; message?: string }
}

/** What the browser answers for a session that it does not have, or no longer (its protocol's `SESSION_NOT_FOUND`). */
const sessionNotFound = -32_001

const detached = new WeakSet<CdpSession>()

/** Whether the target that the session spoke to is known to be there no longer: nothing that is sent arrives. */
export const isGone = (session: CdpSession): boolean => detached.has(session)

/** Longest message taken from the browser: a tile of a screenshot is well under, a snapshot of a huge page is over and fails. */
export const maxMessageBytes = 256 * 1024 * 1024

/**
 * Speaks `--remote-debugging-pipe`: JSON messages ended by NUL, on file descriptors 3 and 4 of the browser. Unlike a port,
 * nobody else on the machine can reach it.
 */
export function connectCdp(toBrowser: Writable, fromBrowser: Readable): CdpConnection {
  let nextId = 1
  let gone: BrowserGone | null = null
  let parts: Buffer[] = []
  let length = 0
  const pending = new Map<number, Pending>()
  const listeners = new Map<string, Set<(payload: never) => void>>()
  const sessions = new Map<string, CdpSession>()

  const close = (reason: string) => {
    if (gone) return
    gone = new BrowserGone(reason)
    for (const one of pending.values()) {
      clearTimeout(one.timer)
      one.reject(gone)
    }
    pending.clear()
    listeners.clear()
    parts = []
  }

  const take = (text: string) => {
    const message = JSON.parse(text) as Message
    if (message.id !== undefined) {
      const one = pending.get(message.id)
      if (!one) return
      pending.delete(message.id)
      clearTimeout(one.timer)
      // One that hung on another that is gone is not told of: parent and child go at once.
      if (message.error?.code === sessionNotFound && one.session !== null) forget(one.session)
      if (message.error) one.reject(new CdpError(message.error.message ?? 'unnamed error'))
      else one.resolve(message.result as never)
      return
    }
    if (message.method === 'Target.detachedFromTarget') {
      const { sessionId } = message.params as Protocol.Target.detachedFromTargetPayload
      for (const [id, one] of pending) {
        if (one.session !== sessionId) continue
        pending.delete(id)
        clearTimeout(one.timer)
        one.reject(new BrowserGone('the target was closed'))
      }
    }
    for (const listener of listeners.get(`${message.sessionId ?? ''} ${message.method}`) ?? []) listener(message.params as never)
    if (message.method === 'Target.detachedFromTarget')
      forget((message.params as Protocol.Target.detachedFromTargetPayload).sessionId)
  }
  /** Nothing comes of a target that is gone: a page may make thousands of them. */
  const forget = (sessionId: string) => {
    const session = sessions.get(sessionId)
    if (session !== undefined) detached.add(session)
    sessions.delete(sessionId)
    for (const key of listeners.keys()) if (key.startsWith(`${sessionId} `)) listeners.delete(key)
  }

  fromBrowser.on('data', (data: Buffer) => {
    let from = 0
    for (let end = data.indexOf(0, from); end !== -1; end = data.indexOf(0, from)) {
      parts.push(data.subarray(from, end))
      const text = Buffer.concat(parts).toString('utf8')
      parts = []
      length = 0
      from = end + 1
      if (!gone) take(text)
    }
    if (from < data.length && !gone) {
      parts.push(data.subarray(from))
      length += data.length - from
      if (length > maxMessageBytes) close('a message of the browser was too long')
    }
  })
  fromBrowser.on('close', () => close('the browser has ended'))
  fromBrowser.on('error', () => close('the browser has ended'))
  toBrowser.on('error', () => close('the browser has ended'))

  const open = (id: string | null): CdpSession => ({
    id,
    send: (method, params, options) =>
      new Promise((resolve, reject) => {
        if (gone) return reject(gone)
        const messageId = nextId
        nextId += 1
        const timer = setTimeout(() => {
          pending.delete(messageId)
          reject(new CdpTimeout(method))
        }, options?.timeoutMs ?? 30_000)
        pending.set(messageId, { session: id, resolve: resolve, reject, timer })
        toBrowser.write(
          `${JSON.stringify({ id: messageId, method, params: params ?? {}, ...(id === null ? {} : { sessionId: id }) })}\0`,
        )
      }),
    on: (event, listener) => {
      const key = `${id ?? ''} ${event}`
      const set = listeners.get(key) ?? new Set()
      listeners.set(key, set.add(listener))
      return () => void set.delete(listener)
    },
  })
  return {
    browser: open(null),
    session: (id) => {
      const known = sessions.get(id) ?? open(id)
      sessions.set(id, known)
      return known
    },
    close,
  }
}
