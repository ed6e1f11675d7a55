import type { ConditionSources as OutsideSources } from '../../../../platform/config/parts/captures.ts'

export type { OutsideSources }

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
