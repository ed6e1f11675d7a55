import { randomBytes } from 'node:crypto'
import { toHex } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { checkTimestamp, refusal } from './check-timestamp.ts'
import type { CheckedTimestamp } from './check-timestamp.ts'
import { oids } from '../encoding/object-identifiers.ts'
import { booleanTrue, integer, objectIdentifier, octetString, sequence } from '../encoding/write-der.ts'

/** Tokens with long chains and CRLs stay far below. */
const maximumResponseBytes = 262_144

/** TimeStampReq (RFC 3161 §2.4.1) over a SHA-256, with a fresh 64-bit nonce and certReq. */
export function buildTimestampRequest(digest: Uint8Array): { encoded: Uint8Array<ArrayBuffer>; nonce: string } {
  const nonce = randomBytes(8)
  // Never zero, and no leading zero octet to lose on the way.
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40
  const imprint = sequence(sequence(objectIdentifier(oids.sha256)), octetString(digest))
  return { encoded: sequence(integer(1), imprint, integer(nonce), booleanTrue()), nonce: toHex(nonce).replace(/^0+/, '') }
}

export type OutsideAuthority = {
  readonly url: URL
  /** SHA-256 of a certificate, lower-case hexadecimal, that must be the signer's or one of its chain. */
  readonly pin: string | undefined
  readonly timeoutMs: number
  readonly toleranceMs: number
}

/** Asks an outside authority over HTTP (RFC 3161 §3.4) and checks its answer. @throws DomainError `sealing.tsa_…` */
export async function requestTimestamp(
  authority: OutsideAuthority,
  digest: Uint8Array,
  { clock, signal }: { clock: Clock; signal?: AbortSignal | undefined },
): Promise<CheckedTimestamp> {
  const request = buildTimestampRequest(digest)
  const deadline = AbortSignal.timeout(authority.timeoutMs)
  const body = await exchange(
    authority.url,
    request.encoded,
    signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
  )
  return checkTimestamp(body, { digest, nonce: request.nonce, now: clock.now(), toleranceMs: authority.toleranceMs })
}

async function exchange(address: URL, body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Uint8Array> {
  const url = new URL(address)
  const headers: Record<string, string> = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' }
  if (url.username !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
  }
  url.username = url.password = url.hash = ''
  try {
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal })
    const problem = problemOf(response)
    if (problem === undefined) return await readBounded(response)
    await response.body?.cancel()
    throw problem
  } catch (error) {
    if (error instanceof Error && error.name === 'DomainError') throw error
    if (error instanceof Error && error.name === 'TimeoutError') throw refusal('timeout', {}, error)
    signal.throwIfAborted()
    throw refusal('unreachable', { reason: reasonOf(error) }, error)
  }
}

function problemOf(response: Response): Error | undefined {
  if (response.status >= 300 && response.status < 400) return refusal('redirect', { status: response.status })
  if (response.status !== 200) return refusal('http_status', { status: response.status })
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/timestamp-reply') return refusal('media_type', { media_type: type?.slice(0, 100) ?? null })
  return undefined
}

async function readBounded(response: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  if (response.body === null) throw refusal('malformed', { reason: 'empty answer' })
  for await (const piece of response.body) {
    size += piece.length
    // Leaving the loop cancels the stream.
    if (size > maximumResponseBytes) throw refusal('too_large', { limit: maximumResponseBytes })
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}

/** undici says `fetch failed` and puts the system's code in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.message.slice(0, 200) : 'unknown'
}
