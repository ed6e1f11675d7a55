import { liveClose, type LiveInputSent, type LiveOutput } from '../../contract/live.ts'

/**
 * One session over as many WebSockets as the network makes necessary. Whatever ends a connection, another is tried, except where
 * the session itself is over or this viewer may not take part: the recording goes on at the server all the while.
 */
export type ConnectionState = 'connecting' | 'open' | 'reconnecting' | 'ended' | 'refused'

export type ConnectionDeps = {
  /** A fresh ticket for each connection. @throws `isFinal` errors end the attempts */
  readonly ticket: () => Promise<string>
  readonly isFinal: (error: unknown) => boolean
  readonly open: () => WebSocket
  readonly hello: () => Omit<Extract<LiveInputSent, { type: 'hello' }>, 'type' | 'ticket'>
  readonly state: (state: ConnectionState) => void
  readonly message: (message: LiveOutput) => void
  readonly bytes: (message: ArrayBuffer) => void
  /** Milliseconds; for figures and silence alone. */
  readonly now: () => number
  /** 0 to 1. */
  readonly random: () => number
}

export type Connection = {
  /** @returns whether it left: nothing is kept for later, an old click must not fall on a new page */
  readonly send: (message: LiveInputSent) => boolean
  readonly sendBytes: (bytes: Uint8Array<ArrayBuffer>) => boolean
  /** Bytes that wait to leave. */
  readonly waiting: () => number
  /** Tries at once: the network came back, the page is looked at again. */
  readonly retryNow: () => void
  /** The network is said to be gone: what is not heard of within two seconds is not waited for. */
  readonly doubt: () => void
  /** Another connection with another `hello`. */
  readonly renew: () => void
  readonly close: () => void
}

const pingEveryMs = 4_000
/** Mobile networks drop connections without a word. */
const silentMs = 10_000
const doubtMs = 1_000
const mostWaitMs = 5_000
/** Refusals that may be a ticket that came too late, and no more. */
const mostRefusals = 3

/** Doubled from 200 ms to 5 s, up to a third less, so that a thousand viewers of a restarted server do not come at once. */
export function backOff(attempt: number, random: number): number {
  if (attempt === 0) return 0
  return Math.min(mostWaitMs, 100 * 2 ** Math.min(attempt, 10)) * (1 - random / 3)
}

export function connect(deps: ConnectionDeps): Connection {
  let socket: WebSocket | null = null
  let attempt = 0
  let refusals = 0
  let over = false
  let retry: ReturnType<typeof setTimeout> | null = null
  let opening = false
  let welcomed = false
  let heard = 0
  let doubted: ReturnType<typeof setTimeout> | null = null

  const finish = (state: 'ended' | 'refused') => {
    over = true
    stopWaiting()
    deps.state(state)
    drop()
  }

  function stopWaiting(): void {
    for (const timer of [retry, doubted]) if (timer !== null) clearTimeout(timer)
    retry = null
    doubted = null
  }

  function drop(): void {
    const old = socket
    socket = null
    welcomed = false
    if (old === null) return
    old.close()
  }

  function again(): void {
    drop()
    if (over) return
    deps.state('reconnecting')
    stopWaiting()
    retry = setTimeout(() => void start(), backOff(attempt, deps.random()))
    attempt += 1
  }

  function closed(code: number): void {
    if (code === liveClose.ended) finish('ended')
    else if (code === liveClose.refused || code === liveClose.malformed) {
      refusals += 1
      if (refusals >= mostRefusals) finish('refused')
      else again()
    } else again()
  }

  async function start(): Promise<void> {
    if (over || opening) return
    stopWaiting()
    opening = true
    let ticket: string
    try {
      ticket = await deps.ticket()
    } catch (error) {
      opening = false
      if (over) return
      if (deps.isFinal(error)) finish('refused')
      else again()
      return
    }
    opening = false
    if (over) return
    drop()
    const made = deps.open()
    made.binaryType = 'arraybuffer'
    socket = made
    heard = deps.now()
    made.addEventListener('open', () => {
      if (socket !== made) return
      heard = deps.now()
      made.send(JSON.stringify({ type: 'hello', ticket, ...deps.hello() } satisfies LiveInputSent))
    })
    made.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (socket !== made) return
      heard = deps.now()
      if (data instanceof ArrayBuffer) deps.bytes(data)
      else if (typeof data === 'string') text(data)
    })
    made.addEventListener('close', ({ code }) => {
      if (socket === made) closed(code)
    })
  }

  function text(data: string): void {
    const message = JSON.parse(data) as LiveOutput
    if (message.type === 'welcome') {
      attempt = 0
      refusals = 0
      welcomed = true
      deps.state('open')
    }
    deps.message(message)
  }

  const watch = setInterval(() => {
    if (socket === null) return
    if (deps.now() - heard > silentMs) again()
    else ping()
  }, pingEveryMs)

  const isOpen = () => socket !== null && socket.readyState === 1 && welcomed
  function ping(): void {
    if (isOpen()) socket?.send(JSON.stringify({ type: 'ping', at: deps.now() }))
  }

  deps.state('connecting')
  void start()
  return {
    send(message) {
      if (!isOpen()) return false
      socket?.send(JSON.stringify(message))
      return true
    },
    sendBytes(bytes) {
      if (!isOpen()) return false
      socket?.send(bytes)
      return true
    },
    waiting: () => socket?.bufferedAmount ?? 0,
    retryNow() {
      if (over || opening) return
      if (socket !== null && socket.readyState === 1 && deps.now() - heard < pingEveryMs * 1.5) return
      attempt = 0
      again()
    },
    doubt() {
      const made = socket
      if (over || made === null || doubted !== null) return
      // What was under way may still come: only a later answer counts.
      doubted = setTimeout(() => {
        const since = deps.now()
        ping()
        doubted = setTimeout(() => {
          doubted = null
          if (socket === made && heard <= since) again()
        }, doubtMs)
      }, doubtMs)
    },
    renew() {
      if (over) return
      attempt = 0
      again()
    },
    close() {
      over = true
      stopWaiting()
      clearInterval(watch)
      drop()
    },
  }
}
