import { open, readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { toHex } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError, type ErrorData } from '../../../../kernel/errors.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import { createOutsideTimestampers } from '../timestamps/create-timestampers.ts'
import { firstToken, sessionTimeoutMs, type Notary } from './notary.ts'
import { notaryPrefix } from './serve-notary.ts'
import { socketNames, socketPath } from '../connections/socket-folder.ts'

const largestAnswer = 1024 * 1024
const answerMs = 15_000
/** A process that holds keys may be starting, as at the start of the whole product. */
const patienceMs = 3_000

/**
 * The notary of a process without keys: it asks one that holds them, on this machine; where there is none, the outside
 * authorities themselves, whose tokens need no key of ours (decision 0126).
 * @throws DomainError `sealing.tsa_address` for an address that cannot be one.
 */
export function askNotary(options: {
  /** Folder given to `serveNotary`. */
  readonly folder: string
  readonly urls: readonly string[]
  readonly clock: Clock
  readonly log: Notes
  /** How long one is waited for when there is nobody else to ask; 3 s unless told. */
  readonly patienceMs?: number
}): Notary {
  const { folder, clock, log, patienceMs: patience = patienceMs } = options
  const outside = createOutsideTimestampers({ urls: options.urls, clock, log, timeoutMs: sessionTimeoutMs })
  const ask = (path: string, body: object, signal: AbortSignal | undefined) =>
    askAny(folder, path, JSON.stringify(body), AbortSignal.any([AbortSignal.timeout(answerMs), ...(signal ? [signal] : [])]))
  return {
    timestampDigest: async (sha256, signal, { ownOnly = false } = {}) => {
      const body = { sha256: toHex(sha256), own_only: ownOnly }
      const others = ownOnly ? [] : outside
      let answer = await ask('/timestamp', body, signal)
      for (let waited = 0; answer === null && others.length === 0 && waited < patience; waited += 100) {
        await wait(100, undefined, signal === undefined ? {} : { signal })
        answer = await ask('/timestamp', body, signal)
      }
      if (answer === null) return await firstToken(sha256, others, signal)
      return {
        token: new Uint8Array(Buffer.from(text(answer, 'token'), 'base64')),
        caPem: text(answer, 'ca_pem'),
        authority: text(answer, 'authority'),
        genTime: new Date(text(answer, 'gen_time')),
        embedded: answer['embedded'] === true,
      }
    },
    signArchive: async (hash, created, signal, { ownOnly = false } = {}) => {
      const answer = await ask('/archive-signature', { hash, created, own_only: ownOnly }, signal)
      if (answer === null) throw new DomainError('unavailable', 'sealing.notary_unreachable', {})
      return Object.fromEntries(Object.keys(answer).map((key) => [key, text(answer, key)]))
    },
  }
}

type Answer = Readonly<Record<string, unknown>>

function text(answer: Answer, key: string): string {
  const value = answer[key]
  if (typeof value !== 'string') throw new DomainError('unavailable', 'sealing.notary_unreachable', {})
  return value
}

/** The first process that answers; null when none listens. A socket that a killed process left refuses, and the next is tried. */
async function askAny(folder: string, path: string, body: string, signal: AbortSignal): Promise<Answer | null> {
  const names = await readdir(folder).catch(() => [])
  const pattern = socketNames(notaryPrefix)
  const sockets = names.filter((name) => pattern.test(name))
  if (sockets.length === 0) return null
  const handle = await open(folder, 'r')
  try {
    for (const name of sockets) {
      const outcome = await post(socketPath(handle, name), path, body, signal)
      if (outcome === null) continue
      const { status, value } = outcome
      if (status === 200) return value
      const code = value['code']
      const data = value['data']
      throw new DomainError(
        'unavailable',
        typeof code === 'string' && /^sealing\.[a-z0-9_]+$/.test(code) ? code : 'sealing.notary_unreachable',
        typeof data === 'object' && data !== null ? (data as ErrorData) : {},
      )
    }
    return null
  } finally {
    await handle.close()
  }
}

function post(
  socket: string,
  path: string,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; value: Answer } | null> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void => {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ECONNRESET') resolve(null)
      else if (signal.aborted) reject(new DomainError('unavailable', 'sealing.tsa_timeout', {}, { cause: error }))
      else reject(new DomainError('unavailable', 'sealing.notary_unreachable', {}, { cause: error }))
    }
    const call = request({
      socketPath: socket,
      path,
      method: 'POST',
      agent: false,
      signal,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    })
    call.once('error', failed)
    call.once('response', (response) => {
      const parts: Buffer[] = []
      let size = 0
      response.once('error', failed)
      response.on('data', (part: Buffer) => {
        size += part.length
        if (size > largestAnswer) call.destroy(new Error('answer too long'))
        else parts.push(part)
      })
      response.once('end', () => {
        try {
          const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'))
          if (typeof value !== 'object' || value === null) throw new Error('no object')
          resolve({ status: response.statusCode ?? 0, value: value as Answer })
        } catch (error) {
          failed(error)
        }
      })
    })
    call.end(body)
  })
}
