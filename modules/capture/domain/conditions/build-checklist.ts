import { judgeClock, clockTolerance, type ClockFacts } from './clock-facts.ts'
import {
  findSavedData,
  isOlderThan,
  type AntivirusFacts,
  type ExtensionFacts,
  type FirewallFacts,
  type ProxyFacts,
  type UpdateFacts,
} from './machine-facts.ts'
import { judgeAddresses, type AddressAnswer, type DnsVerdict, type Registration, type Route } from './network-facts.ts'
import type { ChecklistLine } from '../outcome/outcome.ts'

/** One address of the way to the page, and how the browser came to it. */
export type PathStep = {
  readonly url: string
  readonly status: number | null
  /**
   * `address`: given to the browser as typed into its address bar; `redirect`: by the answer before; `page`: by the page itself. Then
   * what a visitor did: `typed` a further address, followed a `link`, sent a `form`, went `back` or `forward`, `reload`ed; `script`: the
   * page's own program; `opened`: a tab that a page opened.
   */
  readonly how: 'address' | 'redirect' | 'page' | 'typed' | 'link' | 'form' | 'back' | 'forward' | 'reload' | 'script' | 'opened'
  /** Of a visitor's step: its tab, from 1, and when. */
  readonly tab?: number
  readonly at?: string
}

/** What was measured of the witness, or null where it was not. */
export type Measurements = {
  readonly machine: {
    readonly model: string | null
    readonly serial: string | null
    /** UUID of the firmware, or the identity of the installed system. */
    readonly identity: string | null
    /** `none` on bare hardware. */
    readonly virtualisation: string | null
    readonly container: string | null
  }
  readonly os: string
  readonly kernel: string
  readonly updates: UpdateFacts
  readonly browser: string
  readonly extensions: readonly ExtensionFacts[] | null
  /** Started with the switch that loads no extension. */
  readonly extensionsOff: boolean
  readonly localAddresses: readonly string[]
  readonly gateway: string | null
  readonly publicAddresses: readonly AddressAnswer[]
  readonly provider: Registration | null
  readonly route: Route | null
  readonly dnsServers: readonly string[]
  /** `no_name`: the page's host is an address. Null: a name was asked for, and what answered was not recorded. */
  readonly names: (DnsVerdict & { readonly host: string; readonly used: readonly string[] }) | 'no_name' | null
  readonly proxies: ProxyFacts
  /** Fields of caches and proxies in answers over plain HTTP and over TLS. */
  readonly onTheWay: { readonly plain: number; readonly encrypted: number }
  readonly firewall: FirewallFacts
  readonly antivirus: AntivirusFacts
  readonly clock: ClockFacts
  readonly profileEntries: readonly string[]
  readonly profileSha256: string
  readonly responses: number
  readonly responsesFromDiskCache: number
  /** Of these, what the session's own network did not bring. */
  readonly responsesOfUnknownOrigin: number
  readonly startedAt: string
  readonly finishedAt: string
  readonly requestedUrl: string
  readonly path: readonly PathStep[]
  /** A visitor went further than is listed. */
  readonly pathCut?: boolean
  /** Host of the first connection that the tunnel was asked for other than by the browser itself. */
  readonly firstHost: string | null
  /** Whose the connections are that were asked for, and the places that the browser itself asked for, or that nobody reported (`host:port`). */
  readonly askedBy: { readonly page: number; readonly browser: readonly string[]; readonly unattributed: readonly string[] }
  readonly images: number
  /** Images that should have been taken and were not. */
  readonly imagesMissing: number
  readonly connections: number
  readonly exchanges: number
  /** What the comparison of wire, browser and archive found missing; null when nothing was compared. */
  readonly losses: number | null
  /** Processes of the browser and connections of the tunnel left when the session had ended. */
  readonly processesLeft: number
  readonly connectionsLeft: number
}

/** Lists of updates, and signatures of an antivirus, tell nothing about today when they are older: milliseconds. */
const listsAge = 14 * 86_400_000
const signaturesAge = 7 * 86_400_000

type Result = ChecklistLine['result']
type Judged = { readonly result: Result; readonly data: ChecklistLine['data'] }

