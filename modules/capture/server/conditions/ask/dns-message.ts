/** DNS messages as far as addresses need them (RFC 1035 §4, RFC 6891). Every length and pointer is distrusted. */
import { formatIp } from '../../../../../kernel/ip-address.ts'
import { ProbeError } from './probe-error.ts'

export const recordTypes = { A: 1, CNAME: 5, AAAA: 28, OPT: 41 } as const
/** RFC 1035 §4.1.1, RFC 2136: what the number of an answer's state means. */
const responseNames = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

export type DnsAnswer = {
  readonly rcode: string
  /** The server says that it validated the answer by DNSSEC (RFC 4035 §3.2.3). */
  readonly authenticated: boolean
  readonly truncated: boolean
  /** Aliases from the name asked to the one that has the addresses. */
  readonly aliases: readonly string[]
  readonly addresses: readonly { readonly address: string; readonly ttl: number }[]
}

/** A question with EDNS0 (1,232 octets, DNS flag day 2020), recursion and the AD bit asked for (RFC 6840 §5.7). @throws ProbeError */
export function writeDnsQuestion(id: number, name: string, type: 'A' | 'AAAA'): Buffer {
  const labels = name
    .replace(/\.$/, '')
    .split('.')
    .map((label) => Buffer.from(label, 'latin1'))
  if (labels.some((label) => label.length === 0 || label.length > 63) || name.length > 253) throw new ProbeError('bad_name')
  const head = Buffer.alloc(12)
  head.writeUInt16BE(id, 0)
  head.writeUInt16BE(0x0120, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(1, 10)
  const question = Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0, 0, recordTypes[type], 0, 1]),
  ])
  const opt = Buffer.alloc(11)
  opt.writeUInt16BE(recordTypes.OPT, 1)
  opt.writeUInt16BE(1232, 3)
  return Buffer.concat([head, question, opt])
}

function readName(message: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = start
  let end = -1
  let length = 0
  for (;;) {
    const size = message[at]
    if (size === undefined) throw new ProbeError('malformed')
    if (size === 0) {
      return { name: labels.join('.'), end: end === -1 ? at + 1 : end }
    }
    if (size >= 0xc0) {
      const low = message[at + 1]
      if (low === undefined) throw new ProbeError('malformed')
      const target = ((size & 0x3f) << 8) | low
      if (end === -1) end = at + 2
      // Only backwards: no pointer can then come round to itself.
      if (target >= at) throw new ProbeError('malformed')
      at = target
      continue
    }
    if (size > 63 || at + 1 + size > message.length) throw new ProbeError('malformed')
    length += size + 1
    if (length > 255) throw new ProbeError('malformed')
    labels.push(message.toString('latin1', at + 1, at + 1 + size).toLowerCase())
    at += 1 + size
  }
}

/** More records than this in one answer are not read. */
const maxRecords = 256

/** Null when the message answers another question. @throws ProbeError when it answers ours and cannot be read. */
export function readDnsAnswer(
  message: Buffer,
  asked: { readonly id: number; readonly name: string; readonly type: 'A' | 'AAAA' },
): DnsAnswer | null {
  if (message.length < 12 || message.readUInt16BE(0) !== asked.id) return null
  const flags = message.readUInt16BE(2)
  if ((flags & 0x8000) === 0 || message.readUInt16BE(4) !== 1) return null
  const question = readName(message, 12)
  const wanted = asked.name.replace(/\.$/, '').toLowerCase()
  if (question.name !== wanted || question.end + 4 > message.length) return null
  if (message.readUInt16BE(question.end) !== recordTypes[asked.type] || message.readUInt16BE(question.end + 2) !== 1) return null
  const truncated = (flags & 0x0200) !== 0
  // What a cut message still holds is asked again by TCP.
  const answers = truncated ? 0 : message.readUInt16BE(6)
  const rcode = flags & 15
  const aliases = new Map<string, string>()
  const found: { owner: string; address: string; ttl: number }[] = []
  let at = question.end + 4
  if (answers > maxRecords) throw new ProbeError('too_many_records')
  for (let i = 0; i < answers; i += 1) {
    const owner = readName(message, at)
    at = owner.end
    if (at + 10 > message.length) throw new ProbeError('malformed')
    const type = message.readUInt16BE(at)
    const recordClass = message.readUInt16BE(at + 2)
    const ttl = message.readUInt32BE(at + 4)
    const size = message.readUInt16BE(at + 8)
    const data = at + 10
    if (data + size > message.length) throw new ProbeError('malformed')
    if (recordClass === 1 && type === recordTypes.CNAME) {
      const target = readName(message, data)
      if (target.end !== data + size) throw new ProbeError('malformed')
      aliases.set(owner.name, target.name)
    } else if (recordClass === 1 && type === recordTypes[asked.type]) {
      if (size !== (asked.type === 'A' ? 4 : 16)) throw new ProbeError('malformed')
      // RFC 2181 §8: a time to live with the first bit set counts as 0.
      found.push({ owner: owner.name, address: formatIp(message.subarray(data, data + size)), ttl: ttl >= 0x8000_0000 ? 0 : ttl })
    }
    at = data + size
  }
  // Only what belongs to the name counts: an address beside the chain of aliases is nobody's answer.
  const chain: string[] = []
  let owner = wanted
  while (aliases.has(owner) && chain.length <= aliases.size) {
    owner = aliases.get(owner) ?? ''
    chain.push(owner)
  }
  return {
    rcode: responseNames[rcode] ?? `RCODE${rcode}`,
    authenticated: (flags & 0x0020) !== 0,
    truncated,
    aliases: chain,
    addresses: found.filter((record) => record.owner === owner).map(({ address, ttl }) => ({ address, ttl })),
  }
}
