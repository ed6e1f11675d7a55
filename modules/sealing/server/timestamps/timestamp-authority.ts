import { createHash } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { buildSignedData } from '../signed-data/build-signed-data.ts'
import { randomSerial } from '../certificates/issue-certificate.ts'
import { digestNames, embeddedPolicy, oids } from '../encoding/object-identifiers.ts'
import { children, expectTag, objectIdentifierOf, readDer, smallIntegerOf } from '../encoding/read-der.ts'
import type { Element } from '../encoding/read-der.ts'
import type { Keyring } from '../keyring/signer.ts'
import { contextPrimitive, generalizedTime, integer, namedBits, objectIdentifier, sequence } from '../encoding/write-der.ts'

/**
 * The embedded RFC 3161 authority. Not qualified, and not independent of the platform: it proves integrity since its clock's
 * instant to whoever trusts the operator, no more.
 */
export type TimestampAuthority = {
  /** DER of a TimeStampReq → DER of a TimeStampResp, a rejection included. Never throws on a bad request. */
  respond(request: Uint8Array): Promise<Uint8Array<ArrayBuffer>>
}

/** Bits of PKIFailureInfo, RFC 3161 §2.4.2. */
const failures = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  timeNotAvailable: 14,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  systemFailure: 25,
} as const
type Failure = keyof typeof failures

/** A request is about a hundred octets; more than this is not one. */
const maximumRequestBytes = 16_384

export function createTimestampAuthority(deps: {
  keyring: Pick<Keyring, 'signer' | 'certificates'>
  clock: Clock
  /**
   * How far the clock may be from UTC, in microseconds, as measured now; absent or `undefined` when nobody measured it, and then
   * the token states no accuracy (it is OPTIONAL, RFC 3161 §2.4.2).
   */
  accuracy?: () => number | undefined
}): TimestampAuthority {
  return {
    respond: async (encoded) => {
      const request = readRequest(encoded)
      if (typeof request === 'string') return rejection(request)
      try {
        return await grant(deps, request)
      } catch (error) {
        if (error instanceof DomainError)
          return rejection(error.code === 'sealing.clock_before_key' ? 'timeNotAvailable' : 'systemFailure')
        throw error
      }
    },
  }
}

type Request = {
  /** DER of MessageImprint, copied into the token as it came. */
  readonly imprint: Uint8Array
  /** DER of the nonce. */
  readonly nonce: Uint8Array | undefined
  readonly certificates: boolean
}

function readRequest(encoded: Uint8Array): Request | Failure {
  if (encoded.length > maximumRequestBytes) return 'badDataFormat'
  try {
    const [version, imprint, ...rest] = children(readDer(encoded, 0x30))
    if (smallIntegerOf(version) !== 1) return 'badRequest'
    const [algorithm, digest, extra] = children(expectTag(imprint, 0x30))
    const [id, parameters, more] = children(expectTag(algorithm, 0x30))
    const known = digestNames[objectIdentifierOf(id)]
    if (known === undefined) return 'badAlg'
    if (parameters !== undefined && (parameters.tag !== 0x05 || parameters.contents.length > 0 || more !== undefined))
      return 'badAlg'
    if (expectTag(digest, 0x04).contents.length !== known.bytes || extra !== undefined) return 'badDataFormat'
    const policy = take(rest, 0x06)
    const nonce = take(rest, 0x02)
    const certificates = take(rest, 0x01)
    const extensions = take(rest, 0xa0)
    if (rest.length > 0) return 'badDataFormat'
    if (policy !== undefined && objectIdentifierOf(policy) !== embeddedPolicy) return 'unacceptedPolicy'
    if (extensions !== undefined) return 'unacceptedExtension'
    return {
      imprint: expectTag(imprint, 0x30).encoded,
      nonce: nonce?.encoded,
      certificates: certificates !== undefined && octetOf(certificates) !== 0,
    }
  } catch {
    // Only the DER reader throws here, and only for octets that are not DER.
    return 'badDataFormat'
  }
}

/** Removes the next element when it has this tag: the optional fields come in one order. */
function take(rest: Element[], tag: number): Element | undefined {
  return rest[0]?.tag === tag ? rest.shift() : undefined
}

const octetOf = (element: Element): number => element.contents[0] ?? 0

async function grant(
  { keyring, clock, accuracy }: Parameters<typeof createTimestampAuthority>[0],
  request: Request,
): Promise<Uint8Array<ArrayBuffer>> {
  const signer = await keyring.signer('time')
  const micros = accuracy?.()
  const content = sequence(
    integer(1),
    objectIdentifier(embeddedPolicy),
    request.imprint,
    integer(randomSerial()),
    generalizedTime(clock.now(), 'milliseconds'),
    ...(micros === undefined ? [] : [encodeAccuracy(micros)]),
    ...(request.nonce === undefined ? [] : [request.nonce]),
  )
  const token = await buildSignedData(signer, {
    contentType: oids.tstInfo,
    digest: createHash('sha256').update(content).digest(),
    content,
    certificates: request.certificates ? [signer.certificate, ...signer.chain] : [],
  })
  return sequence(sequence(integer(0)), token)
}

function encodeAccuracy(micros: number): Uint8Array {
  const whole = Math.ceil(micros)
  const parts = { seconds: Math.floor(whole / 1_000_000), millis: Math.floor(whole / 1000) % 1000, micros: whole % 1000 }
  const tagged = (number: number, value: number) => contextPrimitive(number, readDer(integer(value)).contents)
  return sequence(
    ...(parts.seconds > 0 ? [integer(parts.seconds)] : []),
    ...(parts.millis > 0 ? [tagged(0, parts.millis)] : []),
    ...(parts.micros > 0 ? [tagged(1, parts.micros)] : []),
  )
}

function rejection(failure: Failure): Uint8Array<ArrayBuffer> {
  return sequence(sequence(integer(2), namedBits([failures[failure]])))
}
