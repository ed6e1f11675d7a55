import { randomBytes } from 'node:crypto'
import { formatIp } from '../../../../../kernel/ip-address.ts'
import type { AddressAnswer } from '../../../domain/conditions/network-facts.ts'
import { exchangeDatagram } from './exchange-datagram.ts'
import { formatHostPort, type HostPort } from '../../../../../kernel/host-port.ts'
import { addressesOf } from './addresses-of.ts'
import { ProbeError, reasonOf } from './probe-error.ts'

const magicCookie = 0x2112_a442
const [bindingSuccess, bindingError] = [0x0101, 0x0111]
const [mappedAddress, xorMappedAddress] = [0x0001, 0x0020]

/**
 * The address that a STUN server says it saw (RFC 8489 §14.1, §14.2). Null when the datagram answers another request.
 * @throws ProbeError when it answers ours without an address.
 */
export function readStunAnswer(reply: Buffer, transaction: Buffer): string | null {
  if (reply.length < 20 || reply.readUInt32BE(4) !== magicCookie || !reply.subarray(8, 20).equals(transaction)) return null
  const type = reply.readUInt16BE(0)
  const length = reply.readUInt16BE(2)
  if (type === bindingError) throw new ProbeError('refused')
  if (type !== bindingSuccess) return null
  if (length % 4 !== 0 || 20 + length > reply.length) throw new ProbeError('malformed')
  let plain: string | null = null
  for (let at = 20; at + 4 <= 20 + length;) {
    const attribute = reply.readUInt16BE(at)
    const size = reply.readUInt16BE(at + 2)
    if (at + 4 + size > 20 + length) throw new ProbeError('malformed')
    if (attribute === xorMappedAddress || attribute === mappedAddress) {
      const value = reply.subarray(at + 4, at + 4 + size)
      const bytes = value.subarray(4)
      const family = value[1]
      if (!((family === 1 && bytes.length === 4) || (family === 2 && bytes.length === 16))) throw new ProbeError('malformed')
      // The cookie and the transaction follow each other in the header: they are the key.
      const key = attribute === xorMappedAddress ? reply.subarray(4, 20) : Buffer.alloc(16)
      const address = formatIp(bytes.map((byte, i) => byte ^ (key[i] ?? 0)))
      if (attribute === xorMappedAddress) return address
      plain = address
    }
    at += 4 + size + ((4 - (size % 4)) % 4)
  }
  if (plain === null) throw new ProbeError('no_address')
  return plain
}

/** Which address a STUN server sees us come from (Binding request, RFC 8489). Never throws. */
export async function askStunServer(
  deps: { readonly signal: AbortSignal; readonly timeoutMs: number },
  server: HostPort,
): Promise<AddressAnswer> {
  const source = `stun:${formatHostPort(server)}`
  const naming = AbortSignal.any([deps.signal, AbortSignal.timeout(deps.timeoutMs)])
  try {
    const [address] = await addressesOf(server.host, naming)
    if (address === undefined) throw new ProbeError('ENODATA')
    const request = Buffer.alloc(20)
    request.writeUInt16BE(1, 0)
    request.writeUInt32BE(magicCookie, 4)
    const transaction = randomBytes(12)
    transaction.copy(request, 8)
    const seen = await exchangeDatagram({
      address,
      port: server.port,
      request,
      timeoutMs: deps.timeoutMs,
      signal: deps.signal,
      accepts: (reply) => readStunAnswer(reply, transaction),
    })
    return { source, asked: address, address: seen, error: null }
  } catch (error) {
    return { source, asked: null, address: null, error: reasonOf(error) }
  }
}
