import type { HostPort } from '../../../../kernel/host-port.ts'

/** Whom the probes ask outside this machine. All of it is the operator's choice; nothing here is known to a page. */
export type OutsideSources = {
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

/** Nobody outside is asked. */
export const noOutsideSources: OutsideSources = {
  timeServers: [],
  nameServers: [],
  stunServers: [],
  addressEchoes: [],
  rdapBootstrap: null,
  whoisServer: null,
  route: false,
  updates: false,
}
