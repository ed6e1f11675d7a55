/** What the probes of the network found, and how their answers are judged. Texts of servers are hostile. Pure. */

/** Our address as someone outside saw it. */
export type AddressAnswer = {
  /** `stun:host:port`, or the address of a page that echoes it. */
  readonly source: string
  /** Address that was asked. */
  readonly asked: string | null
  readonly address: string | null
  readonly error: string | null
}

export type NameAnswer = {
  readonly server: string
  readonly name: string
  readonly type: 'A' | 'AAAA'
  readonly transport: 'udp' | 'tcp' | null
  /** `NOERROR`, `NXDOMAIN`…; null when nothing came. */
  readonly rcode: string | null
  /** AD bit (RFC 4035 §3.2.3). */
  readonly authenticated: boolean | null
  readonly aliases: readonly string[]
  readonly addresses: readonly { readonly address: string; readonly ttl: number }[]
  /** The message, base64. */
  readonly reply: string | null
  readonly error: string | null
}

/** Who holds an address or a name, by its registry. */
export type Registration = {
  readonly subject: string
  readonly kind: 'address' | 'domain'
  readonly protocol: 'rdap' | 'whois' | null
  /** Servers asked, in order. */
  readonly asked: readonly string[]
  /** The organisation that the registry names: holder of the network, registrar of the domain. */
  readonly name: string | null
  readonly handle: string | null
  readonly country: string | null
  /** First and last address of the network. */
  readonly range: readonly [string, string] | null
  readonly registered_at: string | null
  readonly changed_at: string | null
  readonly expires_at: string | null
  readonly asked_at: string
  /** The answer as it came, cut to a bound. */
  readonly raw: string | null
  readonly error: string | null
}

export type Hop = {
  readonly hop: number
  readonly address: string | null
  readonly ms: number | null
  readonly note: string | null
}

export type Route = {
  readonly target: string
  readonly asked_at: string
  readonly tool: string | null
  readonly reached: boolean
  readonly hops: readonly Hop[]
  readonly raw: string | null
  readonly error: string | null
}

export type DnsVerdict = {
  readonly result: 'pass' | 'fail' | 'not_measured'
  readonly answered: number
  /** Servers whose addresses include one that the capture used. */
  readonly agreeing: number
  /** Servers that gave other addresses only: usual for sites that are served from several places. */
  readonly different: number
  /** Servers that say the name does not exist, or lead it to addresses that are not on the Internet. */
  readonly contradicting: number
  readonly authenticated: number
}

/**
 * Whether the name servers confirm the addresses that the capture used. One that does suffices; a server that denies the name, or
 * leads it where the Internet is not, is a sign against when nobody confirms. Other public addresses are no sign either way.
 * @param used addresses that the tunnel's own answer held. @param isPublic by the same rules as the tunnel's.
 */
export function judgeNames(
  answers: readonly NameAnswer[],
  used: readonly string[],
  isPublic: (address: string) => boolean,
): DnsVerdict {
  const servers = [...Map.groupBy(answers, ({ server }) => server).values()]
  const states = servers.map((group) => {
    const heard = group.filter(({ rcode }) => rcode !== null)
    const addresses = heard.flatMap((answer) => answer.addresses.map(({ address }) => address))
    if (addresses.some((address) => used.includes(address))) return 'agreeing'
    if (heard.some(({ rcode }) => rcode === 'NXDOMAIN')) return 'contradicting'
    if (addresses.length > 0) return addresses.some(isPublic) ? 'different' : 'contradicting'
    return heard.some(({ rcode }) => rcode === 'NOERROR') ? 'different' : 'silent'
  })
  const count = (state: (typeof states)[number]) => states.filter((each) => each === state).length
  const [agreeing, different, contradicting] = [count('agreeing'), count('different'), count('contradicting')]
  return {
    result: agreeing > 0 ? 'pass' : contradicting > 0 ? 'fail' : 'not_measured',
    answered: states.length - count('silent'),
    agreeing,
    different,
    contradicting,
    authenticated: servers.filter((group) => group.some(({ authenticated }) => authenticated === true)).length,
  }
}

/** Public addresses that were seen, each once; and whether two sources saw different ones of the same family. */
export function judgeAddresses(answers: readonly AddressAnswer[]): {
  readonly seen: readonly string[]
  readonly contradict: boolean
} {
  const seen = [...new Set(answers.flatMap(({ address }) => (address === null ? [] : [address])))]
  const sixes = seen.filter((address) => address.includes(':')).length
  return { seen, contradict: sixes > 1 || seen.length - sixes > 1 }
}
