/** Whom the probes of a capture's conditions ask outside this machine. */
import { parseHostPort, type HostPort } from '../../../kernel/host-port.ts'
import { address, commaSeparated, oneOf } from './parsers.ts'
import { setting } from './setting.ts'

/** Servers that the probes of a capture's conditions ask. */
function hosts(port: number) {
  return {
    accepts: `\`none\`, or comma-separated names or addresses, each with or without a port (${String(port)} else)`,
    parse(this: void, list: string): readonly HostPort[] {
      if (list === 'none') return []
      return list.split(',').map((part) => {
        const server = parseHostPort(part.trim(), port)
        if (server === null) throw new RangeError(`must list servers, not ${JSON.stringify(part.trim())}`)
        return server
      })
    },
  }
}

export const conditions = {
  ntpServers: setting({
    name: 'PROBANT_NTP_SERVERS',
    ...hosts(123),
    fallback: ['time.cloudflare.com', 'ntp.obspm.fr', 'ptbtime1.ptb.de', '0.pool.ntp.org'].map((host) => ({ host, port: 123 })),
    fallbackText: '`time.cloudflare.com,ntp.obspm.fr,ptbtime1.ptb.de,0.pool.ntp.org`',
    meaning:
      'Time servers (NTP) that each capture compares its clock with, before and after; their answers are in the package. A server of the local network may be named.',
  }),
  dnsServers: setting({
    name: 'PROBANT_DNS_SERVERS',
    ...hosts(53),
    fallback: [] as readonly HostPort[],
    fallbackText: 'only those of the machine',
    meaning:
      'Further DNS servers, by address, that each capture asks about the host of the page, to compare. They learn which sites are captured.',
  }),
  stunServers: setting({
    name: 'PROBANT_STUN_SERVERS',
    ...hosts(3478),
    fallback: [
      { host: 'stun.cloudflare.com', port: 3478 },
      { host: 'stun.l.google.com', port: 19_302 },
    ] as readonly HostPort[],
    fallbackText: '`stun.cloudflare.com,stun.l.google.com:19302`',
    meaning: 'Servers (STUN) that tell each capture the public address it is seen to come from. They learn that address alone.',
  }),
  addressEchoes: setting({
    name: 'PROBANT_ADDRESS_ECHOES',
    accepts: '`none`, or comma-separated addresses starting with `https://`',
    parse(this: void, list: string): readonly string[] {
      return list === 'none' ? [] : commaSeparated(address(['https:']).parse)(list)
    },
    fallback: [] as readonly string[],
    fallbackText: 'none',
    meaning: 'Pages that answer with nothing but the address of the caller, asked besides the STUN servers.',
  }),
  rdapBootstrap: setting({
    name: 'PROBANT_RDAP_BOOTSTRAP',
    accepts: '`none`, or an address starting with `https://`',
    parse(this: void, value: string): string {
      return value === 'none' ? value : address(['https:']).parse(value)
    },
    fallback: 'https://data.iana.org/rdap/',
    fallbackText: '`https://data.iana.org/rdap/`',
    meaning:
      "Folder of IANA's lists of registries (`ipv4.json`, `ipv6.json`, `dns.json`). Each capture asks the registries (RDAP) who holds its own address, the site's address and the site's name; these learn which sites are captured. `none` asks no registry so.",
  }),
  whoisServer: setting({
    name: 'PROBANT_WHOIS_SERVER',
    accepts: '`none`, or a name or address with or without a port (43 else)',
    parse(this: void, value: string): HostPort | null {
      if (value === 'none') return null
      const server = parseHostPort(value, 43)
      if (server === null) throw new RangeError('must be a server or none')
      return server
    },
    fallback: { host: 'whois.iana.org', port: 43 },
    fallbackText: '`whois.iana.org`',
    meaning: 'Where the registries are asked by whois when RDAP did not answer; referrals from there are followed.',
  }),
  traceroute: setting({
    name: 'PROBANT_TRACEROUTE',
    ...oneOf('on', 'off'),
    fallback: 'on',
    fallbackText: '`on`',
    meaning: "Whether each capture records the route to the page's server.",
  }),
} as const
