import { canonicalIp } from './ip-address.ts'

/** A server that the operator named. */
export type HostPort = { readonly host: string; readonly port: number }

export const formatHostPort = ({ host, port }: HostPort): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)

/** Name or address without a port: `ntp.example`, `192.0.2.1`, `2001:db8::1`; or with one: `ntp.example:123`, `[2001:db8::1]:123`. */
export function parseHostPort(text: string, port: number): HostPort | null {
  const whole = canonicalIp(text)
  if (whole !== null) return { host: whole, port }
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]{1,253}))(?::(\d{1,5}))?$/.exec(text)
  const host = match?.[1] === undefined ? match?.[2]?.toLowerCase().replace(/\.$/, '') : canonicalIp(match[1])
  const given = match?.[3] === undefined ? port : Number(match[3])
  return host == null || host === '' || given < 1 || given > 65_535 ? null : { host, port: given }
}
