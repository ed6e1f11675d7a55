import type { ChecklistLine } from './outcome.ts'

/** What was measured of the witness, or null where it was not. */
export type Measurements = {
  readonly machineModel: string | null
  readonly machineSerial: string | null
  readonly virtualisation: string | null
  readonly os: string
  readonly kernel: string
  /** Date of the package manager's last change, ISO 8601. */
  readonly patchedAt: string | null
  readonly browser: string
  readonly extensions: number | null
  readonly localAddresses: readonly string[]
  readonly dnsServers: readonly string[]
  /** Proxy variables set in our own environment. */
  readonly systemProxies: readonly string[]
  readonly clockSynchronised: boolean | null
  /** Our clock minus the origin's `Date` field, in seconds; the field counts whole seconds. */
  readonly originClockOffset: number | null
  readonly profileEntries: number
  readonly profileSha256: string
  readonly responses: number
  readonly responsesFromCache: number
  readonly startedAt: string
  readonly finishedAt: string
  readonly firstUrlVisited: string
  readonly requestedUrl: string
  readonly path: readonly string[]
  readonly images: number
  readonly connections: number
  readonly exchanges: number | null
  readonly complete: boolean | null
  /** Processes of the browser left when the session had ended. */
  readonly processesLeft: number | null
}

/** The origin's clock may be off by itself, and its field is a whole second old; more than this is worth a "fail". */
const clockTolerance = 5

/** The lines of NF Z67-147 as courts cite it (design/capture.md §3). Pure; a line whose measurement is absent says so. */
export function buildChecklist(m: Measurements): readonly ChecklistLine[] {
  const line = (
    id: string,
    result: ChecklistLine['result'],
    data: ChecklistLine['data'],
    evidence: string | null = 'environment/environment.json',
  ): ChecklistLine => ({
    id,
    result,
    data,
    evidence_path: evidence,
  })
  const known = (value: unknown): ChecklistLine['result'] => (value === null ? 'not_measured' : 'pass')
  const unmeasured = (id: string) => line(id, 'not_measured', {}, null)
  const verdict = (value: boolean | null): ChecklistLine['result'] => (value === null ? 'not_measured' : value ? 'pass' : 'fail')
  return [
    line('standard', 'pass', { standard: 'NF Z67-147' }, null),
    line('machine', m.machineModel === null && m.virtualisation === null ? 'not_measured' : 'pass', {
      model: m.machineModel,
      serial: m.machineSerial,
      virtualisation: m.virtualisation,
    }),
    line('operating_system', 'pass', { os: m.os, kernel: m.kernel, patched_at: m.patchedAt }),
    line('browser', m.extensions === null ? 'not_measured' : verdict(m.extensions === 0), {
      browser: m.browser,
      extensions: m.extensions,
    }),
    unmeasured('network_provider'),
    line('addresses', m.localAddresses.length === 0 ? 'not_measured' : 'pass', {
      local: m.localAddresses.join(', '),
      public: null,
    }),
    line('dns', m.dnsServers.length === 0 ? 'not_measured' : 'pass', { servers: m.dnsServers.join(', ') }, 'capture/dns.json'),
    line('proxy', verdict(m.systemProxies.length === 0), {
      system: m.systemProxies.length === 0 ? '–' : m.systemProxies.join(', '),
    }),
    unmeasured('protection'),
    line(
      'clock',
      m.originClockOffset === null ? known(m.clockSynchronised) : verdict(Math.abs(m.originClockOffset) <= clockTolerance),
      {
        synchronised: m.clockSynchronised,
        origin_offset: m.originClockOffset,
      },
    ),
    line('empty_profile', verdict(m.profileEntries === 0 && m.responsesFromCache === 0), {
      entries: m.profileEntries,
      sha256: m.profileSha256,
      responses: m.responses,
      from_cache: m.responsesFromCache,
    }),
    line('no_saved_data', verdict(m.profileEntries === 0), { entries: m.profileEntries }),
    line('start_time', 'pass', { at: m.startedAt }, 'capture/actions.jsonl'),
    line('visited_first', verdict(m.firstUrlVisited === m.requestedUrl), { url: m.firstUrlVisited }, 'capture/actions.jsonl'),
    line('path', 'pass', { path: m.path.join(' → '), steps: m.path.length }, 'capture/actions.jsonl'),
    line('screenshots', verdict(m.images > 0), { count: m.images }, 'capture/actions.jsonl'),
    line('network_record', verdict(m.complete), { connections: m.connections, exchanges: m.exchanges }, 'capture/network.pcap'),
    line(
      'end_of_session',
      verdict(m.processesLeft === null ? null : m.processesLeft === 0),
      { at: m.finishedAt, processes: m.processesLeft },
      'capture/actions.jsonl',
    ),
  ]
}
