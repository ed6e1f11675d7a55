/** From what the browser asked for to the addresses that may be dialled, or the reason why none may. */
import { classifyAddress, isAllowedAddress } from '../../../../kernel/ip-address.ts'
import { isRefusedPort } from '../../../../kernel/web-address.ts'
import type { Refusal } from './connection-record.ts'
import type { RequestHead } from './parse-request-head.ts'
import type { NameBook } from './resolve-names.ts'

export type VettedTarget = {
  readonly ok: true
  /** Canonical addresses, all vetted, in the order in which the resolver gave them. */
  readonly addresses: readonly string[]
  /** Some address is not global and stands by its `ip:port` exception. */
  readonly exception: boolean
}

export type Vetting = VettedTarget | { readonly ok: false; readonly refusal: Refusal }

const refuse = (code: Refusal['code'], reason: string, address: string | null = null): Vetting => ({
  ok: false,
  refusal: { code, reason, address },
})

export async function vetTarget(
  deps: { readonly names: NameBook; readonly allow: readonly string[]; readonly own: readonly string[] },
  target: { readonly host: RequestHead['host']; readonly port: number },
): Promise<Vetting> {
  const { host, port } = target
  const allowed = (ip: string): boolean => isAllowedAddress(deps.allow, ip, port)
  if (host.kind === 'address') return vetAddresses([host.ip], port, deps.own, allowed)
  if (host.kind === 'loopback_name' && allowed('127.0.0.1')) return vetAddresses(['127.0.0.1'], port, deps.own, allowed)
  if (host.kind !== 'name') return refuse('private_address', 'local_name')
  // The port decides before DNS is asked, unless some exception names it.
  if (isRefusedPort(port) && !deps.allow.some((entry) => entry.endsWith(`:${port}`))) return refuse('port_refused', String(port))
  const answer = await deps.names.lookUp(host.name)
  if (answer.error === 'too_many_names') return refuse('too_large', 'names')
  if (answer.error !== null) return refuse(answer.error === 'ETIMEOUT' ? 'timeout' : 'unknown_host', answer.error)
  const addresses = answer.addresses.map(({ address }) => address)
  return vetAddresses(addresses, port, deps.own, allowed)
}

/** One address that may not be reached refuses them all: an answer that mixes public and private ones is an attack or a fault. */
function vetAddresses(
  addresses: readonly string[],
  port: number,
  own: readonly string[],
  allowed: (ip: string) => boolean,
): Vetting {
  let exception = false
  for (const address of addresses) {
    if (allowed(address)) {
      exception ||= !classifyAddress(address, own).global
      continue
    }
    const { global, reason } = classifyAddress(address, own)
    if (!global) return refuse('private_address', reason, address)
    if (isRefusedPort(port)) return refuse('port_refused', String(port), address)
  }
  return { ok: true, addresses, exception }
}
