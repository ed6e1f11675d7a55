/** HAR 1.2 of the browser's requests, with sizes, heads and texts from the wire. What was not measured is -1, as HAR has it. */
import type { Exchange, HeaderField } from '../exchange/exchange.ts'
import { fieldOf } from '../http/connection-context.ts'
import { comparableUrl, matchBrowserRequests } from '../exchange/match-browser-requests.ts'
import type { BrowserRequest } from '../exchange/match-browser-requests.ts'
import { readContent } from '../exchange/read-body.ts'

export type HarPage = {
  readonly url: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Milliseconds after the start; null when it never happened. */
  readonly domContentLoaded: number | null
  readonly load: number | null
}

type Pair = { readonly name: string; readonly value: string }

const pairs = (fields: readonly HeaderField[]): Pair[] => fields.map(({ name, value }) => ({ name, value }))
const isoOf = (at: number): string => new Date(at).toISOString()
const isText = (mediaType: string): boolean =>
  /^(?:text\/|application\/(?:json|javascript|xml|xhtml\+xml|ecmascript|manifest\+json|ld\+json)|image\/svg\+xml)|\+(?:json|xml)$/i.test(
    mediaType,
  )

function cookiesOf(fields: readonly HeaderField[], name: 'cookie' | 'set-cookie'): Pair[] {
  return fields
    .filter((field) => field.name.toLowerCase() === name)
    .flatMap(({ value }) => (name === 'cookie' ? value.split(';') : [value.split(';', 1)[0] ?? '']))
    .map((cookie) => {
      const at = cookie.indexOf('=')
      return at === -1
        ? { name: cookie.trim(), value: '' }
        : { name: cookie.slice(0, at).trim(), value: cookie.slice(at + 1).trim() }
    })
}

async function textOf(message: Exchange['request'] | NonNullable<Exchange['response']>, limit: number): Promise<string | null> {
  const size = message.body.content?.bytes
  if (size === undefined || size > limit) return null
  const parts: Buffer[] = []
  try {
    for await (const part of readContent(message, limit)) parts.push(part)
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } catch {
    // Not UTF-8: the archive holds the bytes, and a guess at the encoding would not be them.
    return null
  }
}

export type HarInput = {
  readonly exchanges: readonly Exchange[]
  readonly requests: readonly BrowserRequest[]
  readonly page: HarPage
  /** Pages of a visit, in order, instead of the one: requests are put under the page whose document asked for them. */
  readonly pages?: readonly HarPage[]
  readonly creator: { readonly name: string; readonly version: string }
  readonly browser: { readonly name: string; readonly version: string }
  /** Texts up to this size are held in the HAR; 256 KiB unless told. */
  readonly maxTextBytes?: number
  /** Total of all texts; 16 MiB unless told. */
  readonly maxTotalTextBytes?: number
  /** Name of the archive that holds the bodies; quoted in comments. */
  readonly archive: string
}

