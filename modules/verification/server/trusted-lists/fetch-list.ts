import { lookup as resolveName } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { canonicalIp, classifyAddress, isAllowedAddress } from '../../../../kernel/ip-address.ts'
import { isRefusedPort } from '../../../../kernel/web-address.ts'

export const fetchFlaws = ['bad_address', 'not_public', 'unreachable', 'timeout', 'http_status', 'redirect', 'too_large'] as const
export type FetchFlaw = (typeof fetchFlaws)[number]

export class FetchListError extends Error {
  override readonly name = 'FetchListError'
  readonly flaw: FetchFlaw
  constructor(flaw: FetchFlaw, options?: ErrorOptions) {
    super(`the list was not fetched: ${flaw}`, options)
    this.flaw = flaw
  }
}

export type FetchListDeps = {
  /** Private `ip:port` that the operator allowed; everything else that is not globally routable is refused. */
  readonly allowAddresses: readonly string[]
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

const maxRedirects = 3

/**
 * One GET of a list at an address that another list named. Each server on the way is dialled at an address that was vetted first.
 * Plain HTTP is accepted, as one State publishes so: a list stands by its signature, number and dates, not by its way here.
 * @throws FetchListError
 */
export async function fetchList(deps: FetchListDeps, url: string): Promise<Uint8Array> {
  const deadline = AbortSignal.timeout(deps.timeoutMs)
  const signal = deps.signal === undefined ? deadline : AbortSignal.any([deadline, deps.signal])
  let at = url
  try {
    for (let hops = 0; ; hops += 1) {
      const answer = await getOnce(deps, at, signal)
      if ('bytes' in answer) return answer.bytes
      if (hops === maxRedirects || !URL.canParse(answer.location, at)) throw new FetchListError('redirect')
      const next = new URL(answer.location, at)
      if (at.startsWith('https:') && next.protocol !== 'https:') throw new FetchListError('redirect')
      at = next.href
    }
  } catch (error) {
    if (error instanceof FetchListError) throw error
    if (deps.signal?.aborted === true) throw error
    throw new FetchListError(deadline.aborted ? 'timeout' : 'unreachable', { cause: error })
  }
}

type Answer = { readonly bytes: Uint8Array } | { readonly location: string }

async function getOnce(deps: FetchListDeps, url: string, signal: AbortSignal): Promise<Answer> {
  if (!URL.canParse(url)) throw new FetchListError('bad_address')
  const target = new URL(url)
  const secure = target.protocol === 'https:'
  if ((!secure && target.protocol !== 'http:') || target.username !== '' || target.password !== '')
    throw new FetchListError('bad_address')
  const port = target.port === '' ? (secure ? 443 : 80) : Number(target.port)
  const address = await vettedAddress(deps, target.hostname.replace(/^\[|\]$/g, ''), port, signal)
  // The vetted address is what is dialled: a second answer of DNS has no say.
  const lookup: LookupFunction = (_host, options, done) => {
    const family = address.includes(':') ? 6 : 4
    if (options.all === true) done(null, [{ address, family }])
    else done(null, address, family)
  }
  return await new Promise((resolve, reject) => {
    const request = (secure ? requestHttps : requestHttp)(
      target,
      { signal, lookup, agent: false, maxHeaderSize: 16 * 1024, headers: { accept: '*/*', 'user-agent': 'Probant' } },
      (response) => {
        const status = response.statusCode ?? 0
        const { location } = response.headers
        if (status >= 300 && status < 400 && location !== undefined) {
          response.destroy()
          resolve({ location })
          return
        }
        const parts: Buffer[] = []
        let bytes = 0
        const refuse = (flaw: FetchFlaw) => {
          reject(new FetchListError(flaw))
          response.destroy()
        }
        response.on('error', reject)
        // A connection that ends early: `end` never comes.
        response.on('close', () => {
          if (!response.complete) refuse('unreachable')
        })
        if (status !== 200) {
          refuse('http_status')
          return
        }
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > deps.maxBytes) refuse('too_large')
          else parts.push(part)
        })
        response.on('end', () => resolve({ bytes: new Uint8Array(Buffer.concat(parts)) }))
      },
    )
    request.on('error', reject)
    request.end()
  })
}

async function vettedAddress(deps: FetchListDeps, host: string, port: number, signal: AbortSignal): Promise<string> {
  const literal = canonicalIp(host)
  const addresses = literal === null ? await addressesOf(host, signal) : [literal]
  for (const address of addresses) {
    if (isAllowedAddress(deps.allowAddresses, address, port)) continue
    if (!classifyAddress(address).global || isRefusedPort(port)) throw new FetchListError('not_public')
  }
  const [first] = addresses
  if (first === undefined) throw new FetchListError('unreachable')
  return first
}

/** The resolver cannot be stopped: whoever waits stops waiting. */
async function addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    const found = await Promise.race([resolveName(host, { all: true }), stopped.promise])
    return found.map(({ address }) => address)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
