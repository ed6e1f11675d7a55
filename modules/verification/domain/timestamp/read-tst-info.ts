import { digestNamed } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import {
  anyTimeOf,
  boolean,
  children,
  explicit,
  integerContents,
  malformed,
  octets,
  oidOf,
  readDer,
  sequence,
  smallInteger,
  tagged,
} from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'
import { serialHex } from '../certificate/x509.ts'

/** TSTInfo of RFC 3161 §2.4.2. */
export type TstInfo = {
  readonly version: number
  readonly policy: string
  readonly algorithmId: string
  readonly algorithm: DigestName | undefined
  readonly imprint: Uint8Array
  readonly serial: string
  readonly genTime: Date
  /** Microseconds; undefined when the authority states none. */
  readonly accuracy: number | undefined
  /** Seconds without bound, then 1 to 999 milliseconds and microseconds. */
  readonly accuracyInRange: boolean
  readonly ordering: boolean
  readonly nonce: string | undefined
  /** GeneralName that the authority gives itself. */
  readonly authority: Der | undefined
  readonly criticalExtension: string | undefined
}

/** @throws MalformedError */
export function readTstInfo(encoded: Uint8Array): TstInfo {
  const [version, policy, imprint, serial, genTime, ...rest] = sequence(readDer(encoded, 0x30), 5, 10)
  const [algorithm, digest] = sequence(imprint, 2)
  const optional = (tag: number): Der | undefined => (rest[0]?.tag === tag ? rest.shift() : undefined)
  const accuracy = optional(0x30)
  const ordering = optional(0x01)
  const nonce = optional(0x02)
  const authority = optional(0xa0)
  const extensions = optional(0xa1)
  if (rest.length > 0) malformed('TSTInfo members')
  const algorithmId = oidOf(sequence(algorithm, 1, 2)[0])
  return {
    version: smallInteger(version),
    policy: oidOf(policy),
    algorithmId,
    algorithm: digestNamed(algorithmId),
    imprint: octets(digest),
    serial: serialHex(serial),
    genTime: anyTimeOf(tagged(genTime, 0x18)),
    ...accuracyOf(accuracy),
    ordering: ordering !== undefined && boolean(ordering),
    nonce: nonce === undefined ? undefined : nonceHex(nonce),
    authority: authority === undefined ? undefined : explicit(authority, 0xa0),
    criticalExtension: extensions === undefined ? undefined : criticalOf(extensions),
  }
}

function accuracyOf(element: Der | undefined): { accuracy: number | undefined; accuracyInRange: boolean } {
  if (element === undefined) return { accuracy: undefined, accuracyInRange: true }
  let micros = 0
  let accuracyInRange = true
  for (const part of children(element)) {
    const value = smallInteger({ ...part, tag: 0x02 })
    if (part.tag !== 0x02 && value > 999) accuracyInRange = false
    micros += part.tag === 0x02 ? value * 1_000_000 : part.tag === 0x80 ? value * 1000 : value
  }
  return { accuracy: micros, accuracyInRange }
}

/** Nonces are numbers of any sign; the same digits as `openssl ts -text` shows, without leading zeros. */
export function nonceHex(found: Der): string {
  const contents = integerContents(found)
  return (contents[0] ?? 0) < 0x80 ? serialHex(found) : `-${serialHex(found)}`
}

function criticalOf(extensions: Der): string | undefined {
  for (const each of children(extensions)) {
    const [id, critical] = sequence(each, 2, 3)
    if (critical?.tag === 0x01 && boolean(critical)) return oidOf(id)
  }
  return undefined
}
