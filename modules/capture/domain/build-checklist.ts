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
  /** Started with the switch that loads no extension. */
  readonly extensionsOff: boolean
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
  readonly responsesFromDiskCache: number
  /** Of these, what the session's own network did not bring. */
  readonly responsesOfUnknownOrigin: number
  readonly startedAt: string
  readonly finishedAt: string
  readonly firstUrlVisited: string
  readonly requestedUrl: string
  readonly path: readonly string[]
  readonly images: number
  readonly connections: number
  readonly exchanges: number
  /** What the comparison of wire, browser and archive found missing; null when nothing was compared. */
  readonly losses: number | null
  /** Processes of the browser left when the session had ended. */
  readonly processesLeft: number
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
  const unmeasured = (id: string) => line(id, 'not_measured', {}, null)
  const verdict = (value: boolean | null): ChecklistLine['result'] => (value === null ? 'not_measured' : value ? 'pass' : 'fail')
  /** A point is met only when each of its parts was measured; the parts that were are stated all the same. */
  const whole = (...parts: readonly unknown[]): ChecklistLine['result'] =>
    parts.some((part) => part === null || part === '') ? 'not_measured' : 'pass'
  const listed = (values: readonly string[]) => (values.length === 0 ? null : values.join(', '))
  return [
    line('standard', 'pass', { standard: 'NF Z67-147' }, null),
    line('machine', whole(m.machineModel, m.machineSerial ?? m.virtualisation), {
      model: m.machineModel,
      serial: m.machineSerial,
      virtualisation: m.virtualisation,
    }),
    line('operating_system', whole(m.os, m.patchedAt), { os: m.os, kernel: m.kernel, patched_at: m.patchedAt }),
    line('browser', verdict(m.extensionsOff && m.profileEntries === 0), {
      browser: m.browser,
      extensions_off: m.extensionsOff,
      entries: m.profileEntries,
    }),
    unmeasured('network_provider'),
    // The address that sites see is not measured: nobody outside is asked.
    line('addresses', whole(listed(m.localAddresses), null), { local: listed(m.localAddresses), public: null }),
    line('dns', whole(listed(m.dnsServers)), { servers: listed(m.dnsServers) }, 'capture/dns.json'),
    line('proxy', verdict(m.systemProxies.length === 0), {
      count: m.systemProxies.length,
      system: m.systemProxies.join(', '),
    }),
    unmeasured('protection'),
    line('clock', clockResult(m), {
      synchronised: m.clockSynchronised,
      origin_offset: m.originClockOffset,
      tolerance: clockTolerance,
    }),
    line('empty_profile', verdict(m.profileEntries === 0 && m.responsesOfUnknownOrigin === 0), {
      entries: m.profileEntries,
      sha256: m.profileSha256,
      responses: m.responses,
      from_cache: m.responsesFromDiskCache,
      unexplained: m.responsesOfUnknownOrigin,
    }),
    line('no_saved_data', verdict(m.profileEntries === 0), { entries: m.profileEntries }),
    line('start_time', 'pass', { at: m.startedAt }, 'capture/actions.jsonl'),
    line('visited_first', verdict(m.firstUrlVisited === m.requestedUrl), { url: m.firstUrlVisited }, 'capture/actions.jsonl'),
    line('path', 'pass', { path: m.path.join(' → '), steps: m.path.length }, 'capture/actions.jsonl'),
    line('screenshots', verdict(m.images > 0), { count: m.images }, 'capture/actions.jsonl'),
    line(
      'network_record',
      verdict(m.losses === null ? null : m.losses === 0),
      { connections: m.connections, exchanges: m.exchanges, losses: m.losses },
      'capture/network.pcap',
    ),
    line(
      'end_of_session',
      verdict(m.processesLeft === 0),
      { at: m.finishedAt, processes: m.processesLeft },
      'capture/actions.jsonl',
    ),
  ]
}

/** Any sign against the clock fails it; without a comparison the operating system's word alone does not pass it. */
function clockResult({ originClockOffset, clockSynchronised }: Measurements): ChecklistLine['result'] {
  if (clockSynchronised === false) return 'fail'
  if (originClockOffset === null) return 'not_measured'
  return Math.abs(originClockOffset) <= clockTolerance ? 'pass' : 'fail'
}