const verdict = (value: boolean | null): Result => (value === null ? 'not_measured' : value ? 'pass' : 'fail')
/** Any sign against fails; a part that was not measured leaves the point open (decision 0346). */
const whole = (...parts: readonly (boolean | null)[]): Result =>
  parts.includes(false) ? 'fail' : parts.includes(null) ? 'not_measured' : 'pass'
const listed = (values: readonly string[]): string | null => (values.length === 0 ? null : values.join(', '))
const text = (values: readonly string[], most = 10): string =>
  values.slice(0, most).join(', ') + (values.length > most ? ', …' : '')

/** The lines of NF Z67-147 as courts cite it (design/capture.md §3). Pure; a line whose measurement is absent says so. */
export function buildChecklist(m: Measurements): readonly ChecklistLine[] {
  const line = (id: string, judged: Judged, evidence: string | null = 'environment/environment.json'): ChecklistLine => ({
    id,
    result: judged.result,
    data: judged.data,
    evidence_path: evidence,
  })
  const clock = judgeClockLine(m)
  return [
    line('machine', judgeMachine(m)),
    line('operating_system', judgeUpdates(m)),
    line('browser', judgeBrowser(m)),
    line('network_provider', judgeProvider(m), 'environment/whois.json'),
    line('addresses', judgePublicAddress(m), 'environment/addresses.json'),
    line('dns', judgeDns(m), 'environment/dns.json'),
    line('proxy', judgeProxy(m)),
    line('firewall', judgeFirewall(m)),
    line('antivirus', judgeAntivirus(m)),
    line('clock', clock, 'environment/clock.json'),
    line('empty_profile', {
      result: verdict(m.profileEntries.length === 0 && m.responsesOfUnknownOrigin === 0),
      data: {
        entries: m.profileEntries.length,
        sha256: m.profileSha256,
        responses: m.responses,
        from_cache: m.responsesFromDiskCache,
        unexplained: m.responsesOfUnknownOrigin,
      },
    }),
    line('no_saved_data', judgeSavedData(m)),
    // A time read from a clock that was shown wrong is not the time.
    line('start_time', { result: clock.result === 'fail' ? 'fail' : 'pass', data: { at: m.startedAt } }, 'capture/actions.jsonl'),
    line('visited_first', judgeFirst(m), 'capture/actions.jsonl'),
    line('path', judgePath(m), 'environment/environment.json'),
    line(
      'screenshots',
      { result: verdict(m.images > 0 && m.imagesMissing === 0), data: { count: m.images, missing: m.imagesMissing } },
      'capture/actions.jsonl',
    ),
    line(
      'network_record',
      {
        result: verdict(m.losses === null ? null : m.losses === 0),
        data: {
          connections: m.connections,
          exchanges: m.exchanges,
          losses: m.losses,
          unattributed: m.askedBy.unattributed.length,
          unattributed_names: text(m.askedBy.unattributed),
        },
      },
      'capture/network.pcap',
    ),
    line(
      'end_of_session',
      {
        result: verdict(m.processesLeft === 0 && m.connectionsLeft === 0),
        data: { at: m.finishedAt, processes: m.processesLeft, connections: m.connectionsLeft },
      },
      'capture/actions.jsonl',
    ),
  ]
}

/** What identifies hardware is its model and serial number; a virtual machine or a container, its kind and its own identity. */
function judgeMachine({ machine }: Measurements): Judged {
  const { model, serial, identity, virtualisation, container } = machine
  const bare = virtualisation === 'none' && container === null
  const known = bare ? model !== null && serial !== null : (virtualisation !== null || container !== null) && identity !== null
  return {
    result: known ? 'pass' : 'not_measured',
    data: { model, serial, identity, virtualisation: container ?? virtualisation },
  }
}

const isFresh = (listsAt: string | null, startedAt: string): boolean =>
  listsAt !== null && Math.abs(Date.parse(startedAt) - Date.parse(listsAt)) <= listsAge

