import { equalBytes } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import { readDer, sequence } from '../encoding/der.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import { serialHex } from '../certificate/x509.ts'
import type { Certificate } from '../certificate/x509.ts'
import type { Reference } from '../xml/dereference.ts'
import { childrenOf, onlyChild, textOf } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { base64Of, ds, statedDigest } from '../xml/xml-signature.ts'
import { isNamed, readable, xades } from './read-signature.ts'
import type { XmlSignature } from './read-signature.ts'

/** Certificates that one signature may have tried upon it. */
const mostTried = 16

/**
 * The certificate that made a signature, and whether what is signed names it (EN 319 132-1 §5.2.2, or the whole of ds:KeyInfo signed):
 * no other one for the same key then stands in for it.
 * @param holds whether the signature was made with the key of a certificate
 */
export function signingCertificateCheck(
  signature: XmlSignature,
  references: readonly Reference[],
  pool: readonly Certificate[],
  enclosed: readonly Certificate[],
  holds: (certificate: Certificate) => boolean,
): { readonly certificate: Certificate | undefined; readonly check: ProofCheck } {
  const id = 'signing_certificate'
  const lists = signature.signed.filter((each) => isNamed(each, xades, 'SigningCertificate', 'SigningCertificateV2'))
  const entries = lists.flatMap((each) => childrenOf(each, xades, 'Cert')).slice(0, mostTried)
  const candidates = enclosed.length > 0 ? enclosed : pool
  if (entries.length === 0) {
    const tried = candidates.slice(0, mostTried)
    const certificate = tried.find(holds) ?? tried.find(({ isAuthority }) => !isAuthority) ?? tried[0]
    const isSigned = signature.keyInfo !== undefined && references.some(({ target }) => target === signature.keyInfo)
    if (isSigned) return { certificate, check: { id, status: 'passed', data: { algorithm: '' } } }
    if (signature.qualifying !== undefined)
      return { certificate, check: { id, status: 'failed', data: { reason: 'attribute_absent' } } }
    return { certificate, check: { id, status: 'indeterminate', supplementary: true, data: { reason: 'not_named' } } }
  }
  let unknown = ''
  const named: { readonly certificate: Certificate; readonly entry: XmlElement }[] = []
  for (const entry of entries) {
    const { name, uri, value } = statedDigest(onlyChild(entry, xades, 'CertDigest'))
    if (name === undefined) unknown = uri.slice(0, 200)
    else
      for (const certificate of pool)
        if (equalBytes(digests[name](certificate.encoded), value)) named.push({ certificate, entry })
  }
  const found = named.slice(0, mostTried).find(({ certificate }) => holds(certificate)) ?? named[0]
  if (found === undefined) {
    const certificate = candidates.slice(0, mostTried).find(holds)
    if (unknown !== '')
      return { certificate, check: { id, status: 'indeterminate', data: { reason: 'unknown_algorithm', algorithm: unknown } } }
    if (certificate === undefined)
      return { certificate, check: { id, status: 'indeterminate', data: { reason: 'names_absent' } } }
    return { certificate, check: { id, status: 'failed', data: { reason: 'other_certificate' } } }
  }
  const { certificate, entry } = found
  const serial = statedSerial(entry)
  if (serial === '') return { certificate, check: { id, status: 'indeterminate', data: { reason: 'attribute_malformed' } } }
  if (serial !== undefined && serial !== certificate.serial)
    return { certificate, check: { id, status: 'failed', data: { reason: 'other_serial' } } }
  return {
    certificate,
    check: { id, status: 'passed', data: { algorithm: statedDigest(onlyChild(entry, xades, 'CertDigest')).name ?? '' } },
  }
}

/** Of IssuerSerial, a decimal number, or of IssuerSerialV2, an IssuerSerial of RFC 5035 in base64; '' when it is neither. */
function statedSerial(entry: XmlElement): string | undefined {
  const [first] = childrenOf(entry, xades, 'IssuerSerial').flatMap((each) => childrenOf(each, ds, 'X509SerialNumber'))
  const text = first === undefined ? '' : textOf(first)
  if (first !== undefined && !/^\d{1,60}$/.test(text)) return ''
  if (first !== undefined) return BigInt(text).toString(16)
  const [second] = childrenOf(entry, xades, 'IssuerSerialV2')
  return second === undefined ? undefined : (readable(() => serialHex(sequence(readDer(base64Of(second), 0x30), 2)[1]))[0] ?? '')
}