/** The HAR as an object that JSON.stringify takes. Requests of the wire that the browser did not report come last, and say so. */
export async function buildHar(input: HarInput): Promise<{ readonly log: Readonly<Record<string, unknown>> }> {
  const matches = matchBrowserRequests(input.requests, input.exchanges)
  const limits = { text: input.maxTextBytes ?? 256 * 1024, left: input.maxTotalTextBytes ?? 16 * 1024 * 1024 }
  const entries: { at: number; entry: Record<string, unknown> }[] = []
  const matched = new Set(matches.values())
  const pages = input.pages !== undefined && input.pages.length > 0 ? input.pages : [input.page]
  const addresses = pages.map(({ url }) => comparableUrl(url))
  // With several pages a request that no document of theirs made stands under none (HAR 1.2 has `pageref` optional).
  const pageOf = (request: BrowserRequest | null, at: number): number => {
    if (pages.length === 1) return 0
    const own = comparableUrl(request?.documentUrl ?? '')
    return pages.findLastIndex(({ startedAt }, i) => addresses[i] === own && startedAt <= at)
  }

  const contentOf = async (exchange: Exchange | undefined, mediaType: string): Promise<Record<string, unknown>> => {
    const body = exchange?.response?.body
    if (exchange === undefined || exchange.response === null || body === undefined)
      return { size: -1, mimeType: mediaType, comment: 'not on the wire' }
    const content = {
      size: body.content?.bytes ?? body.entity_bytes,
      mimeType: fieldOf(exchange.response.fields, 'content-type') ?? mediaType,
    }
    const compression = body.content === null ? {} : { compression: body.content.bytes - body.entity_bytes }
    const text = isText(content.mimeType.split(';', 1)[0] ?? '')
      ? await textOf(exchange.response, Math.min(limits.text, limits.left))
      : null
    if (text !== null) limits.left -= text.length
    const where =
      body.entity_bytes === 0
        ? {}
        : { comment: `body in ${input.archive}${body.truncated === null ? '' : `, not whole: ${body.truncated}`}` }
    return {
      ...content,
      ...compression,
      ...(text === null ? where : { text }),
      _sha256: body.content?.sha256 ?? null,
      _wireSha256: body.entity_sha256,
    }
  }

  const add = async (request: BrowserRequest | null, exchange: Exchange | undefined): Promise<void> => {
    const at = exchange?.started_at ?? request?.startedAt ?? 0
    const url = request?.url.replace(/#.*$/s, '') ?? exchange?.url ?? ''
    const sent = exchange?.request
    const answer = exchange?.response ?? null
    const version =
      exchange === undefined ? (request?.protocol ?? '') : exchange.protocol === 'h2' ? 'HTTP/2' : exchange.protocol.toUpperCase()
    const send = exchange === undefined ? -1 : exchange.request_finished_at - exchange.started_at
    const wait =
      exchange === undefined || exchange.response_started_at === null
        ? -1
        : Math.max(0, exchange.response_started_at - exchange.request_finished_at)
    const receive =
      exchange === undefined || exchange.response_started_at === null ? -1 : exchange.finished_at - exchange.response_started_at
    const whole = exchange === undefined ? (request?.finishedAt ?? at) - at : exchange.finished_at - exchange.started_at
    const body =
      sent === undefined || sent.body.entity_bytes === 0 ? null : await textOf(sent, Math.min(limits.text, limits.left))
    const page = pageOf(request, at)
    const entry: Record<string, unknown> = {
      ...(page === -1 ? {} : { pageref: `page_${page + 1}` }),
      startedDateTime: isoOf(at),
      time: send === -1 || wait === -1 ? Math.max(0, whole) : send + wait + Math.max(0, receive),
      request: {
        method: request?.method ?? sent?.method ?? '',
        url,
        httpVersion: version,
        cookies: sent === undefined ? [] : cookiesOf(sent.fields, 'cookie'),
        headers: sent === undefined ? [] : pairs(sent.fields),
        queryString: URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [],
        // HTTP/2 heads are compressed: their size on the wire is not that of any text.
        headersSize: sent === undefined || exchange?.protocol === 'h2' ? -1 : sent.head.length,
        bodySize: sent === undefined ? -1 : sent.body.wire_bytes,
        ...(body === null || sent === undefined
          ? {}
          : { postData: { mimeType: fieldOf(sent.fields, 'content-type') ?? '', params: [], text: body } }),
      },
      response: {
        status: answer?.status ?? request?.status ?? 0,
        statusText: answer?.reason ?? '',
        httpVersion: version,
        cookies: answer === null ? [] : cookiesOf(answer.fields, 'set-cookie'),
        headers: answer === null ? [] : pairs(answer.fields),
        content: await contentOf(exchange, request?.mediaType ?? ''),
        redirectURL: answer === null ? '' : (fieldOf(answer.fields, 'location') ?? ''),
        headersSize: answer === null || exchange?.protocol === 'h2' ? -1 : answer.head.length,
        bodySize: answer === null ? -1 : answer.body.wire_bytes,
        ...(answer === null || answer.trailers.length === 0 ? {} : { _trailers: pairs(answer.trailers) }),
        ...(request?.failure === null || request === null ? {} : { _error: request.failure }),
      },
      cache: {},
      timings: {
        blocked: -1,
        dns: -1,
        connect: -1,
        ssl: -1,
        send: Math.max(0, send),
        wait: Math.max(0, wait),
        receive: Math.max(0, receive),
      },
      ...(exchange === undefined ? {} : { serverIPAddress: exchange.remote_address, connection: exchange.connection_id }),
      _resourceType: request?.type ?? null,
      _initiator: request?.initiator ?? null,
      _fromCache: request?.fromCache ?? false,
      _fromServiceWorker: request?.fromServiceWorker ?? false,
      _blocked: request?.blocked ?? null,
      ...(request === null ? { comment: 'on the wire; not reported by the browser' } : {}),
    }
    entries.push({ at, entry })
  }

  for (const request of input.requests) await add(request, matches.get(request))
  for (const exchange of input.exchanges) if (!matched.has(exchange)) await add(null, exchange)
  return {
    log: {
      version: '1.2',
      creator: input.creator,
      browser: input.browser,
      pages: pages.map(({ url, title, startedAt, domContentLoaded, load }, i) => ({
        startedDateTime: isoOf(startedAt),
        id: `page_${i + 1}`,
        title: title === '' ? url : title,
        pageTimings: { onContentLoad: domContentLoaded ?? -1, onLoad: load ?? -1 },
      })),
      entries: entries.toSorted((a, b) => a.at - b.at).map(({ entry }) => entry),
    },
  }
}
