import type { LaunchedBrowser } from '../../../../platform/browser/launch-browser.ts'
import { canonicalIp, classifyAddress } from '../../../../kernel/ip-address.ts'
import type { AskedBy } from '../../domain/attribute-connections.ts'
import { buildChecklist, type PathStep } from '../../domain/conditions/build-checklist.ts'
import { tokenOffsets, type ClockFacts, type OriginDate } from '../../domain/conditions/clock-facts.ts'
import type { InteractiveFacts } from '../../domain/outcome/interactive-facts.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { ExtensionFacts, OnTheWay, ProxyFacts } from '../../domain/conditions/machine-facts.ts'
import { judgeNames } from '../../domain/conditions/network-facts.ts'
import type { ChecklistLine, SessionTimestamp } from '../../domain/outcome/outcome.ts'
import type { AssessedRequests } from './assess-requests.ts'
import type { Conditions } from '../conditions/index.ts'
import type { MachineFacts } from '../conditions/machine/measure-machine.ts'
import type { ConnectionRecord, DnsRecord, Tunnel } from '../network/index.ts'
import type { ObservedRequest } from '../page/observe-browser.ts'
import type { CaptureSession } from '../session/open-session.ts'
import { timeZone } from '../session/prepare-session.ts'
import { viewport } from '../page/open-page.ts'
import type { NetworkRecord } from './read-network-record.ts'
import { comparableUrl } from '../record/index.ts'

/** The raw evidence of the conditions: what `environment/environment.json` holds. */
export function describeEnvironment(input: {
  readonly machine: MachineFacts
  readonly browser: LaunchedBrowser
  readonly tunnel: Tunnel
  readonly operator: string | null
  readonly language: string
  readonly session: CaptureSession['origin']
  readonly limits: CaptureLimits
  readonly allowAddresses: readonly string[]
  readonly allowedAddressesUsed: readonly string[]
  readonly counts: NetworkRecord['counts']
  readonly conditions: Conditions
  readonly extensions: readonly ExtensionFacts[] | null
  readonly proxies: ProxyFacts
  readonly onTheWay: readonly OnTheWay[]
  readonly path: readonly PathStep[]
  readonly askedBy: ReadonlyMap<string, AskedBy>
}): Readonly<Record<string, unknown>> {
  const { browser, tunnel } = input
  return {
    // Stated by the installation's settings: the one thing here that nobody measured.
    operator_as_stated: input.operator,
    machine: input.machine,
    updates: input.conditions.updates,
    firewall: input.conditions.firewall,
    antivirus: input.conditions.antivirus,
    proxies: input.proxies,
    // Information: a site's own network leaves the same fields as somebody's in between.
    caches_and_proxies_named_by_origins: input.onTheWay,
    path: input.path,
    session: input.session,
    browser: {
      product: browser.product,
      user_agent: browser.userAgent,
      flags: browser.flags,
      policies: browser.policies,
      // The browser's own list, its built-in parts included; null when it did not give one.
      extensions: input.extensions,
      profile_before_start: browser.profile,
      language: input.language,
      time_zone: timeZone,
      viewport,
      peak_memory_bytes: browser.peakBytes(),
    },
    isolation: browser.isolation,
    reconciliation: input.counts,
    tunnel: {
      limits: input.limits,
      allowed_addresses: input.allowAddresses,
      allowed_addresses_used: input.allowedAddressesUsed,
      totals: tunnel.totals(),
      // Each connection's own is in capture/dns.json.
      asked_by: countAskedBy(tunnel.connections(), input.askedBy),
      rolling_hash: tunnel.checkpoint(),
    },
  }
}

