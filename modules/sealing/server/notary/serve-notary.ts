/**
 * The notary of a process that holds keys, offered to the capture processes of the same machine on a Unix socket (decision
 * 0126): whoever takes over a process that drives browsers can have digests dated, and can read no key.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { fromHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import type { Notary } from './notary.ts'
import { listenInFolder } from '../connections/socket-folder.ts'

export const notaryPrefix = 'notary'
const largestRequest = 4096

export async function serveNotary(input: {
  readonly notary: Notary
  /** Made with mode 0700; shared with the capture processes of this machine. */
  readonly folder: string
  readonly log: Notes
}): Promise<{ close(): Promise<void> }> {
  const ending = new AbortController()
  const server = createServer((request, response) => {
    answer(input.notary, request, response, ending.signal).catch((error: unknown) => {
      input.log.warn({ err: error }, 'the notary could not answer')
      response.destroy()
    })
  })
  server.requestTimeout = 10_000
  server.headersTimeout = 5_000
  const listening = await listenInFolder(server, input.folder, notaryPrefix)
  return {
    close: async () => {
      ending.abort(new DomainError('unavailable', 'sealing.notary_unreachable', {}))
      await listening.close()
    },
  }
}

async function answer(notary: Notary, request: IncomingMessage, response: ServerResponse, ending: AbortSignal): Promise<void> {
  const body = await readBody(request)
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const signal = AbortSignal.any([ending, gone.signal])
  let status = 200
  let value: unknown
  try {
    if (request.method !== 'POST' || body === null) throw new DomainError('invalid', 'sealing.notary_request', {})
    value = await act(notary, request.url ?? '', body, signal)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    status = error.kind === 'invalid' ? 400 : 503
    value = { code: error.code, data: error.data }
  }
  const text = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

async function act(notary: Notary, path: string, body: Buffer, signal: AbortSignal): Promise<unknown> {
  const input = parse(body)
  const { sha256, hash, created } = input
  const wish = { ownOnly: input['own_only'] === true }
  if (path === '/timestamp' && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)) {
    const made = await notary.timestampDigest(fromHex(sha256), signal, wish)
    return {
      token: Buffer.from(made.token).toString('base64'),
      ca_pem: made.caPem,
      authority: made.authority,
      gen_time: made.genTime.toISOString(),
      embedded: made.embedded,
    }
  }
  if (path === '/archive-signature' && typeof hash === 'string' && typeof created === 'string')
    return await notary.signArchive(hash, created, signal, wish)
  throw new DomainError('invalid', 'sealing.notary_request', {})
}

function parse(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** null when there is more than any request of ours. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > largestRequest) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}
