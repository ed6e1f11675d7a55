import { createHash } from 'node:crypto'
import type { CdpSession, Protocol } from '../../../../platform/browser/cdp-connection.ts'
import { createRequestLimit } from './limit-requests.ts'

/** One request as the browser saw it. Times in milliseconds since the epoch. */
export type ObservedRequest = {
  readonly requestId: string
  readonly url: string
  readonly method: string
  readonly type: string
  readonly frameId: string | null
  readonly documentUrl: string
  readonly initiator: string
  readonly startedAt: number
  /** The browser's monotonic clock at the same moment, in seconds. */
  readonly monotonicStart: number
  status: number | null
  statusText: string
  protocol: string | null
  mediaType: string
  headers: Readonly<Record<string, string>>
  /** From any cache of the browser, that of the page's own memory included. */
  fromCache: boolean
  fromDiskCache: boolean
  fromServiceWorker: boolean
  remotePort: number | null
  timing: Protocol.Network.ResourceTiming | null
  /** Bytes after content decoding, and as sent, head included. */
  dataBytes: number
  encodedBytes: number
  finishedAt: number | null
  /** `net::ERR_…` */
  failure: string | null
  blocked: string | null
  redirectedTo: string | null
  /** The capture itself stopped it: at a limit of time, or at its end. */
  stoppedByCapture: boolean
  /** Of a WebSocket: its messages as the browser handed them over; null for anything else. */
  readonly socket: ObservedSocket | null
}

/** SHA-256 (hexadecimal) of each message's payload, in order. Control frames never reach the page and are not among them. */
export type ObservedSocket = { readonly sent: string[]; readonly received: string[]; dropped: number }

/** What a page, or the browser, wrote on its console. */
export type ConsoleLine = {
  readonly at: string
  readonly source: string
  readonly level: string
  readonly text: string
  readonly url: string | null
  readonly line: number | null
}

export type Observation = {
  readonly requests: readonly ObservedRequest[]
  /** Requests beyond those that are listed. */
  readonly requestsDropped: number
  /** Longer than they are written down (`consoleText`): what is secret is taken out first. */
  readonly console: readonly ConsoleLine[]
  readonly consoleDropped: number
  /** Requests on their way: what "quiet" is about. */
  inFlight(): number
  /** Milliseconds of the monotonic clock since anything last happened on the network. */
  lastActivity(): number
  attach(session: CdpSession): Promise<void>
  /** Lets the page make so many requests; the others are failed before they leave. */
  limitRequests(most: number): void
  /** From now on what is given up is given up by the capture, not by the page. */
  stopping(): void
  /** The latest request for this address was given up because of the capture, before it was sent. */
  givenUpByCapture(url: string): void
}

/** Bounds of what a page can make us keep. */
const maxRequests = 20_000
const maxConsoleLines = 5_000
/** Characters of a text of the console that are written down. */
export const maxConsoleText = 4_000
/** What is kept of it until then: no form of a part of a secret is longer than the rest (secret-patterns.ts). */
const keptConsoleText = maxConsoleText + 6_500
/** Of all lines together. Characters. */
const maxConsole = 24_000_000
const maxSocketMessages = 50_000

/** Long-lived by nature: never waited for. */
const neverQuiet = new Set(['EventSource', 'WebSocket', 'Media', 'Ping'])

const lowerCased = (headers: Protocol.Network.Headers): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function remoteText(value: Protocol.Runtime.RemoteObject): unknown {
  return 'value' in value ? value.value : (value.unserializableValue ?? value.description ?? value.type)
}

/** Listens to network and console of every target that is attached; `onDocument` hears of each main document's bytes. */
/**
 * The jail has no card of its own, of which the browser makes that it is offline, and many a page shows that instead of itself (decision 0437).
 * The figures are those that Chromium tells scripts where it has measured nothing: 0 ms, 10 Mbit/s.
 */
const thereIsANetwork = { offline: false, latency: 0, downloadThroughput: 1_310_720, uploadThroughput: 1_310_720 }

