import { equalBytes } from '../../../../kernel/bytes.ts'
import { digestNamed, digests } from '../hash/digests.ts'
import { orUndefined } from '../cms/check-signer.ts'
import { ocspAnswers } from '../cms/revocation.ts'
import { oidOf, readDer, sequence, tagged } from '../encoding/der.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import { childrenOf, textOf } from '../xml/read-xml.ts'
import { base64Of } from '../xml/xml-signature.ts'
import { isNamed, xades } from './read-signature.ts'
import type { XmlSignature } from './read-signature.ts'

/** The rules of BDOC 2.1, by their number. */
const timeMarkRules = /^\s*(?:urn:oid:)?1\.3\.6\.1\.4\.1\.10015\.1000\.3\.2\.\d{1,4}\s*$/

/**
 * A signature by the rules of BDOC (BDOC 2.1 §6.1) has no time stamp: the answer about its certificate dates it, because it was asked for with the
 * digest of the signature as nonce. Without that equality any later answer about the certificate would do. No check where the signer does
 * not name these rules.
 */
export function timeMarkCheck(
  signature: XmlSignature,
  certificate: Certificate,
  issuers: readonly Certificate[],
  ocsps: readonly Uint8Array[],
  pool: readonly Certificate[],
  budget: Budget,
): ProofCheck[] {
  const id = 'time_mark'
  if (!namesRules(signature)) return []
  const value = base64Of(signature.value)
  const answers = ocspAnswers(certificate, issuers, ocsps, pool, budget)
  const marks = answers.map(({ nonce, producedAt }) => ({
    producedAt,
    isOver: nonce === undefined ? undefined : isOver(nonce, value),
  }))
  const held = marks.find(({ isOver: holds }) => holds === true)
  if (held !== undefined)
    return [{ id, status: 'passed', data: { at: held.producedAt.toISOString() }, rests_on: ['time_authority'] }]
  return marks.some(({ isOver: holds }) => holds === false)
    ? [{ id, status: 'failed', data: { reason: 'other_mark' } }]
    : [{ id, status: 'indeterminate', data: { reason: 'mark_absent' } }]
}

function namesRules({ signed }: XmlSignature): boolean {
  return signed
    .filter((each) => isNamed(each, xades, 'SignaturePolicyIdentifier'))
    .flatMap((each) => childrenOf(each, xades, 'SignaturePolicyId'))
    .flatMap((each) => childrenOf(each, xades, 'SigPolicyId'))
    .flatMap((each) => childrenOf(each, xades, 'Identifier'))
    .some((each) => timeMarkRules.test(textOf(each)))
}

/** Whether a nonce is the digest of a signature, with its algorithm; undefined when it is no digest with its algorithm. */
function isOver(nonce: Uint8Array, value: Uint8Array): boolean | undefined {
  const found = orUndefined(() => {
    // RFC 6960 has an OCTET STRING within; earlier software put the nonce itself there.
    const inner = nonce[0] === 0x04 ? readDer(nonce, 0x04).contents : nonce
    const [algorithm, digest] = sequence(readDer(inner, 0x30), 2)
    return { name: digestNamed(oidOf(sequence(algorithm, 1, 2)[0])), digest: tagged(digest, 0x04).contents }
  })
  return found?.name === undefined ? undefined : equalBytes(digests[found.name](value), found.digest)
}
