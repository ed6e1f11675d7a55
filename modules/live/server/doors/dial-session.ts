/** From a `web` process to the session that is meant, on whatever machine it runs. */
import { request } from 'node:https'
import { WebSocket } from 'ws'
import { DomainError } from '../../../../kernel/errors.ts'
import {
  callPath,
  keyedByPsk,
  longestSessionMessage,
  sessionAnswer,
  viewerHeader,
  viewerPath,
  writeViewerHeader,
  type SessionCall,
  type ViewerWanted,
} from './door-protocol.ts'
import type { SessionDoor } from './session-store.ts'

const connectMs = 5_000
/** A whole page that is tall takes its time. */
const answerMs = 90_000
const longestAnswer = 64 * 1024

function tlsTo(evidenceId: string, { key }: SessionDoor) {
  return {
    ...keyedByPsk,
    pskCallback: () => ({ psk: key, identity: evidenceId }),
    // The key is what the peer is known by; there is no certificate.
    checkServerIdentity: () => undefined,
  }
}

/** Begins to connect; `open`, `error` and `close` tell what came of it. */
export function dialViewer(evidenceId: string, door: SessionDoor, wanted: ViewerWanted): WebSocket {
  return new WebSocket(`wss://${door.address}${viewerPath}`, {
    ...tlsTo(evidenceId, door),
    headers: { [viewerHeader]: writeViewerHeader(wanted) },
    perMessageDeflate: false,
    maxPayload: longestSessionMessage,
    handshakeTimeout: connectMs,
    followRedirects: false,
  })
}

/** Calls the session. @throws DomainError what it refuses; `live.unreachable` when it does not answer */
export async function callSession(evidenceId: string, door: SessionDoor, call: SessionCall): Promise<void> {
  const text = await send(evidenceId, door, JSON.stringify(call)).catch((cause: unknown) => {
    throw new DomainError('unavailable', 'live.unreachable', {}, { cause })
  })
  const answer = sessionAnswer.safeParse(parse(text))
  if (!answer.success) throw new DomainError('unavailable', 'live.unreachable')
  if (answer.data !== null) throw new DomainError(answer.data.kind, answer.data.code, answer.data.data)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function send(evidenceId: string, door: SessionDoor, body: string): Promise<string> {
  const { hostname, port } = new URL(`https://${door.address}`)
  const answered = Promise.withResolvers<string>()
  const call = request({
    ...tlsTo(evidenceId, door),
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: callPath,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    agent: false,
    timeout: answerMs,
    signal: AbortSignal.timeout(answerMs),
  })
  call.once('error', answered.reject)
  call.once('timeout', () => call.destroy(new Error('no answer')))
  call.once('response', (response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > longestAnswer) call.destroy(new Error('the answer is too long'))
      chunks.push(chunk)
    })
    response.once('error', answered.reject)
    response.once('end', () => answered.resolve(Buffer.concat(chunks).toString('utf8')))
  })
  call.end(body)
  return await answered.promise
}
