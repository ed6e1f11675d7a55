/**
 * The witness of a process that holds keys, offered to the web processes of the same machine on a Unix socket, as the notary is
 * to those that capture: the web role answers the world and reads no key.
 */
import { open, readdir } from 'node:fs/promises'
import { createServer, request as call, type IncomingMessage } from 'node:http'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import { listenInFolder, socketNames, socketPath } from '../connections/socket-folder.ts'
import { addCheckpoint, largestWitnessRequest, type WitnessAnswer, type WitnessDeps } from './witness.ts'

const prefix = 'witness'
const answerMs = 15_000
const largestAnswer = 1 << 16

export async function serveWitness(deps: WitnessDeps & { folder: string; log: Notes }): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    readBounded(request, largestWitnessRequest)
      .then(async (body) => await addCheckpoint(deps, body))
      .then((answer) => response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body))
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'the witness could not answer')
        response.destroy()
      })
  })
  server.requestTimeout = 10_000
  server.headersTimeout = 5_000
  return await listenInFolder(server, deps.folder, prefix)
}

/** Asks the witness of this machine. @throws DomainError `sealing.witness_unreachable` when no process answers */
export async function askWitness(folder: string, body: Uint8Array): Promise<WitnessAnswer> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => socketNames(prefix).test(name))
  let cause: unknown
  if (names.length > 0) {
    const handle = await open(folder, 'r')
    try {
      // A socket that a killed process left refuses, and the next is tried.
      for (const name of names) {
        try {
          return await post(socketPath(handle, name), body)
        } catch (error) {
          cause = error
        }
      }
    } finally {
      await handle.close()
    }
  }
  throw new DomainError('unavailable', 'sealing.witness_unreachable', {}, { cause })
}

async function post(socket: string, body: Uint8Array): Promise<WitnessAnswer> {
  const answer = Promise.withResolvers<WitnessAnswer>()
  const request = call({ socketPath: socket, method: 'POST', path: '/', agent: false, signal: AbortSignal.timeout(answerMs) })
  request.once('error', answer.reject)
  request.once('response', (response) => {
    readBounded(response, largestAnswer)
      .then((read) =>
        answer.resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? 'text/plain',
          body: read.toString('utf8'),
        }),
      )
      .catch(answer.reject)
  })
  request.end(body)
  return await answer.promise
}

async function readBounded(message: IncomingMessage, limit: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of message as AsyncIterable<Buffer>) {
    size += part.length
    if (size > limit) throw new RangeError('message too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
