import type { LaunchedBrowser } from '../../../platform/browser/launch-browser.ts'
import { buildChecklist } from '../domain/build-checklist.ts'
import type { CaptureLimits } from '../domain/limits.ts'
import type { ChecklistLine } from '../domain/outcome.ts'
import type { AssessedRequests } from './assess-requests.ts'
import type { MachineFacts } from './measure-machine.ts'
import type { ConnectionRecord, Tunnel } from './network/index.ts'
import type { ObservedRequest } from './observe-browser.ts'
import { timeZone, type CaptureSession } from './open-session.ts'
import { viewport } from './open-page.ts'
import type { NetworkRecord } from './read-network-record.ts'

/** The raw evidence of the conditions: what `environment/environment.json` holds. */
export function describeEnvironment(input: {
  readonly machine: MachineFacts
  readonly browser: LaunchedBrowser
  readonly tunnel: Tunnel
  readonly language: string
  readonly session: CaptureSession['origin']
  readonly limits: CaptureLimits
  readonly allowAddresses: readonly string[]
  readonly allowedAddressesUsed: readonly string[]
  readonly counts: NetworkRecord['counts']
}): Readonly<Record<string, unknown>> {
  const { browser, tunnel } = input
  return {
    machine: input.machine,
    session: input.session,
    browser: {
      product: browser.product,
      user_agent: browser.userAgent,
      flags: browser.flags,
      policies: browser.policies,
      profile_before_start: browser.profile,
      language: input.language,
      time_zone: timeZone,
      viewport,
      peak_memory_bytes: browser.peakBytes(),
    },
    isolation: browser.isolation,
    reconciliation: input.counts,
    tunnel: {
      alters: false,
      caches: false,
      decrypts: false,
      limits: input.limits,
      allowed_addresses: input.allowAddresses,
      allowed_addresses_used: input.allowedAddressesUsed,
      totals: tunnel.totals(),
      rolling_hash: tunnel.checkpoint(),
    },
  }
}

/** The checklist from the measurements of this session. */
export function fillChecklist(input: {
  readonly machine: MachineFacts
  readonly browser: LaunchedBrowser
  readonly requests: AssessedRequests
  readonly documents: readonly ObservedRequest[]
  readonly records: readonly ConnectionRecord[]
  readonly network: Pick<NetworkRecord, 'counts'>
  readonly losses: number
  readonly images: number
  readonly requestedUrl: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly processesLeft: number
}): readonly ChecklistLine[] {
  const { machine, browser, documents } = input
  return buildChecklist({
    machineModel: machine.model,
    machineSerial: machine.serial,
    virtualisation: machine.virtualisation,
    os: machine.os,
    kernel: machine.kernel,
    patchedAt: machine.patched_at,
    browser: browser.product,
    extensionsOff: browser.flags.includes('--disable-extensions'),
    localAddresses: machine.local_addresses,
    dnsServers: machine.dns_servers,
    systemProxies: machine.proxy_variables,
    clockSynchronised: machine.clock_synchronised,
    originClockOffset: clockOffset(documents.at(-1)),
    profileEntries: browser.profile.entries.length,
    profileSha256: browser.profile.sha256,
    responses: input.requests.all.filter((request) => request.status !== null).length,
    responsesFromDiskCache: input.requests.all.filter((request) => request.fromDiskCache).length,
    responsesOfUnknownOrigin: countUnknownOrigin(input.requests.all),
    startedAt: input.startedAt,
    finishedAt: input.finishedAt,
    firstUrlVisited: documents[0]?.url ?? '',
    requestedUrl: input.requestedUrl,
    path: documents.map((one) => one.url.slice(0, 300)),
    images: input.images,
    connections: input.records.filter((record) => record.stream !== null).length,
    exchanges: input.network.counts.exchanges,
    losses: input.losses,
    processesLeft: input.processesLeft,
  })
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

/** Our clock minus the document's `Date` field (RFC 9110 §6.6.1), in whole seconds; null when it sent none. */
function clockOffset(document: ObservedRequest | undefined): number | null {
  const origin = Date.parse(document?.headers['date'] ?? '')
  return document === undefined || Number.isNaN(origin) ? null : Math.round((document.startedAt - origin) / 1000)
}
