/** Names are asked of DNS once per session; the answer is kept, recorded and used for every connection to that name. */
import { Resolver } from 'node:dns/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import { classifyAddress, formatIp, parseIp } from '../../../../kernel/ip-address.ts'
import type { DnsRecord } from './connection-record.ts'

export type ResolvedAddress = { readonly address: string; readonly ttl: number | null }

export type NameResolver = {
  /**
   * Every A and AAAA address of a name (lower case, no trailing dot).
   * @throws Error with a DNS `code` (`ENOTFOUND`, `ENODATA`, `ETIMEOUT`, `ESERVFAIL`…).
   */
  resolve(
    name: string,
    signal: AbortSignal,
  ): Promise<{ readonly addresses: readonly ResolvedAddress[]; readonly servers: readonly string[] }>
}

/** The machine's name servers, asked directly: /etc/hosts and search domains have no say. */
export function dnsResolver(options: { readonly servers?: readonly string[]; readonly timeoutMs?: number } = {}): NameResolver {
  return {
    resolve: async (name, signal) => {
      const resolver = new Resolver({ timeout: options.timeoutMs ?? 3_000, tries: 3 })
      if (options.servers !== undefined) resolver.setServers(options.servers)
      const cancel = (): void => resolver.cancel()
      signal.addEventListener('abort', cancel, { once: true })
      try {
        // An absolute name: c-ares must not try search domains.
        const settled = await Promise.allSettled([
          resolver.resolve4(`${name}.`, { ttl: true }),
          resolver.resolve6(`${name}.`, { ttl: true }),
        ])
        const addresses = settled.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
        const failures = settled.flatMap((answer) =>
          answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
        )
        // One family may be empty (ENODATA) or fail: its addresses are then unknown and never dialled.
        const failure = failures.find(({ code }) => code !== 'ENODATA') ?? failures[0]
        if (addresses.length === 0 && failure !== undefined) throw failure
        return { addresses: addresses.map(({ address, ttl }) => ({ address, ttl })), servers: resolver.getServers() }
      } finally {
        signal.removeEventListener('abort', cancel)
      }
    },
  }
}

export type NameBook = {
  /** The session's answer for a name; asked at the first call. Never throws: a failure is an answer with `error`. */
  lookUp(name: string): Promise<DnsRecord>
  records(): readonly DnsRecord[]
}

/** More addresses than this for one name are not looked at: the name is refused. */
const maxAddresses = 256

export function createNameBook(deps: {
  readonly resolver: NameResolver
  readonly clock: Clock
  readonly own: readonly string[]
  readonly maxNames: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}): NameBook {
  const asked = new Map<string, Promise<DnsRecord>>()
  const records: DnsRecord[] = []

  const ask = async (name: string): Promise<DnsRecord> => {
    const asked_at = deps.clock.now().getTime()
    const finish = (addresses: DnsRecord['addresses'], servers: readonly string[], error: string | null): DnsRecord => {
      const record = { name, asked_at, answered_at: deps.clock.now().getTime(), addresses, servers, error }
      records.push(record)
      return record
    }
    const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(deps.timeoutMs)])
    try {
      const answer = await Promise.race([deps.resolver.resolve(name, signal), whenAborted(signal)])
      if (answer.addresses.length > maxAddresses) return finish([], answer.servers, 'too_many_addresses')
      const addresses = answer.addresses.map(({ address, ttl }) => {
        const bytes = parseIp(address)
        const canonical = bytes === null ? address : formatIp(bytes)
        return {
          address: canonical,
          family: canonical.includes(':') ? (6 as const) : (4 as const),
          ttl,
          global: classifyAddress(canonical, deps.own).global,
        }
      })
      return finish(addresses, answer.servers, addresses.length === 0 ? 'ENODATA' : null)
    } catch (error) {
      const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'
      return finish([], [], signal.aborted ? 'ETIMEOUT' : code)
    }
  }

  return {
    records: () => records,
    lookUp: (name) => {
      const known = asked.get(name)
      if (known !== undefined) return known
      if (asked.size >= deps.maxNames) {
        const now = deps.clock.now().getTime()
        return Promise.resolve({ name, asked_at: now, answered_at: now, addresses: [], servers: [], error: 'too_many_names' })
      }
      const answer = ask(name)
      asked.set(name, answer)
      return answer
    },
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
