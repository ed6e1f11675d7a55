import { setMaxListeners } from 'node:events'
import { networkInterfaces } from 'node:os'
import { getServers } from 'node:dns'
import { readFile } from 'node:fs/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import { canonicalIp, classifyAddress } from '../../../../kernel/ip-address.ts'
import type { TimeSample } from '../../domain/conditions/clock-facts.ts'
import type { AntivirusFacts, FirewallFacts, UpdateFacts } from '../../domain/conditions/machine-facts.ts'
import type { AddressAnswer, NameAnswer, Registration, Route } from '../../domain/conditions/network-facts.ts'
import { createRegistry } from './ask/ask-registry.ts'
import { askNameServer } from './ask/ask-name-server.ts'
import { askStunServer } from './ask/ask-stun-server.ts'
import { askTimeServer } from './ask/ask-time-server.ts'
import { fetchBounded } from './ask/fetch-bounded.ts'
import { parseHostPort } from '../../../../kernel/host-port.ts'
import { measureAntivirus } from './machine/measure-antivirus.ts'
import { measureFirewall } from './machine/measure-firewall.ts'
import { createUpdateMemory, type KeptAnswer } from './machine/measure-updates.ts'
import { ProbeError, reasonOf } from './ask/probe-error.ts'
import type { OutsideSources } from './sources.ts'
import { traceRoute } from './ask/trace-route.ts'
import type { Vetting } from './ask/vet-server.ts'

/** What was measured beside a session, outside the browser's jail. */
export type Conditions = {
  readonly before: readonly TimeSample[]
  readonly after: readonly TimeSample[]
  /** Wall clock minus monotonic clock over the session, in seconds. */
  readonly step: number
  readonly nameServers: readonly string[]
  readonly names: readonly NameAnswer[]
  readonly gateway: string | null
  readonly publicAddresses: readonly AddressAnswer[]
  /** Holders of our public address, of the site's address, of the site's name; as far as they were asked. */
  readonly provider: Registration | null
  readonly siteNetwork: Registration | null
  readonly siteDomain: Registration | null
  readonly route: Route | null
  readonly updates: UpdateFacts
  readonly firewall: FirewallFacts
  readonly antivirus: AntivirusFacts
}

export type SessionConditions = {
  /** The page's own server is known: what is asked about it starts now, beside the capture. Later calls do nothing. */
  siteSeen(site: { readonly host: string; readonly address: string | null }): void
  /** The session has ended: the clock is compared again. */
  ended(): void
  /** Waits for the answers still out, no longer than `graceMs`; what has not come counts as not measured. Never throws. */
  collect(scan: readonly { readonly path: string; readonly file: string }[]): Promise<Conditions>
  /** Ends what is still being asked. Idempotent. */
  stop(): void
}

export type ConditionProbes = {
  /** Starts measuring; nothing of it delays the session or fails it. Ends with the signal. */
  begin(session: {
    readonly clock: Clock
    readonly signal: AbortSignal
    readonly allowAddresses: readonly string[]
    readonly ownAddresses: readonly string[]
  }): SessionConditions
}

/** Milliseconds. */
export type ProbeTiming = {
  /** One question to a time or STUN server, to a name server; the whole route. */
  readonly askMs: number
  readonly nameMs: number
  readonly routeMs: number
  /** How long a finished capture waits for its probes; where nobody outside answered at all, only the shorter. */
  readonly graceMs: number
  readonly graceOfflineMs: number
}
export const defaultTiming: ProbeTiming = { askMs: 1_500, nameMs: 2_000, routeMs: 5_000, graceMs: 5_000, graceOfflineMs: 800 }

