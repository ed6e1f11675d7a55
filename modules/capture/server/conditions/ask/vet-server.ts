import { canonicalIp, classifyAddress, isAllowedAddress } from '../../../../../kernel/ip-address.ts'
import { isRefusedPort } from '../../../../../kernel/web-address.ts'
import { addressesOf } from './addresses-of.ts'
import { ProbeError } from './probe-error.ts'

/** The rules of the tunnel (design/security.md), for servers that somebody else's answer named. */
export type Vetting = {
  readonly allowAddresses: readonly string[]
  readonly ownAddresses: readonly string[]
  /** Addresses of a name; absent: the machine's name servers are asked. */
  readonly resolve?: (host: string, signal: AbortSignal) => Promise<readonly string[]>
}

/** Addresses that a registry's server may be reached at. One that may not be reached refuses them all. @throws ProbeError */
export async function vetServer(rules: Vetting, host: string, port: number, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = canonicalIp(host) === null && !host.includes('.') ? [] : await (rules.resolve ?? addressesOf)(host, signal)
  if (addresses.length === 0) throw new ProbeError('unknown_host')
  for (const address of addresses) {
    if (isAllowedAddress(rules.allowAddresses, address, port)) continue
    const { global, reason } = classifyAddress(address, rules.ownAddresses)
    if (!global) throw new ProbeError(`refused_${reason}`)
    if (isRefusedPort(port) && port !== 43) throw new ProbeError('refused_port')
  }
  return addresses
}
