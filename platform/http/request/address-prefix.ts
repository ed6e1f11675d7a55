import { isIP } from 'node:net'

/**
 * What a quota by address counts: an IPv4 /24 or an IPv6 /56, the smallest blocks that one subscriber commonly holds or
 * moves within (RFC 6177 §2). IPv4 inside IPv6 counts as IPv4.
 */
export function addressPrefix(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIP(plain) === 4) return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  if (isIP(plain) !== 6) return 'unknown'
  const [head = '', tail] = plain.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
  const [a = '0', b = '0', c = '0', d = '0'] = groups
  const high = (Number.parseInt(d, 16) >> 8) << 8
  return `${[a, b, c].map((group) => Number.parseInt(group, 16).toString(16)).join(':')}:${high.toString(16)}::/56`
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./i.test(address)
}