/** The checklist from the measurements of this session. */
export function fillChecklist(input: {
  readonly machine: MachineFacts
  readonly browser: LaunchedBrowser
  readonly requests: AssessedRequests
  readonly path: readonly PathStep[]
  readonly pathCut: boolean
  /** The page that the address led to; null when none came. */
  readonly arrivedUrl: string | null
  readonly records: readonly ConnectionRecord[]
  readonly askedBy: ReadonlyMap<string, AskedBy>
  readonly dnsAnswers: readonly DnsRecord[]
  readonly network: Pick<NetworkRecord, 'counts'>
  readonly conditions: Conditions
  readonly clock: ClockFacts
  readonly extensions: readonly ExtensionFacts[] | null
  readonly proxies: ProxyFacts
  readonly onTheWay: readonly OnTheWay[]
  readonly losses: number
  readonly images: number
  readonly imagesMissing: number
  readonly requestedUrl: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly processesLeft: number
}): readonly ChecklistLine[] {
  const { machine, browser, conditions, records } = input
  return buildChecklist({
    machine: {
      model: machine.model,
      serial: machine.serial,
      identity: machine.product_uuid ?? machine.machine_id,
      virtualisation: machine.virtualisation,
      container: machine.container,
    },
    os: machine.os,
    kernel: machine.kernel,
    updates: { ...conditions.updates, patched_at: conditions.updates.patched_at ?? machine.patched_at },
    browser: browser.product,
    extensions: input.extensions,
    extensionsOff: browser.flags.includes('--disable-extensions'),
    localAddresses: machine.local_addresses,
    gateway: conditions.gateway,
    publicAddresses: conditions.publicAddresses,
    provider: conditions.provider,
    route: conditions.route,
    dnsServers: machine.dns_servers,
    names: compareNames(conditions, input.dnsAnswers, hostOf(input.arrivedUrl ?? input.requestedUrl)),
    proxies: input.proxies,
    onTheWay: {
      plain: input.onTheWay.filter(({ encrypted }) => !encrypted).length,
      encrypted: input.onTheWay.filter(({ encrypted }) => encrypted).length,
    },
    firewall: conditions.firewall,
    antivirus: conditions.antivirus,
    clock: input.clock,
    profileEntries: browser.profile.entries,
    profileSha256: browser.profile.sha256,
    responses: input.requests.all.filter((request) => request.status !== null).length,
    responsesFromDiskCache: input.requests.all.filter((request) => request.fromDiskCache).length,
    responsesOfUnknownOrigin: countUnknownOrigin(input.requests.all),
    startedAt: input.startedAt,
    finishedAt: input.finishedAt,
    requestedUrl: input.requestedUrl,
    path: input.path,
    pathCut: input.pathCut,
    firstHost: records.find(({ id }) => input.askedBy.get(id) !== 'browser')?.host ?? null,
    askedBy: countAskedBy(records, input.askedBy),
    images: input.images,
    imagesMissing: input.imagesMissing,
    connections: records.filter((record) => record.stream !== null).length,
    exchanges: input.network.counts.exchanges,
    losses: input.losses,
    processesLeft: input.processesLeft,
    connectionsLeft: records.filter((record) => record.state === 'open' || record.state === 'pending').length,
  })
}

/** How many connections are the page's; of the others the places. */
function countAskedBy(records: readonly ConnectionRecord[], askedBy: ReadonlyMap<string, AskedBy>) {
  const placesOf = (wanted: AskedBy) => [
    ...new Set(records.flatMap(({ id, host, port }) => (askedBy.get(id) === wanted ? [`${host}:${String(port)}`] : []))),
  ]
  return {
    page: records.filter(({ id }) => askedBy.get(id) === 'page').length,
    browser: placesOf('browser'),
    unattributed: placesOf('unattributed'),
  }
}

const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : ''

/** What the name servers say of the page's host, beside what the tunnel went by. */
function compareNames(conditions: Conditions, tunnelAnswers: readonly DnsRecord[], host: string) {
  if (canonicalIp(host) !== null) return 'no_name'
  const record = tunnelAnswers.find(({ name }) => name === host)
  if (record === undefined) return null
  const used = record.addresses.map(({ address }) => address)
  return { ...judgeNames(conditions.names, used, (address) => classifyAddress(address).global), host, used }
}

