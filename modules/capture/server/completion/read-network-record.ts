import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Notary } from '../dating/notary.ts'
import { placeOf } from '../../domain/attribute-connections.ts'
import type { CapturedFile, CaptureFacts } from '../../domain/outcome/outcome.ts'
import { listPages, type Visited } from './list-pages.ts'
import { recordedConnections, type ConnectionRecord } from '../network/index.ts'
import type { ObservedRequest } from '../page/observe-browser.ts'
import {
  buildHar,
  describeCertificates,
  matchBrowserRequests,
  readContent,
  reconcile,
  reconstructExchanges,
  writeReconciliation,
  writeWacz,
  writeWebSockets,
  type Exchange,
  type Reconciliation,
} from '../record/index.ts'
import { keysWithoutSecrets, type KeptKeys } from '../secrets/keys-without-secrets.ts'
import { maskRecord } from '../secrets/mask-record.ts'
import type { Masking } from '../secrets/masking.ts'

export type NetworkRecord = {
  readonly files: readonly CapturedFile[]
  readonly losses: CaptureFacts['completeness']['losses']
  readonly counts: Reconciliation['counts']
  readonly certificate: Omit<NonNullable<CaptureFacts['certificate']>, 'error'> | null
  /** A secret passed without encryption. */
  readonly secretInClear: boolean
  /** Of a session with secrets: the key log without what would show them. */
  readonly keys: KeptKeys | null
}

/** Decoded, a body is this many times as long at most, or its content is not hashed: ten megabytes may hold ten gigabytes. */
const mostUnpacked = 5

/** Keys of one session take some hundred bytes a connection; more than this is no key log. */
export const maxKeyLogBytes = 64 * 1024 * 1024
const maxSourceBytes = 512 * 1024 * 1024

