import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { HostPort } from '../../../kernel/host-port.ts'
import type { Values } from '../settings/values.ts'

export type CaptureLimits = {
  readonly timeoutSeconds: number
  readonly bodyBytes: number
  readonly totalBytes: number
  readonly heightPixels: number
  readonly resources: number
}

export type CaptureServerConfig = {
  /** `undefined`: made once and kept in the data folder. */
  readonly id: string | undefined
  /** PKCS #8; `undefined`: made once and kept in the data folder. */
  readonly key: Buffer | undefined
  readonly name: string | undefined
  readonly country: string | undefined
  readonly city: string | undefined
  readonly kind: 'public' | 'dedicated'
  /** Of the image, in the operator's word. */
  readonly imageDigest: string | null
  readonly pin: 'at-start' | 'by-command'
  readonly waitSeconds: number
}

/** Whom the probes of a capture's conditions ask outside this machine. All of it is the operator's choice; nothing here is known to a page. */
export type ConditionSources = {
  readonly timeServers: readonly HostPort[]
  /** Besides the machine's own name servers. */
  readonly nameServers: readonly HostPort[]
  readonly stunServers: readonly HostPort[]
  /** Pages that answer with the caller's address as text. */
  readonly addressEchoes: readonly string[]
  /** Folder of IANA's lists (RFC 9224); null: no registry is asked. */
  readonly rdapBootstrap: string | null
  readonly whoisServer: HostPort | null
  readonly route: boolean
  /** What the package manager knows: a second of processor time whenever it changed. */
  readonly updates: boolean
}

/** What captures and live sessions may take, how many at a time, from which server. */
export type CapturesConfig = {
  /** `ip:port` in canonical spelling; always empty in production. */
  readonly allowAddresses: readonly string[]
  readonly captureConcurrency: number
  /** Captures of one host, over all servers; 0: any number. */
  readonly perTarget: { readonly atOnce: number; readonly perMinute: number }
  readonly captureLeaseSeconds: number
  /** Who may ask for how many captures; 0 drafts or reports: any number. */
  readonly quotas: {
    readonly freePreviews: number
    readonly mostPreviews: number
    readonly draftsPerAccount: number
    readonly reportsPerMonth: number
    readonly queueLength: number
  }
  readonly interactive: {
    /** Live sessions at a time of each capture process; 0: none. */
    readonly sessions: number
    readonly maxLoadPerCore: number
    /** Browsers on a display kept ready by each capture process. */
    readonly warm: number
    /** 0: any number. */
    readonly perAddress: number
    /** 0: any number. */
    readonly perAccount: number
    readonly seconds: number
    readonly graceSeconds: number
    readonly listen: HostPort
    /** Port 0: the one that is listened on. */
    readonly address: HostPort | undefined
  }
  readonly server: CaptureServerConfig
  /** Of the two captures of an evidence with a second server, for each other. */
  readonly secondServerWaitSeconds: number
  /** Browsers kept ready by each capture process. */
  readonly warmBrowsers: number
  readonly unjailedBrowser: boolean
  readonly captureLimits: CaptureLimits
  readonly conditions: ConditionSources
  /** Folder of the operator's own scenarios, absolute. */
  readonly scenariosFolder: string | undefined
}

export function capturesOf(values: Values, faults: string[]): CapturesConfig {
  if (values.environment === 'production') {
    if (values.allowAddresses.length > 0) faults.push('PROBANT_ALLOW_ADDRESSES is for development and refused in production')
    if (values.unjailedBrowser !== undefined) faults.push('PROBANT_UNJAILED_BROWSER is refused in production')
  }
  if (values.liveAddress === undefined && /^(?:0\.0\.0\.0|::|0:0:0:0:0:0:0:0)$/.test(values.liveListen.host))
    faults.push('PROBANT_LIVE_ADDRESS is required when PROBANT_LIVE_LISTEN is every address of the machine')
  return {
    allowAddresses: values.allowAddresses,
    captureConcurrency: values.captureConcurrency ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    perTarget: { atOnce: values.targetAtOnce, perMinute: values.targetPerMinute },
    captureLeaseSeconds: values.captureLeaseSeconds,
    quotas: {
      freePreviews: values.freePreviews,
      mostPreviews: values.mostPreviews,
      draftsPerAccount: values.draftsPerAccount,
      reportsPerMonth: values.reportsPerMonth,
      queueLength: values.queueLength,
    },
    interactive: {
      sessions: values.interactiveSessions ?? 2 * availableParallelism(),
      maxLoadPerCore: values.interactiveMaxLoad,
      warm: values.interactiveSessions === 0 ? 0 : (values.warmSessions ?? Math.min(1, values.warmBrowsers)),
      perAddress: values.interactivePerAddress,
      perAccount: values.interactivePerAccount,
      seconds: values.interactiveSeconds,
      graceSeconds: values.interactiveGraceSeconds,
      listen: values.liveListen,
      address: values.liveAddress,
    },
    server: {
      id: values.serverId,
      key: values.serverKey,
      name: values.serverName,
      country: values.serverCountry,
      city: values.serverCity,
      kind: values.serverKind,
      imageDigest: values.imageDigest ?? null,
      pin: values.serverPin ?? (values.environment === 'production' ? 'by-command' : 'at-start'),
      waitSeconds: values.serverWaitSeconds,
    },
    secondServerWaitSeconds: values.secondServerWaitSeconds,
    warmBrowsers: values.warmBrowsers,
    unjailedBrowser: values.unjailedBrowser !== undefined,
    captureLimits: {
      timeoutSeconds: values.captureTimeoutSeconds,
      bodyBytes: values.captureBodyBytes,
      totalBytes: values.captureTotalBytes,
      heightPixels: values.captureHeightPixels,
      resources: values.captureResources,
    },
    conditions: {
      timeServers: values.ntpServers,
      nameServers: values.dnsServers,
      stunServers: values.stunServers,
      addressEchoes: values.addressEchoes,
      rdapBootstrap: values.rdapBootstrap === 'none' ? null : values.rdapBootstrap,
      whoisServer: values.whoisServer,
      route: values.traceroute === 'on',
      updates: true,
    },
    scenariosFolder: values.scenarios === undefined ? undefined : resolve(values.scenarios),
  }
}
