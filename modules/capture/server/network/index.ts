export {
  defaultTunnelLimits,
  type ConnectionRecord,
  type CutReason,
  type DnsRecord,
  type Refusal,
  type RefusalCode,
  type RollingHash,
  type TunnelLimits,
  type TunnelTotals,
} from './connection-record.ts'
export { readRecordFile, recordedConnections, type RecordFrame } from './record-file.ts'
export { dnsResolver, type NameResolver, type ResolvedAddress } from './resolve-names.ts'
export { writePcap, type PcapSummary } from './write-pcap.ts'
export { startTunnel, type Tunnel, type TunnelInput } from './start-tunnel.ts'
export type { TunnelEvents } from './tunnel-events.ts'
