import type { Clock } from '../../../../../kernel/clock.ts'
import type { Registration } from '../../../domain/conditions/network-facts.ts'
import { askRdap, fetchBootstrap, type Bootstrap, type BootstrapKind } from './ask-rdap.ts'
import { askWhois } from './ask-whois.ts'
import type { HostPort } from '../../../../../kernel/host-port.ts'
import { reasonOf } from './probe-error.ts'
import type { Vetting } from './vet-server.ts'

export type RegistrySubject = { readonly kind: 'address' | 'domain'; readonly value: string }

export type Registry = {
  /** Who holds an address, or registered a name: RDAP, and whois where that does not answer. Never throws. */
  ask(
    deps: { readonly clock: Clock; readonly vetting: Vetting; readonly signal: AbortSignal },
    subject: RegistrySubject,
  ): Promise<Registration>
}

/** Milliseconds for each of the two protocols. */
const timeoutMs = 4_000
const bootstrapAge = 24 * 3_600_000

/** Keeps IANA's lists for a day; answers about subjects are asked anew each time. */
export function createRegistry(sources: {
  readonly rdapBootstrap: string | null
  readonly whoisServer: HostPort | null
}): Registry {
  const lists = new Map<BootstrapKind, { readonly at: number; readonly list: Bootstrap }>()

  const bootstrap = async (
    deps: Parameters<Registry['ask']>[0],
    base: string,
    kind: BootstrapKind,
    signal: AbortSignal,
  ): Promise<Bootstrap> => {
    const now = deps.clock.now().getTime()
    const known = lists.get(kind)
    if (known !== undefined && now - known.at < bootstrapAge) return known.list
    const list = await fetchBootstrap({ vetting: deps.vetting, signal }, base, kind)
    lists.set(kind, { at: now, list })
    return list
  }

  return {
    ask: async (deps, subject) => {
      const { value } = subject
      const none: Registration = {
        subject: value,
        kind: subject.kind,
        protocol: null,
        asked: [],
        name: null,
        handle: null,
        country: null,
        range: null,
        registered_at: null,
        changed_at: null,
        expires_at: null,
        asked_at: deps.clock.now().toISOString(),
        raw: null,
        error: null,
      }
      const errors: string[] = []
      const attempt = async (
        protocol: 'rdap' | 'whois',
        ask: (signal: AbortSignal) => Promise<Partial<Registration>>,
      ): Promise<Registration | null> => {
        const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(timeoutMs)])
        try {
          return { ...none, ...(await ask(signal)), protocol }
        } catch (error) {
          errors.push(`${protocol}: ${signal.aborted ? 'timeout' : reasonOf(error)}`)
          return null
        }
      }
      const { rdapBootstrap, whoisServer } = sources
      const byRdap =
        rdapBootstrap === null
          ? null
          : await attempt('rdap', async (signal) => {
              const kind = subject.kind === 'domain' ? 'dns' : value.includes(':') ? 'ipv6' : 'ipv4'
              return askRdap({ vetting: deps.vetting, signal }, await bootstrap(deps, rdapBootstrap, kind, signal), subject)
            })
      if (byRdap !== null) return byRdap
      const byWhois =
        whoisServer === null || deps.signal.aborted
          ? null
          : await attempt('whois', (signal) => askWhois({ vetting: deps.vetting, signal }, whoisServer, subject))
      return byWhois ?? { ...none, error: errors.length === 0 ? 'not_configured' : errors.join('; ') }
    },
  }
}
