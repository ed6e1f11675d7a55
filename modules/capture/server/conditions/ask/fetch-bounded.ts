import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { ProbeError } from './probe-error.ts'
import { vetServer, type Vetting } from './vet-server.ts'

const maxRedirects = 3

export type Fetched = { readonly url: string; readonly status: number; readonly text: string; readonly via: readonly string[] }

/**
 * One GET, a few redirects, a bounded body. Each server on the way is vetted and dialled at the vetted address; plain HTTP only
 * where the operator allowed the address. @throws ProbeError
 */
export async function fetchBounded(
  deps: { readonly vetting: Vetting; readonly signal: AbortSignal },
  input: { readonly url: string; readonly accept: string; readonly maxBytes: number },
): Promise<Fetched> {
  const via: string[] = []
  let url = input.url
  for (;;) {
    via.push(url)
    const answer = await getOnce(deps, { ...input, url })
    if (answer.location === null) return { url, status: answer.status, text: answer.text, via }
    if (via.length > maxRedirects || !URL.canParse(answer.location, url)) throw new ProbeError('redirected')
    url = new URL(answer.location, url).href
  }
}

async function getOnce(
  { vetting, signal }: { readonly vetting: Vetting; readonly signal: AbortSignal },
  input: { readonly url: string; readonly accept: string; readonly maxBytes: number },
): Promise<{ readonly status: number; readonly text: string; readonly location: string | null }> {
  if (!URL.canParse(input.url)) throw new ProbeError('bad_address')
  const target = new URL(input.url)
  const secure = target.protocol === 'https:'
  if ((!secure && target.protocol !== 'http:') || target.username !== '' || target.password !== '')
    throw new ProbeError('bad_address')
  const port = target.port === '' ? (secure ? 443 : 80) : Number(target.port)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const addresses = await vetServer(vetting, host, port, signal)
  const [address] = addresses
  if (address === undefined) throw new ProbeError('unknown_host')
  if (!secure && !vetting.allowAddresses.some((allowed) => allowed.endsWith(`:${port}`))) throw new ProbeError('not_encrypted')
  // The vetted address is what is dialled: a second answer of DNS has no say.
  const lookup: LookupFunction = (_host, options, done) => {
    const family = address.includes(':') ? 6 : 4
    if (options.all === true) done(null, [{ address, family }])
    else done(null, address, family)
  }
  return new Promise((resolve, reject) => {
    const request = (secure ? requestHttps : requestHttp)(
      target,
      { signal, lookup, agent: false, maxHeaderSize: 16 * 1024, headers: { accept: input.accept, 'user-agent': 'Probant' } },
      (response) => {
        const status = response.statusCode ?? 0
        const location = status >= 300 && status < 400 ? (response.headers.location ?? null) : null
        if (location !== null) {
          response.destroy()
          resolve({ status, text: '', location })
          return
        }
        const parts: Buffer[] = []
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > input.maxBytes) response.destroy(new ProbeError('too_large'))
          else parts.push(part)
        })
        response.on('end', () => resolve({ status, text: Buffer.concat(parts).toString('utf8'), location: null }))
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end()
  })
}