function judgeUpdates({ os, kernel, updates, startedAt }: Measurements): Judged {
  const { patched_at, lists_at, pending_security: pending } = updates
  const fresh = isFresh(lists_at, startedAt)
  // An update that waits is a sign against, however old the list that names it; that none waits holds only for a fresh list.
  const current = pending === null ? null : pending.length > 0 ? false : fresh ? true : null
  return {
    result: whole(os === '' ? null : true, patched_at === null ? null : true, current),
    data: {
      os,
      kernel,
      patched_at: updates.upgraded_at ?? patched_at,
      lists_at,
      pending_state: pending === null ? 'unknown' : pending.length === 0 ? 'none' : 'some',
      pending: pending?.length ?? 0,
      names: text(pending ?? []),
      asked_at: updates.asked_at,
    },
  }
}

/** Its age is no verdict of this point: an update that waits is one of the system's (`operating_system`). */
function judgeBrowser({ browser, extensions, extensionsOff, updates, startedAt }: Measurements): Judged {
  const { lists_at, browser_offered: offered } = updates
  const older = offered === null ? null : isOlderThan(browser, offered)
  const foreign = extensions?.filter(({ location }) => location !== 'COMPONENT') ?? null
  return {
    result: verdict(foreign === null ? null : foreign.length === 0),
    data: {
      browser,
      extensions_off: extensionsOff,
      measured: foreign === null ? 'no' : 'yes',
      extensions: foreign?.length ?? 0,
      names: text(foreign?.map(({ name }) => name) ?? []),
      built_in: (extensions?.length ?? 0) - (foreign?.length ?? 0),
      // That none is newer holds only for a fresh list.
      age: older === true ? 'older' : older === false && isFresh(lists_at, startedAt) ? 'newest' : 'not_measured',
      offered,
      lists_at,
    },
  }
}

function judgeProvider({ provider, gateway, localAddresses, route }: Measurements): Judged {
  const name = provider?.name ?? null
  const hops = route === null || route.hops.length === 0 ? null : route.hops.length
  return {
    result: whole(name === null ? null : true, gateway === null && localAddresses.length === 0 ? null : true),
    data: {
      provider: name,
      network: provider?.range?.join(' – ') ?? null,
      country: provider?.country ?? null,
      gateway,
      hops,
      reached: route === null || hops === null ? null : route.reached,
    },
  }
}

function judgePublicAddress({ localAddresses, publicAddresses }: Measurements): Judged {
  const { seen, contradict } = judgeAddresses(publicAddresses)
  return {
    result: contradict ? 'fail' : whole(localAddresses.length === 0 ? null : true, seen.length === 0 ? null : true),
    data: {
      local: listed(localAddresses),
      public: listed(seen),
      answered: publicAddresses.filter(({ address }) => address !== null).length,
      asked: publicAddresses.length,
    },
  }
}

function judgeDns({ dnsServers, names: measured }: Measurements): Judged {
  const names = measured === 'no_name' ? null : measured
  const data = {
    servers: listed(dnsServers),
    host: names?.host ?? null,
    used: names === null ? null : listed(names.used),
    asked_name: measured === 'no_name' ? 'no_name' : measured === null ? 'unrecorded' : 'yes',
    answered: names?.answered ?? 0,
    agreeing: names?.agreeing ?? 0,
    different: names?.different ?? 0,
    contradicting: names?.contradicting ?? 0,
    authenticated: names?.authenticated ?? 0,
  }
  if (names?.result === 'fail') return { result: 'fail', data }
  if (dnsServers.length === 0 || measured === null) return { result: 'not_measured', data }
  return { result: names?.result ?? 'pass', data }
}

/** Set proxies are a sign against; that there is no other way out than the tunnel is measured on the browser's own network. */
function judgeProxy({ proxies, onTheWay }: Measurements): Judged {
  const { foreign, interfaces } = proxies
  const closed = interfaces === null ? null : interfaces.every((name) => name === 'lo')
  return {
    // Other interfaces are no proxy: whether the tunnel was the only way out is then open.
    result: whole(foreign.length === 0, closed === true ? true : null),
    data: {
      count: foreign.length,
      system: text(foreign),
      interfaces: interfaces === null ? null : listed(interfaces),
      plain: onTheWay.plain,
      encrypted: onTheWay.encrypted,
    },
  }
}

/** A rule in force, or an input that drops by default. */
function judgeFirewall({ firewall: { tool, rules, drops_by_default } }: Measurements): Judged {
  return {
    result: verdict(rules === null ? null : rules > 0 || drops_by_default === true),
    data: {
      state: rules !== null ? 'read' : tool === null ? 'no_tool' : 'not_readable',
      tool,
      rules: rules ?? 0,
      drops_by_default,
    },
  }
}

