import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../../kernel/clock.ts'
import type { TimeSample } from '../../../domain/conditions/clock-facts.ts'
import { exchangeDatagram } from './exchange-datagram.ts'
import { formatHostPort, type HostPort } from '../../../../../kernel/host-port.ts'
import { addressesOf } from './addresses-of.ts'
import { ProbeError, reasonOf } from './probe-error.ts'

/** Seconds from 1900 to 1970 (RFC 4330 §3). */
const ntpToUnix = 2_208_988_800
/** RFC 5905 §7.3, MAXDISP: what a server claims beyond this is no time. */
const maxDispersion = 16

/** RFC 4330 §3: with the first bit set the era is 1968–2036, without it 2036–2104. Milliseconds since 1970. */
export function readNtpTimestamp(bytes: Buffer, offset: number): number {
  const seconds = bytes.readUInt32BE(offset)
  const era = seconds >= 0x8000_0000 ? 0 : 2 ** 32
  return (seconds + era - ntpToUnix + bytes.readUInt32BE(offset + 4) / 2 ** 32) * 1000
}

const readShort = (bytes: Buffer, offset: number): number => bytes.readUInt16BE(offset) + bytes.readUInt16BE(offset + 2) / 2 ** 16

export type TimeAnswer = Pick<TimeSample, 'offset' | 'delay' | 'uncertainty' | 'stratum' | 'reference'>

/**
 * Reads an answer by RFC 4330 §5. Null when it answers another request; its offset is our clock minus the server's, in seconds.
 * @throws ProbeError when the server answered and gives no time.
 */
export function readTimeAnswer(
  reply: Buffer,
  sent: { readonly nonce: Buffer; readonly at: number },
  elapsedMs: number,
): TimeAnswer | null {
  if (reply.length < 48) return null
  // What we sent as transmit time is random (data minimisation): only who received the request can repeat it.
  if (!reply.subarray(24, 32).equals(sent.nonce)) return null
  const first = reply.readUInt8(0)
  const [leap, version, mode] = [first >> 6, (first >> 3) & 7, first & 7]
  if (mode !== 4) throw new ProbeError('wrong_mode')
  if (version < 3 || version > 4) throw new ProbeError('wrong_version')
  const stratum = reply.readUInt8(1)
  const ascii = reply.subarray(12, 16).toString('latin1').replaceAll('\0', '')
  // RFC 5905 §7.4, "kiss o' death".
  if (stratum === 0) throw new ProbeError(`kiss_${/^[A-Z0-9]{1,4}$/.test(ascii) ? ascii : 'unreadable'}`)
  if (stratum > 15 || leap === 3) throw new ProbeError('unsynchronised')
  const rootDelay = readShort(reply, 4)
  const rootDispersion = readShort(reply, 8)
  if (rootDelay / 2 + rootDispersion >= maxDispersion) throw new ProbeError('too_uncertain')
  if (reply.readBigUInt64BE(40) === 0n) throw new ProbeError('no_time')
  const [received, transmitted] = [readNtpTimestamp(reply, 32), readNtpTimestamp(reply, 40)]
  const held = transmitted - received
  const delay = elapsedMs - held
  // A server that says it held the request for longer than we waited, or sent before it received, contradicts itself.
  if (held < 0 || delay < -5) throw new ProbeError('inconsistent')
  const back = sent.at + elapsedMs
  const offset = (sent.at - received + (back - transmitted)) / 2
  const round = (ms: number) => Math.round(ms) / 1000
  return {
    offset: round(offset),
    delay: round(Math.max(0, delay)),
    uncertainty: round(Math.max(0, delay) / 2 + (rootDelay / 2 + rootDispersion) * 1000),
    stratum,
    // Stratum 1 names its source in letters; others give an address or a hash of one.
    reference: stratum === 1 && /^[\x20-\x7e]+$/.test(ascii) ? ascii : reply.subarray(12, 16).toString('hex'),
  }
}

/** Asks one time server by SNTPv4 (RFC 4330, RFC 5905). Never throws: a failure is a sample with `error`. */
export async function askTimeServer(
  deps: { readonly clock: Clock; readonly signal: AbortSignal; readonly timeoutMs: number },
  server: HostPort,
): Promise<TimeSample> {
  const sample: TimeSample = {
    source: formatHostPort(server),
    address: null,
    asked_at: deps.clock.now().toISOString(),
    offset: null,
    delay: null,
    uncertainty: null,
    stratum: null,
    reference: null,
    reply: null,
    error: null,
  }
  const naming = AbortSignal.any([deps.signal, AbortSignal.timeout(deps.timeoutMs)])
  let address: string | null = null
  try {
    address = (await addressesOf(server.host, naming))[0] ?? null
    if (address === null) throw new ProbeError('ENODATA')
    const nonce = randomBytes(8)
    const request = Buffer.alloc(48)
    request.writeUInt8(0x23, 0)
    nonce.copy(request, 40)
    let reply = ''
    const asked = deps.clock.now()
    const began = performance.now()
    const answer = await exchangeDatagram({
      address,
      port: server.port,
      request,
      timeoutMs: deps.timeoutMs,
      signal: deps.signal,
      accepts: (datagram, elapsedMs) => {
        // The clock is read once; the rest is counted on the one that nobody sets.
        const at = asked.getTime() + (performance.now() - began) - elapsedMs
        const read = readTimeAnswer(datagram, { nonce, at }, elapsedMs)
        if (read !== null) reply = datagram.subarray(0, 48).toString('hex')
        return read
      },
    })
    return { ...sample, address, asked_at: asked.toISOString(), ...answer, reply }
  } catch (error) {
    return { ...sample, address, error: reasonOf(error) }
  }
}
