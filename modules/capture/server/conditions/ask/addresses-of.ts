import { canonicalIp } from '../../../../../kernel/ip-address.ts'
import { dnsResolver } from '../../network/index.ts'
import { ProbeError } from './probe-error.ts'

/** Addresses of a host, an IPv4 one first: most of the services that are asked here are reachable by it. @throws ProbeError */
export async function addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const literal = canonicalIp(host)
  if (literal !== null) return [literal]
  // c-ares, not getaddrinfo: where nothing answers, four names must not hold up every thread of the process.
  const { addresses } = await dnsResolver({ timeoutMs: 1_500 })
    .resolve(host, signal)
    .catch((error: unknown) => {
      throw signal.aborted ? new ProbeError('timeout') : error
    })
  const known = addresses.map(({ address }) => canonicalIp(address)).filter((address) => address !== null)
  if (known.length === 0) throw new ProbeError('ENODATA')
  return known.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')))
}
