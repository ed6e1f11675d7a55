import { lookup as lookUp } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { DomainError } from '../../../../kernel/errors.ts'
import { classifyAddress, isAllowedAddress, parseIp } from '../../../../kernel/ip-address.ts'

/** Whom the platform may call for an anchor, and for how long. */
export type ExchangeRules = {
  /** `ip:port` of private addresses that may be called all the same (PROBANT_ALLOW_ADDRESSES); `any` for a server of the operator's own. */
  readonly allowAddresses: readonly string[] | 'any'
  /** For one exchange as a whole. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export type Answer = { readonly status: number; readonly body: Buffer }

/** Never with credentials: those are refused. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url.slice(0, 100)

export const anchorFailure = (reason: string, data: Record<string, string | number> = {}, cause?: unknown): DomainError =>
  new DomainError('unavailable', `sealing.anchor_${reason}`, data, cause === undefined ? {} : { cause })

/**
 * One exchange with a server that a setting names: the address is looked up once, must be globally reachable, and is the one that is
 * dialled; no redirect is followed; the body is bounded. @throws DomainError `sealing.anchor_…` that names what was wrong.
 */
export async function exchange(
  call: {
    readonly url: string
    readonly method?: 'GET' | 'POST'
    readonly body?: Uint8Array
    readonly accept: string
    readonly maxBytes: number
    readonly headers?: Readonly<Record<string, string>>
  },
  rules: ExchangeRules,
): Promise<Answer> {
  const url = URL.parse(call.url)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw anchorFailure('address', { address: call.url.slice(0, 200) })
  const deadline = AbortSignal.timeout(rules.timeoutMs)
  const signal = rules.signal === undefined ? deadline : AbortSignal.any([deadline, rules.signal])
  try {
    const address = await vetted(url, rules, signal)
    return await send(url, address, call, signal)
  } catch (error) {
    if (error instanceof DomainError) throw error
    rules.signal?.throwIfAborted()
    if (deadline.aborted) throw anchorFailure('timeout', { host: url.host }, error)
    throw anchorFailure('unreachable', { host: url.host, reason: codeOf(error) }, error)
  }
}

async function vetted(url: URL, rules: ExchangeRules, signal: AbortSignal): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const addresses =
    parseIp(host) === null ? (await abortable(lookUp(host, { all: true }), signal)).map(({ address }) => address) : [host]
  for (const address of addresses) {
    if (rules.allowAddresses === 'any' || isAllowedAddress(rules.allowAddresses, address, port)) continue
    const { global, reason } = classifyAddress(address)
    // One private address refuses the name: what it resolves to next is its owner's choice.
    if (!global) throw anchorFailure('private_address', { host: url.host, reason })
  }
  const [first] = addresses
  if (first === undefined) throw anchorFailure('unreachable', { host: url.host, reason: 'unknown_host' })
  return first
}

/** The system's resolver cannot be told to stop: only the waiting ends. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  signal.throwIfAborted()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function send(url: URL, address: string, call: Parameters<typeof exchange>[0], signal: AbortSignal): Promise<Answer> {
  const lookup: LookupFunction = (_host, options, done) => {
    const family = address.includes(':') ? 6 : 4
    if (options.all === true) done(null, [{ address, family }])
    else done(null, address, family)
  }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const body = call.body === undefined ? undefined : Buffer.from(call.body)
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
    url,
    {
      method: call.method ?? 'GET',
      signal,
      lookup,
      agent: false,
      maxHeaderSize: 16 * 1024,
      headers: {
        accept: call.accept,
        'user-agent': 'Probant',
        ...call.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/octet-stream', 'content-length': body.length }),
      },
    },
    (response) => {
      const status = response.statusCode ?? 0
      const parts: Buffer[] = []
      let bytes = 0
      const refuse = (error: Error) => {
        reject(error)
        response.destroy()
      }
      if (status >= 300 && status < 400) {
        refuse(anchorFailure('redirect', { host: url.host, status }))
        return
      }
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > call.maxBytes) refuse(anchorFailure('too_large', { host: url.host, limit: call.maxBytes }))
        else parts.push(part)
      })
      response.on('end', () => resolve({ status, body: Buffer.concat(parts) }))
      response.on('error', reject)
    },
  )
  request.on('error', reject)
  request.end(body)
  return await promise
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code.slice(0, 60)
  return error instanceof Error ? error.name : 'failed'
}