/** From the recorded bytes to HAR, WACZ, certificates, the document's source, and what is missing. Everything is read after the fact. */
export async function readNetworkRecord(input: {
  readonly records: readonly ConnectionRecord[]
  /** What the browser wrote of its TLS session keys (NSS key log format). */
  readonly keyLog: string
  readonly requests: readonly ObservedRequest[]
  /** Requests of the browser beyond those listed. */
  readonly requestsDropped: number
  readonly document: ObservedRequest | null
  readonly page: { readonly url: string; readonly title: string; readonly loadedAfter: number | null }
  /** A visit: every page that was gone to, and the document of the first, whose source is a piece beside that of `document`. */
  readonly visit?: { readonly pages: readonly Visited[]; readonly first: ObservedRequest | null }
  readonly workDir: string
  readonly software: string
  readonly browser: string
  readonly bodyBytes: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Signs the web archive; without one, or when it does not answer, the archive carries no signature. */
  readonly notary: Notary | undefined
  readonly onStep?: (step: 'archive' | 'reconcile') => void
  /** Of a session with secrets: they are taken out before anything is made, of the requests in place. */
  readonly masking: Masking | null
}): Promise<NetworkRecord> {
  const { signal, workDir, document, masking } = input
  const files: CapturedFile[] = []
  const keep = (path: string, role: CapturedFile['role'], mediaType: string): string => {
    const file = join(workDir, path.replace('/', '-'))
    files.push({ path, role, media_type: mediaType, file })
    return file
  }
  const contentBytes = input.bodyBytes * mostUnpacked
  const passed = await reconstructExchanges({
    connections: recordedConnections(input.records),
    keyLog: input.keyLog,
    spoolDir: join(workDir, 'spool'),
    limits: { body_bytes: input.bodyBytes, content_bytes: contentBytes },
    signal,
  })
  const [name = '', version = ''] = input.software.split('/')
  const aboutHar = {
    page: {
      url: input.page.url,
      title: input.page.title,
      startedAt: document?.startedAt ?? input.clock.now().getTime(),
      domContentLoaded: null,
      load: input.page.loadedAfter,
    },
    creator: { name, version },
    browser: { name: input.browser.split(' ')[0] ?? '', version: input.browser.split(' ')[1] ?? '' },
    archive: 'capture/archive.wacz',
  }
  const masked =
    masking === null
      ? null
      : await maskRecord({
          reading: passed,
          requests: input.requests,
          har: aboutHar,
          masking,
          folder: join(workDir, 'masked'),
          contentBytes,
          signal,
        })
  const reading = masked?.reading ?? passed
  const shown = <T>(value: T): T => (masking === null ? value : masking.maskValue(value))
  // What the tunnel refused was answered by the tunnel, and what a certificate stopped was never sent: neither was on the wire.
  const refused = new Set(input.records.filter(({ refusal }) => refusal !== null).map(({ host, port }) => `${host}:${port}`))
  for (const { host, port, refusal } of input.records) if (refusal === null) refused.delete(`${host}:${port}`)
  // Across origins the browser hides the refusal's fields, and tells of a failure only.
  const verdictAside = ({ headers, failure, status, url }: ObservedRequest) =>
    headers['probant-refused'] !== undefined || (failure !== null && status === null && refused.has(placeOf(url)))
      ? ('refused' as const)
      : failure?.startsWith('net::ERR_CERT_') === true
        ? ('certificate' as const)
        : null
  const requests = input.requests.filter((request) => verdictAside(request) === null)
  const aside = input.requests.flatMap((request) => {
    const verdict = verdictAside(request)
    return verdict === null ? [] : [{ request, verdict }]
  })
  const matches = matchBrowserRequests(requests, reading.exchanges)
  const source = document === null ? undefined : matches.get(document)

  const first = input.visit?.first == null ? undefined : matches.get(input.visit.first)
  const visited = input.visit === undefined ? [] : listPages(shown(input.visit.pages), reading.exchanges)

  input.onStep?.('archive')
  const archived = await writeWacz({
    exchanges: reading.exchanges,
    pages:
      visited.length > 0
        ? visited
        : [
            {
              url: source?.url ?? shown(input.page.url),
              title: shown(input.page.title),
              at: source?.started_at ?? document?.startedAt ?? input.clock.now().getTime(),
            },
          ],
    created: input.clock.now(),
    software: input.software,
    outFile: keep('capture/archive.wacz', 'wacz', 'application/wacz'),
    workDir: join(workDir, 'wacz'),
    signal,
    sign: async (hash, created) => await signatureOf(input.notary, hash, created, signal),
  })
  const har = await buildHar({
    ...aboutHar,
    page: shown(aboutHar.page),
    exchanges: reading.exchanges,
    requests,
    pages: visited.map(({ url, title, at }) => ({ url, title, startedAt: at, domContentLoaded: null, load: null })),
  })
  await writeFile(keep('capture/network.har', 'har', 'application/json'), JSON.stringify(har))

  const { pem, origins } = await describeCertificates(reading.certificates)
  if (pem !== '') await writeFile(keep('capture/certificates.pem', 'certificates', 'application/x-pem-file'), pem)
  if (source?.response) await writeSource(source, 'source')
  if (first?.response && first !== source) await writeSource(first, 'first-source')
  const socketsFile = keep('capture/websockets.jsonl', 'network_log', 'application/x-ndjson')
  const sockets = await writeWebSockets({ exchanges: reading.exchanges, outFile: socketsFile, signal })
  if (sockets.length === 0) files.pop()
  input.onStep?.('reconcile')
  const reconciliation = reconcile({
    reading,
    browser: requests,
    archived: archived.records,
    sockets,
    aside,
    unlisted: input.requestsDropped,
  })
  const { completeness, counts } = reconciliation
  await writeReconciliation(reconciliation, {
    outFile: keep('environment/reconciliation.json', 'network_log', 'application/json'),
    signal,
  })
  return {
    files,
    losses: completeness.losses,
    counts,
    certificate: leafOf(source),
    secretInClear: masked?.inClear ?? false,
    keys:
      masked === null
        ? null
        : keysWithoutSecrets(
            input.keyLog,
            passed,
            new Set([...masked.exchanges.keys()].map(({ connection_id }) => connection_id)),
          ),
  }

  /** The document's bytes without transfer or content coding: what the browser parsed. */
  async function writeSource(exchange: Exchange, name: 'source' | 'first-source'): Promise<void> {
    if (exchange.response === null) return
    const type = exchange.response.fields.find((field) => field.name.toLowerCase() === 'content-type')?.value ?? ''
    const isHtml = /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type)
    const file = keep(`capture/${name}.${isHtml ? 'html' : 'bin'}`, 'source', isHtml ? 'text/html' : 'application/octet-stream')
    for (const secret of masked?.found.get(exchange) ?? []) masking?.tally(files.at(-1)?.path ?? '')(secret)
    try {
      await pipeline(Readable.from(readContent(exchange.response, maxSourceBytes)), createWriteStream(file), { signal })
    } catch (error) {
      // A content coding that does not decode: the archive holds the bytes as sent, and reconciliation names the loss.
      signal.throwIfAborted()
      files.pop()
      if (!(error instanceof Error)) throw error
    }
  }

  /** Of the connection that brought the document; without that exchange, of the document's host and port. */
  function leafOf(exchange: Exchange | undefined): NetworkRecord['certificate'] {
    const address = exchange === undefined && document !== null && URL.canParse(document.url) ? new URL(document.url) : null
    const host = address?.protocol === 'https:' ? address.hostname.replace(/^\[|\]$/g, '') : null
    const sha256 = exchange?.tls?.certificate_sha256 ?? null
    if (exchange !== undefined && exchange.tls === null) return null
    const origin = origins.find(
      (one) =>
        (exchange !== undefined && one.connection_ids.includes(exchange.connection_id)) ||
        (sha256 !== null && one.chain[0]?.sha256 === sha256) ||
        (host !== null && one.host === host && one.port === Number(address?.port || 443)),
    )
    const leaf = origin?.chain[0]
    return leaf !== undefined && 'subject' in leaf
      ? { subject: leaf.subject, issuer: leaf.issuer, valid_from: leaf.valid_from, valid_to: leaf.valid_to, sha256: leaf.sha256 }
      : null
  }
}

/** Signing may wait for a time authority; a capture does not wait longer than this for a second signature beside the seal's. */
const signMs = 8_000

async function signatureOf(
  notary: Notary | undefined,
  hash: string,
  created: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | null> {
  if (notary === undefined) return null
  const until = AbortSignal.any([signal, AbortSignal.timeout(signMs)])
  try {
    return await notary.signArchive(hash, created, until)
  } catch {
    // The archive says itself that it is not signed; the package is.
    signal.throwIfAborted()
    return null
  }
}