/** One per process: what changes rarely is measured once and again when it changed. */
export function createConditionProbes(
  sources: OutsideSources,
  { timing = defaultTiming, kept = null }: { readonly timing?: ProbeTiming; readonly kept?: KeptAnswer | null } = {},
): ConditionProbes {
  const updates = createUpdateMemory(kept)
  const registry = createRegistry(sources)
  // It takes a second or two: begun before the first capture asks.
  if (sources.updates) void updates(AbortSignal.timeout(1)).catch(() => null)
  return {
    begin: ({ clock, signal: sessionSignal, allowAddresses, ownAddresses }) => {
      const late = new AbortController()
      const signal = AbortSignal.any([sessionSignal, late.signal])
      // What asks only this machine is not hurried when the network is silent.
      const lateMachine = new AbortController()
      const machineSignal = AbortSignal.any([sessionSignal, lateMachine.signal])
      // Every probe listens to them.
      setMaxListeners(0, signal, machineSignal)
      const stop = (why: string): void => {
        late.abort(new ProbeError(why))
        lateMachine.abort(new ProbeError(why))
      }
      const began = { wall: clock.now().getTime(), monotonic: performance.now() }
      const own = [
        ...ownAddresses,
        ...Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
      ]
        .map(canonicalIp)
        .filter((address) => address !== null)
      const vetting: Vetting = { allowAddresses, ownAddresses: own }
      const asking = { clock, signal, timeoutMs: timing.askMs }
      const before = Promise.all(sources.timeServers.map((server) => askTimeServer(asking, server)))
      const publicAddresses = askPublicAddress(sources, { vetting, signal, askMs: timing.askMs })
      const provider = publicAddresses.then((answers) => {
        const address = answers.find((answer) => answer.address !== null)?.address
        return address == null || !classifyAddress(address).global
          ? null
          : registry.ask({ clock, vetting, signal }, { kind: 'address', value: address })
      })
      const machine = Promise.all([
        sources.updates ? updates(machineSignal) : Promise.resolve(unknownUpdates),
        measureFirewall(machineSignal),
        readGateway(),
      ])
      let after: Promise<readonly TimeSample[]> = Promise.resolve([])
      let step = 0
      let site: ReturnType<typeof askAboutSite> | null = null

      const askAboutSite = (host: string, address: string | null) => {
        const registrable = host.includes('.') && canonicalIp(host) === null
        const publicAddress = address !== null && classifyAddress(address).global ? address : null
        const deps = { clock, vetting, signal }
        return Promise.all([
          registrable ? askNames(sources, host, { signal, timeoutMs: timing.nameMs }) : Promise.resolve([]),
          address === null || !sources.route
            ? Promise.resolve(null)
            : traceRoute({ clock, signal, timeoutMs: timing.routeMs }, address),
          publicAddress === null ? Promise.resolve(null) : registry.ask(deps, { kind: 'address', value: publicAddress }),
          // A name that led to no public address is nobody's registered name.
          registrable && publicAddress !== null ? registry.ask(deps, { kind: 'domain', value: host }) : Promise.resolve(null),
        ])
      }

      return {
        siteSeen: ({ host, address }) => {
          site ??= askAboutSite(host, address)
        },
        ended: () => {
          step = (clock.now().getTime() - began.wall - (performance.now() - began.monotonic)) / 1000
          after = before.then((samples) =>
            Promise.all(
              sources.timeServers.map(async (server, i) =>
                // Who was silent before is not waited for again.
                samples[i]?.error === null
                  ? askTimeServer(asking, server)
                  : { ...(samples[i] as TimeSample), asked_at: clock.now().toISOString(), error: 'not_asked_again' },
              ),
            ),
          )
        },
        collect: async (scan) => {
          const answers = Promise.all([before, after, publicAddresses, provider, site ?? noSite, machine])
          const scanning = measureAntivirus({ clock, signal: machineSignal }, scan)
          const heard = Promise.all([before, publicAddresses]).then(([times, addresses]) =>
            [...times, ...addresses].some(({ error }) => error === null),
          )
          const last = setTimeout(() => stop('timeout'), timing.graceMs)
          let offline: NodeJS.Timeout | undefined
          void heard.then((anyone) => {
            if (!anyone) offline = setTimeout(() => late.abort(new ProbeError('timeout')), timing.graceOfflineMs)
          })
          try {
            const [
              [times, again, addresses, holder, [names, route, siteNetwork, siteDomain], [known, firewall, gateway]],
              antivirus,
            ] = await Promise.all([answers, scanning])
            return {
              before: times,
              after: again,
              step,
              nameServers: getServers(),
              names,
              gateway,
              publicAddresses: addresses,
              provider: holder,
              siteNetwork,
              siteDomain,
              route,
              updates: known,
              firewall,
              antivirus,
            }
          } finally {
            clearTimeout(last)
            clearTimeout(offline)
          }
        },
        stop: () => stop('cancelled'),
      }
    },
  }
}

const unknownUpdates: UpdateFacts = {
  patched_at: null,
  upgraded_at: null,
  lists_at: null,
  pending_security: null,
  pending_other: null,
  asked_at: null,
  browser_offered: null,
}
const noSite: readonly [readonly NameAnswer[], null, null, null] = [[], null, null, null]

/** Every name server of the machine, and those that the operator adds, for both families. */
async function askNames(
  sources: OutsideSources,
  host: string,
  asking: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<readonly NameAnswer[]> {
  const machine = getServers().flatMap((server) => parseHostPort(server, 53) ?? [])
  return Promise.all(
    [...machine, ...sources.nameServers].flatMap((server) =>
      (['A', 'AAAA'] as const).map((type) => askNameServer(asking, server, { name: host, type })),
    ),
  )
}

/** How we are seen from outside: by STUN, and by pages that echo the address. */
async function askPublicAddress(
  sources: OutsideSources,
  deps: { readonly vetting: Vetting; readonly signal: AbortSignal; readonly askMs: number },
): Promise<readonly AddressAnswer[]> {
  return Promise.all([
    ...sources.stunServers.map((server) => askStunServer({ signal: deps.signal, timeoutMs: deps.askMs }, server)),
    ...sources.addressEchoes.map(async (url): Promise<AddressAnswer> => {
      const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(2 * deps.askMs)])
      try {
        const { status, text } = await fetchBounded({ ...deps, signal }, { url, accept: 'text/plain', maxBytes: 4096 })
        const address = status === 200 ? canonicalIp(text.trim()) : null
        return { source: url, asked: url, address, error: address === null ? 'no_address' : null }
      } catch (error) {
        return { source: url, asked: url, address: null, error: signal.aborted ? 'timeout' : reasonOf(error) }
      }
    }),
  ])
}

/** Default gateway of IPv4, as the kernel routes now: /proc/net/route, addresses in the machine's own byte order. */
export async function readGateway(file = '/proc/net/route'): Promise<string | null> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(1)
  for (const line of lines) {
    const [, destination, gateway] = line.split('\t')
    if (destination === '00000000' && gateway !== undefined && /^[0-9A-F]{8}$/.test(gateway) && gateway !== '00000000')
      return (gateway.match(/../g) ?? [])
        .toReversed()
        .map((hex) => Number.parseInt(hex, 16))
        .join('.')
  }
  return null
}
