/**
 * Address blocks that no capture reaches: every entry of IANA's IPv4 and IPv6 special-purpose address registries whose
 * "Globally Reachable" is not True, the most specific first so that the reason is the telling one, plus IPv4 multicast
 * (RFC 5771) and what is below. Vendored as data in `iana/`; a test compares this table with those files.
 */
export type SpecialPurposeBlock = { readonly bytes: Uint8Array; readonly prefix: number; readonly reason: string }

const ipv4 = (text: string): number[] => text.split('.').map(Number)

/** Blocks are written with all their groups up to the prefix. */
const ipv6 = (text: string): number[] => {
  const groups = text.split(':').map((group) => Number.parseInt(group, 16))
  return Array.from({ length: 8 }, (_, i) => groups[i] ?? 0).flatMap((group) => [group >> 8, group & 255])
}

const block = (bytes: number[], prefix: number, reason: string): SpecialPurposeBlock => ({
  bytes: Uint8Array.from(bytes),
  prefix,
  reason,
})

export const specialPurposeBlocks: readonly SpecialPurposeBlock[] = [
  block(ipv4('255.255.255.255'), 32, 'broadcast'),
  block(ipv4('0.0.0.0'), 32, 'unspecified'),
  block(ipv4('192.0.0.8'), 32, 'protocol_assignment'),
  block(ipv4('192.0.0.170'), 32, 'protocol_assignment'),
  block(ipv4('192.0.0.171'), 32, 'protocol_assignment'),
  block(ipv4('192.88.99.2'), 32, 'relay_anycast'),
  block(ipv4('192.0.0.0'), 29, 'protocol_assignment'),
  block(ipv4('192.0.0.0'), 24, 'protocol_assignment'),
  block(ipv4('192.0.2.0'), 24, 'documentation'),
  block(ipv4('192.88.99.0'), 24, 'relay_anycast'),
  block(ipv4('198.51.100.0'), 24, 'documentation'),
  block(ipv4('203.0.113.0'), 24, 'documentation'),
  block(ipv4('169.254.0.0'), 16, 'link_local'),
  block(ipv4('192.168.0.0'), 16, 'private_use'),
  block(ipv4('198.18.0.0'), 15, 'benchmarking'),
  block(ipv4('172.16.0.0'), 12, 'private_use'),
  block(ipv4('100.64.0.0'), 10, 'shared_address_space'),
  block(ipv4('0.0.0.0'), 8, 'this_network'),
  block(ipv4('10.0.0.0'), 8, 'private_use'),
  block(ipv4('127.0.0.0'), 8, 'loopback'),
  block(ipv4('224.0.0.0'), 4, 'multicast'),
  block(ipv4('240.0.0.0'), 4, 'reserved'),
  block(ipv6('0:0:0:0:0:0:0:1'), 128, 'loopback'),
  block(ipv6('0:0:0:0:0:0:0:0'), 128, 'unspecified'),
  block(ipv6('0:0:0:0:0:ffff'), 96, 'ipv4_mapped'),
  // Globally reachable by the registry, and refused all the same: behind a translator it is any IPv4 address.
  block(ipv6('64:ff9b'), 96, 'nat64'),
  block(ipv6('100:0:0:0'), 64, 'discard_only'),
  block(ipv6('100:0:0:1'), 64, 'dummy_prefix'),
  block(ipv6('64:ff9b:1'), 48, 'nat64'),
  block(ipv6('2001:2:0'), 48, 'benchmarking'),
  block(ipv6('2001:0'), 32, 'teredo'),
  block(ipv6('2001:db8'), 32, 'documentation'),
  block(ipv6('2001:10'), 28, 'orchid'),
  block(ipv6('2001:0'), 23, 'protocol_assignment'),
  block(ipv6('3fff'), 20, 'documentation'),
  block(ipv6('2002'), 16, 'six_to_four'),
  block(ipv6('5f00'), 16, 'segment_routing'),
  block(ipv6('fe80'), 10, 'link_local'),
  block(ipv6('fc00'), 7, 'unique_local'),
]