/** Everything that tells whether our clock was right, from what was recorded and what was asked. */
export function gatherClock(input: {
  readonly conditions: Conditions
  readonly requests: readonly ObservedRequest[]
  readonly timestamps: readonly SessionTimestamp[]
  readonly synchronised: boolean | null
}): ClockFacts {
  const { before, after, step } = input.conditions
  return {
    before,
    after,
    origins: originDates(input.requests),
    tokens: tokenOffsets(input.timestamps),
    step,
    synchronised: input.synchronised,
  }
}

/** Origins that are compared; a page may name any number. */
const maxOrigins = 200

/**
 * What is left between our clock and each origin's `Date` field (RFC 9110 §6.6.1) once the field's whole seconds, the time the answer
 * took and its age in caches (RFC 9111 §5.1) are allowed for: 0 when they explain all of it. The middle answer of an origin counts.
 */
export function originDates(
  requests: readonly Pick<
    ObservedRequest,
    'url' | 'headers' | 'startedAt' | 'finishedAt' | 'fromCache' | 'fromServiceWorker' | 'status'
  >[],
): readonly OriginDate[] {
  const offsets = new Map<string, number[]>()
  for (const request of requests) {
    const stated = Date.parse(request.headers['date'] ?? '')
    if (
      Number.isNaN(stated) ||
      request.status === null ||
      request.fromCache ||
      request.fromServiceWorker ||
      !URL.canParse(request.url)
    )
      continue
    const { origin } = new URL(request.url)
    const known = offsets.get(origin) ?? []
    if (known.length === 0 && offsets.size >= maxOrigins) continue
    const age = Number(/^\d{1,9}$/.exec(request.headers['age'] ?? '')?.[0] ?? 0) * 1000
    const [low, high] = [request.startedAt - stated - age - 1000, (request.finishedAt ?? request.startedAt) - stated - age]
    known.push(low > 0 ? low : high < 0 ? high : 0)
    offsets.set(origin, known)
  }
  return [...offsets].map(([origin, values]) => ({
    origin,
    offset: Math.round((values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0) / 100) / 10,
  }))
}

/** How the browser came from the address it was given to the document shown. Nobody else than the page could send it on. */
export function pathOf(documents: readonly ObservedRequest[]): readonly PathStep[] {
  return documents.map(({ url, status }, i) => ({
    url,
    status,
    how: i === 0 ? 'address' : documents[i - 1]?.redirectedTo === url ? 'redirect' : 'page',
  }))
}

/** The same for a visitor: what led to the first page, then every page that was gone to, by which way, when and in which tab. */
export function pathOfVisit(
  documents: readonly ObservedRequest[],
  navigations: InteractiveFacts['navigations'],
): readonly PathStep[] {
  const arrival = pathOf(documents)
  const first = navigations[0]
  const arrived = first !== undefined && comparableUrl(first.url) === comparableUrl(arrival.at(-1)?.url ?? '')
  return [
    ...arrival,
    ...navigations.slice(arrived ? 1 : 0).map(({ url, status, cause, tab, at }, i): PathStep => {
      const how = visitorSteps[cause] ?? 'page'
      return { url, status, how: how === 'typed' && arrival.length + i === 0 ? 'address' : how, tab, at }
    }),
  ]
}

const visitorSteps: Readonly<Record<string, PathStep['how']>> = {
  address: 'typed',
  link: 'link',
  form: 'form',
  back: 'back',
  forward: 'forward',
  reload: 'reload',
  script: 'script',
  opened: 'opened',
}

/**
 * Answers from the browser's cache that nothing on this session's network explains: left by an earlier session, had there been one.
 * A page that shows a picture twice may find it in the cache that its first showing filled; that is no sign of an earlier session.
 */
export function countUnknownOrigin(
  requests: readonly Pick<ObservedRequest, 'url' | 'fromDiskCache' | 'fromCache' | 'status'>[],
): number {
  const received = new Set(requests.filter((request) => !request.fromCache && request.status !== null).map(({ url }) => url))
  return requests.filter((request) => request.fromDiskCache && !received.has(request.url)).length
}