export function createObservation(onDocumentBytes: (bytes: number) => void): Observation {
  const requests: ObservedRequest[] = []
  const open = new Map<string, ObservedRequest>()
  const sockets = new Map<string, { readonly url: string; readonly initiator: string }>()
  const lines: ConsoleLine[] = []
  let consoleLength = 0
  let dropped = 0
  let requestsDropped = 0
  let socketMessages = 0
  let stopped = false
  /** Targets that have not answered yet: a service worker does when it runs. */
  let attaching = 0
  const limit = createRequestLimit()
  let activity = performance.now()
  const touch = () => {
    activity = performance.now()
  }
  const log = (entry: ConsoleLine) => {
    if (lines.length >= maxConsoleLines || consoleLength >= maxConsole) {
      dropped += 1
      return
    }
    const line = { ...entry, url: entry.url === null ? null : cut(entry.url) }
    consoleLength += line.text.length + (line.url?.length ?? 0)
    lines.push(line)
  }
  const cut = (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text === undefined ? 'undefined' : text.slice(0, keptConsoleText)
  }
  const answered = (request: ObservedRequest, response: Protocol.Network.Response) => {
    // A page of the browser's own, in place of an answer, has status 0.
    request.status = response.status === 0 ? null : response.status
    request.statusText = response.statusText
    request.protocol = response.protocol ?? null
    request.mediaType = response.mimeType
    request.headers = lowerCased(response.headers)
    request.fromDiskCache = response.fromDiskCache === true || response.fromPrefetchCache === true
    // What the page's memory held was announced before (Network.requestServedFromCache).
    // An answer without a connection was shared with a request for the same address that was still on its way.
    const shared = response.connectionId === 0 && response.encodedDataLength === 0 && response.status > 0
    request.fromCache ||= request.fromDiskCache || (shared && response.fromServiceWorker !== true)
    request.fromServiceWorker = response.fromServiceWorker === true
    request.remotePort = response.remotePort ?? null
    request.timing = response.timing ?? null
  }

  /** Lists a request; null past the bound. */
  const newRequest = (
    known: Pick<
      ObservedRequest,
      | 'requestId'
      | 'url'
      | 'method'
      | 'type'
      | 'frameId'
      | 'documentUrl'
      | 'initiator'
      | 'startedAt'
      | 'monotonicStart'
      | 'socket'
    >,
  ): ObservedRequest | null => {
    if (requests.length >= maxRequests) {
      requestsDropped += 1
      return null
    }
    const request: ObservedRequest = {
      ...known,
      status: null,
      statusText: '',
      protocol: null,
      mediaType: '',
      headers: {},
      fromCache: false,
      fromDiskCache: false,
      fromServiceWorker: false,
      remotePort: null,
      timing: null,
      dataBytes: 0,
      encodedBytes: 0,
      finishedAt: null,
      failure: null,
      blocked: null,
      redirectedTo: null,
      stoppedByCapture: false,
    }
    requests.push(request)
    limit.count()
    return request
  }

  return {
    requests,
    get console() {
      return lines
    },
    get consoleDropped() {
      return dropped
    },
    get requestsDropped() {
      return requestsDropped
    },
    limitRequests: (most) => limit.set(Math.min(most, maxRequests)),
    stopping: () => {
      stopped = true
    },
    givenUpByCapture: (url) => {
      const request = requests.findLast((one) => one.url.replace(/#.*$/s, '') === url.replace(/#.*$/s, '') && one.status === null)
      if (request !== undefined) request.stoppedByCapture = true
    },
    inFlight: () =>
      attaching +
      // A stream of events has no end, whoever reads it.
      [...open.values()].filter(({ type, mediaType }) => !neverQuiet.has(type) && mediaType !== 'text/event-stream').length,
    lastActivity: () => performance.now() - activity,
    attach: async (session) => {
      touch()
      attaching += 1
      // A frame's navigation starts in its parent's target and ends in its own: ids are the browser's, not the target's.
      const key = (id: string) => id
      session.on('Network.requestWillBeSent', (event) => {
        touch()
        const before = open.get(key(event.requestId))
        if (before && event.redirectResponse) {
          answered(before, event.redirectResponse)
          before.finishedAt = before.startedAt + (event.timestamp - before.monotonicStart) * 1000
          before.redirectedTo = event.request.url
        }
        // Not asked of any network: the page's own data, and the parts of the browser's viewers.
        if (/^(data|chrome|chrome-extension|chrome-untrusted):/i.test(event.request.url)) return
        const request = newRequest({
          requestId: event.requestId,
          url: event.request.url,
          method: event.request.method,
          type: event.type ?? 'Other',
          frameId: event.frameId ?? null,
          documentUrl: event.documentURL,
          initiator: event.initiator.url ?? event.initiator.type,
          startedAt: event.wallTime * 1000,
          monotonicStart: event.timestamp,
          socket: null,
        })
        if (request !== null) open.set(key(event.requestId), request)
      })
      // A WebSocket has events of its own; its request is known once the handshake is sent.
      session.on('Network.webSocketCreated', ({ requestId, url, initiator }) =>
        sockets.set(key(requestId), { url, initiator: initiator?.url ?? initiator?.type ?? 'other' }),
      )
      session.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, timestamp, wallTime }) => {
        const created = sockets.get(key(requestId))
        if (created === undefined) return
        const request = newRequest({
          requestId,
          ...created,
          method: 'GET',
          type: 'WebSocket',
          frameId: null,
          documentUrl: '',
          startedAt: wallTime * 1000,
          monotonicStart: timestamp,
          socket: { sent: [], received: [], dropped: 0 },
        })
        if (request !== null) open.set(key(requestId), request)
      })
      session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => {
        const request = open.get(key(requestId))
        if (request === undefined) return
        request.status = response.status
        request.statusText = response.statusText
        request.headers = lowerCased(response.headers)
      })
      const message =
        (direction: 'sent' | 'received') => (event: { requestId: string; response: Protocol.Network.WebSocketFrame }) => {
          const socket = open.get(key(event.requestId))?.socket
          if (socket === undefined || socket === null) return
          // Text and binary: the others are the browser's own and told nobody reliably.
          if (event.response.opcode !== 1 && event.response.opcode !== 2) return
          socketMessages += 1
          if (socketMessages > maxSocketMessages) {
            socket.dropped += 1
            return
          }
          const payload = Buffer.from(event.response.payloadData, event.response.opcode === 1 ? 'utf8' : 'base64')
          socket[direction].push(createHash('sha256').update(payload).digest('hex'))
        }
      session.on('Network.webSocketFrameSent', message('sent'))
      session.on('Network.webSocketFrameReceived', message('received'))
      session.on('Network.webSocketFrameError', ({ requestId, errorMessage }) => {
        const request = open.get(key(requestId))
        if (request !== undefined) request.failure = errorMessage.slice(0, 200)
      })
      session.on('Network.webSocketClosed', ({ requestId, timestamp }) => {
        sockets.delete(key(requestId))
        close(requestId, timestamp, () => undefined)
      })
      session.on('Network.requestServedFromCache', (event) => {
        const request = open.get(key(event.requestId))
        if (request) request.fromCache = true
      })
      session.on('Network.responseReceived', (event) => {
        touch()
        const request = open.get(key(event.requestId))
        if (request) answered(request, event.response)
      })
      session.on('Network.dataReceived', (event) => {
        touch()
        const request = open.get(key(event.requestId))
        if (!request) return
        request.dataBytes += event.dataLength
        request.encodedBytes += event.encodedDataLength
        if (request.type === 'Document') onDocumentBytes(request.dataBytes)
      })
      const close = (requestId: string, timestamp: number, change: (request: ObservedRequest) => void) => {
        touch()
        const request = open.get(key(requestId))
        if (!request) return
        open.delete(key(requestId))
        request.finishedAt = request.startedAt + (timestamp - request.monotonicStart) * 1000
        change(request)
      }
      session.on('Network.loadingFinished', (event) =>
        close(event.requestId, event.timestamp, (request) => void (request.encodedBytes = event.encodedDataLength)),
      )
      session.on('Network.loadingFailed', (event) =>
        close(event.requestId, event.timestamp, (request) => {
          request.failure = event.errorText
          request.stoppedByCapture ||= stopped
          request.blocked = event.blockedReason ?? null
        }),
      )
      session.on('Runtime.consoleAPICalled', (event) =>
        log({
          at: new Date(event.timestamp).toISOString(),
          source: 'console',
          level: event.type,
          text: cut(event.args.map((arg) => cut(remoteText(arg))).join(' ')),
          url: event.stackTrace?.callFrames[0]?.url ?? null,
          line: event.stackTrace?.callFrames[0]?.lineNumber ?? null,
        }),
      )
      session.on('Runtime.exceptionThrown', ({ timestamp, exceptionDetails }) =>
        log({
          at: new Date(timestamp).toISOString(),
          source: 'exception',
          level: 'error',
          text: cut(exceptionDetails.exception?.description ?? exceptionDetails.text),
          url: exceptionDetails.url ?? null,
          line: exceptionDetails.lineNumber,
        }),
      )
      session.on('Log.entryAdded', ({ entry }) =>
        log({
          at: new Date(entry.timestamp).toISOString(),
          source: entry.source,
          level: entry.level,
          text: cut(entry.text),
          url: entry.url ?? null,
          line: entry.lineNumber ?? null,
        }),
      )
      // Not every kind of target has every domain.
      await Promise.all([
        // Bodies are read from the wire: the browser need not keep them for us.
        session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1 }).catch(() => undefined),
        session.send('Network.overrideNetworkState', thereIsANetwork).catch(() => undefined),
        limit.add(session),
        session.send('Runtime.enable').catch(() => undefined),
        session.send('Log.enable').catch(() => undefined),
      ])
      attaching -= 1
      touch()
    },
  }
}
