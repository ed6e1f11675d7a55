import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { LiveSession } from '../session/viewers/viewer.ts'
import { callPath, longestViewerMessage, sessionCall, type SessionAnswer, type SessionCall } from './door-protocol.ts'

type Callee = {
  readonly evidenceId: string
  readonly session: LiveSession | null
}

/** One call to a session, from a `web` process that has shown its key. Never throws. */
export async function answerCall(callee: Callee, request: IncomingMessage, response: ServerResponse, log: Log): Promise<void> {
  const send = (status: number, answer: SessionAnswer) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
  try {
    if (request.method !== 'POST' || request.url !== callPath)
      return send(404, failure(new DomainError('not_found', 'http.not_found')))
    const call = sessionCall.safeParse(JSON.parse(await readBody(request)))
    if (!call.success) return send(400, failure(new DomainError('invalid', 'http.invalid_request')))
    await perform(callee, call.data)
    send(200, null)
  } catch (error) {
    if (error instanceof DomainError) return send(200, failure(error))
    log.error({ err: error, evidence_id: callee.evidenceId }, 'a call to a session ended in a defect')
    if (!response.headersSent) send(500, failure(new DomainError('unavailable', 'live.unreachable')))
    else response.destroy()
  }
}

async function perform({ session }: Callee, call: SessionCall): Promise<void> {
  if (session === null) throw new DomainError('conflict', 'live.not_capturing')
  if (call.name === 'paste') await session.paste(call.text, call.secret)
  else await session.call(call.name)
}

function failure({ kind, code, data }: DomainError): SessionAnswer {
  return { kind, code, data: { ...data } }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > longestViewerMessage) throw new DomainError('invalid', 'http.too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
