import { equalBytes } from '../../../../../kernel/bytes.ts'
import { digestNamed, digests } from '../../hash/digests.ts'
import { embeddedPolicy, ids } from '../../certificate/object-ids.ts'
import { checkSignedData, hasStrayCertificate, readSignedData } from './read-signed-data.ts'
import type { CmsFlaw } from './read-signed-data.ts'
import {
  boolean,
  children,
  explicit,
  integerHex,
  malformed,
  MalformedError,
  octets,
  oidOf,
  plainAlgorithm,
  readDer,
  sequence,
  smallInteger,
  tagged,
  timeOf,
} from '../../encoding/der.ts'
import type { Der } from '../../encoding/der.ts'
import type { TimestampFacts } from '../../report/package-report.ts'
import { buildChain } from '../../certificate/x509.ts'
import type { Certificate } from '../../certificate/x509.ts'

export type TimestampFlaw =
  | CmsFlaw
  | 'malformed'
  | 'not_granted'
  | 'imprint'
  | 'nonce'
  | 'purpose'
  | 'expired'
  | 'chain'
  | 'weak_algorithm'

/** Whose signature it is, and who vouches for that certificate, nearest first. */
export type TokenChain = { readonly signer: Certificate; readonly issuers: readonly Certificate[] }

export type TimestampOutcome =
  | ({ readonly status: 'passed'; readonly facts: TimestampFacts } & TokenChain)
  | {
      readonly status: 'failed' | 'indeterminate'
      readonly reason: TimestampFlaw
      /** Issuers of the signing certificate, nearest first, when they lead to a root. */
      readonly issuers?: readonly Certificate[]
      /** Of a token with nothing against it but that its algorithms are weak. */
      readonly weak?: TimestampFacts
    }

/**
 * Checks an RFC 3161 token or full response: status, imprint, CMS over the signed attributes, ESSCertID, critical and single
 * purpose, chain to a self-signed root enclosed or given, validity at genTime. Never throws.
 * @param digest what must have been stamped, under SHA-256.
 * @param known certificates from the package: issuers and roots.
 */
export function verifyTimestamp(
  encoded: Uint8Array,
  expected: {
    readonly digest: Uint8Array
    readonly known: readonly Certificate[]
    readonly nonce?: string
    readonly form: 'response' | 'token' | 'either'
  },
): TimestampOutcome {
  try {
    return verify(encoded, expected)
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return { status: 'failed', reason: 'malformed' }
    throw error
  }
}

function verify(encoded: Uint8Array, expected: Parameters<typeof verifyTimestamp>[1]): TimestampOutcome {
  const fail = (reason: TimestampFlaw): TimestampOutcome => ({ status: 'failed', reason })
  if (encoded.length > 1 << 20) return fail('malformed')
  const token = tokenOf(encoded, expected.form)
  if (token === undefined) return fail('not_granted')
  const data = readSignedData(token)
  if (data.contentType !== ids.tstInfo || data.content === undefined) return fail('content_type')
  const info = readTstInfo(data.content)
  // RFC 3161 §2.4.2 allows unsigned attributes; nothing would notice a change in them, so none is accepted here.
  if (data.unsigned.size > 0) return fail('unaccounted')
  const checked = checkSignedData(data, digests[data.digest](data.content))
  if (typeof checked === 'string') return fail(checked)
  // After the signature: a token that was itself altered is not said to date something else.
  if (info.digest !== 'sha256' || !equalBytes(info.imprint, expected.digest)) return fail('imprint')
  if (expected.nonce !== undefined && info.nonce !== expected.nonce) return fail('nonce')
  const { signer } = checked
  const usage = signer.extendedKeyUsage
  if (usage === undefined || !usage.critical || usage.purposes.length !== 1 || usage.purposes[0] !== ids.timeStamping)
    return fail('purpose')
  const pool = [...expected.known, ...data.certificates]
  const chain = buildChain(signer, pool, info.genTime)
  if (chain === 'expired') return fail('expired')
  if (chain === 'chain') return { status: 'indeterminate', reason: 'chain' }
  const facts: TimestampFacts = {
    authority: signer.name,
    gen_time: info.genTime.toISOString(),
    serial: info.serial,
    policy: info.policy,
    accuracy_us: info.accuracy,
    embedded: info.policy === embeddedPolicy,
    signer_sha256: signer.sha256,
    root_sha256: chain.root.sha256,
    root_name: chain.root.name,
    valid_until: new Date(Math.min(...[signer, ...chain.issuers].map(({ notAfter }) => notAfter.getTime()))).toISOString(),
  }
  const { issuers } = chain
  if (hasStrayCertificate(data, pool)) return { status: 'indeterminate', reason: 'unaccounted', issuers }
  if (checked.weak || chain.weak) return { status: 'indeterminate', reason: 'weak_algorithm', issuers, weak: facts }
  return { status: 'passed', facts, signer, issuers }
}

/** The bare token, alone or in a response that grants it. */
function tokenOf(encoded: Uint8Array, form: 'response' | 'token' | 'either'): Uint8Array | undefined {
  const [first, second] = sequence(readDer(encoded, 0x30), 1, 2)
  const isToken = first?.tag === 0x06
  if ((form === 'token' && !isToken) || (form === 'response' && isToken)) malformed('not the form that belongs here')
  if (isToken) return encoded
  const [status] = sequence(first, 1, 3)
  return smallInteger(status) > 1 || second === undefined ? undefined : tagged(second, 0x30).encoded
}

function readTstInfo(encoded: Uint8Array) {
  const [version, policy, imprint, serial, genTime, ...rest] = sequence(readDer(encoded, 0x30), 5, 10)
  if (smallInteger(version) !== 1) malformed('TSTInfo version')
  const [algorithm, digest] = sequence(imprint, 2)
  const optional = (tag: number): Der | undefined => (rest[0]?.tag === tag ? rest.shift() : undefined)
  const accuracy = optional(0x30)
  const ordering = optional(0x01)
  if (ordering !== undefined) boolean(ordering)
  const nonce = optional(0x02)
  const authority = optional(0xa0)
  if (authority !== undefined) explicit(authority, 0xa0)
  const extensions = optional(0xa1)
  for (const each of extensions === undefined ? [] : children(extensions)) {
    const parts = sequence(each, 2, 3)
    if (parts.length === 3 && parts[1] !== undefined && boolean(parts[1])) malformed('critical extension')
  }
  if (rest.length > 0) malformed('TSTInfo members')
  return {
    policy: oidOf(policy),
    digest: digestNamed(plainAlgorithm(algorithm)),
    imprint: octets(digest),
    serial: integerHex(serial),
    genTime: timeOf(tagged(genTime, 0x18)),
    accuracy: accuracy === undefined ? null : accuracyOf(accuracy),
    nonce: nonce === undefined ? undefined : integerHex(nonce),
  }
}

function accuracyOf(element: Der): number {
  let micros = 0
  for (const part of children(element)) {
    const value = smallInteger({ ...part, tag: 0x02 })
    micros += part.tag === 0x02 ? value * 1_000_000 : part.tag === 0x80 ? value * 1000 : value
  }
  return micros
}