/** Signatures of this week, and no finding. */
function judgeAntivirus({ antivirus, startedAt }: Measurements): Judged {
  const { installed, engine, signatures_at, scan } = antivirus
  const found = scan?.files.filter(({ result }) => result === 'found') ?? []
  const age = signatures_at === null ? null : Date.parse(startedAt) - Date.parse(signatures_at)
  return {
    result: verdict(!installed || found.length > 0 ? false : age === null ? null : age <= signaturesAge),
    data: {
      state: installed ? 'installed' : 'none',
      engine,
      signatures_at,
      scan: scan === null ? 'no' : 'yes',
      clean: scan?.files.filter(({ result }) => result === 'clean').length ?? 0,
      found: found.length,
      findings: text(found.map(({ path, detail }) => `${path}: ${detail ?? ''}`)),
    },
  }
}

function judgeClockLine({ clock }: Measurements): Judged {
  const judged = judgeClock(clock)
  return {
    result: judged.result,
    data: {
      sources: judged.sources,
      asked: judged.asked,
      offset: judged.ntp === null ? null : Math.round(judged.ntp * 1000) / 1000,
      tolerance: clockTolerance.ntp,
      disagree: judged.disagreeing.length,
      disagreeing: text(judged.disagreeing),
      origins: clock.origins.length,
      origin: judged.worstOrigin?.origin ?? null,
      origin_offset: judged.worstOrigin?.offset ?? null,
      origin_tolerance: clockTolerance.coarse,
      tokens: judged.outsideTokens,
      token_offset: judged.tokenOffset === null ? null : Math.round(judged.tokenOffset * 10) / 10,
      step: Math.round(clock.step * 1000) / 1000,
      synchronised: clock.synchronised,
    },
  }
}

function judgeSavedData({ profileEntries }: Measurements): Judged {
  const { passwords, forms, addOns } = findSavedData(profileEntries)
  const found = [...passwords, ...forms, ...addOns]
  return {
    result: verdict(found.length === 0),
    data: { entries: profileEntries.length, found: found.length, files: text(found) },
  }
}

/** Both what the browser was sent to and what the tunnel was first asked for, but by the browser itself: that is said, and is no page. */
function judgeFirst({ path, requestedUrl, firstHost, askedBy }: Measurements): Judged {
  const first = path[0]?.url ?? null
  const host = URL.canParse(requestedUrl) ? new URL(requestedUrl).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null
  return {
    result: whole(first === null ? null : first === requestedUrl, firstHost === null ? null : firstHost === host),
    data: { url: first, host: firstHost, browser: askedBy.browser.length, browser_names: text(askedBy.browser) },
  }
}

/** Most steps that the line shows; all of them are in environment.json. */
const shownSteps = 40
const arrows: Readonly<Record<PathStep['how'], string>> = {
  address: '',
  redirect: ' → ',
  page: ' ⇒ ',
  link: ' ⇒ ',
  form: ' ⇒ ',
  script: ' ⇒ ',
  opened: ' ⇒ ',
  typed: ' · ',
  back: ' ↔ ',
  forward: ' ↔ ',
  reload: ' ↔ ',
}

function judgePath({ path, pathCut }: Measurements): Judged {
  const shown = path
    .slice(0, shownSteps)
    .map(
      ({ url, how, status }, i) =>
        `${i === 0 ? '' : arrows[how] || ' · '}${url.slice(0, 300)}${status === null ? '' : ` (${String(status)})`}`,
    )
    .join('')
  return {
    // Each address after the first was reached from the one before; the first only by being typed.
    result: whole(
      path.length === 0 ? null : path.every(({ how }, i) => (how === 'address') === (i === 0)),
      pathCut === true ? null : true,
    ),
    data: {
      path: shown === '' ? null : path.length > shownSteps ? `${shown} …` : shown,
      steps: path.length,
      redirects: path.filter(({ how }) => how === 'redirect').length,
      by_page: path.filter(({ how }) => arrows[how] === arrows.page).length,
      typed: path.filter(({ how }) => how === 'typed').length,
      history: path.filter(({ how }) => arrows[how] === arrows.back).length,
    },
  }
}
