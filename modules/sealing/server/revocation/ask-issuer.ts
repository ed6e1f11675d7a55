import { createHash } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import { readAnyCertificate, revocationOf } from '../../../verification/server/index.ts'
import { exchange } from '../connections/exchange.ts'
import type { ExchangeRules } from '../connections/exchange.ts'
import { readCertificate } from '../certificates/read-certificate.ts'
import type { CertificateFacts } from '../certificates/read-certificate.ts'
import { children, DerError, expectTag, objectIdentifierOf, readDer } from '../encoding/read-der.ts'
import { objectIdentifier, octetString, sequence } from '../encoding/write-der.ts'

/** What an issuer says of certificates, DER: certificate lists, and OCSP answers. */
export type RevocationEvidence = { readonly crls: readonly Uint8Array[]; readonly ocsps: readonly Uint8Array[] }

const largestAnswer = 64 * 1024
/** What fits in a report that mail takes; larger lists belong to authorities that also answer OCSP. */
const largestList = 512 * 1024
const sha1Identifier = '1.3.14.3.2.26'
const authorityInfoAccess = '1.3.6.1.5.5.7.1.1'
const crlDistributionPoints = '2.5.29.31'
const ocspMethod = '1.3.6.1.5.5.7.48.1'

/**
 * Asks the issuer of a certificate whether it still stands: OCSP (RFC 6960) first, then its list (RFC 5280 §4.2.1.13), at the
 * addresses in the certificate. Answers only what its issuer signed and what says that it was good at `at`; undefined when none did.
 */
export async function askIssuer(
  certificate: Uint8Array,
  issuer: Uint8Array,
  at: Date,
  rules: ExchangeRules,
): Promise<RevocationEvidence | undefined> {
  const { ocsp, crl } = addressesIn(certificate)
  const holds = (found: RevocationEvidence): boolean => {
    const answer = revocationOf(readAnyCertificate(certificate, 'lenient'), readAnyCertificate(issuer, 'lenient'), found)
    return answer?.status === 'good' && (answer.at >= at || (answer.nextUpdate !== undefined && answer.nextUpdate >= at))
  }
  for (const url of ocsp.slice(0, 2)) {
    const body = await quietly(async () =>
      exchange(
        {
          url,
          method: 'POST',
          body: statusRequest(readCertificate(certificate), readCertificate(issuer)),
          accept: 'application/ocsp-response',
          maxBytes: largestAnswer,
          headers: { 'content-type': 'application/ocsp-request' },
        },
        rules,
      ),
    )
    const found = { crls: [], ocsps: body === undefined ? [] : [body] }
    if (body !== undefined && holds(found)) return found
  }
  for (const url of crl.slice(0, 2)) {
    const body = await quietly(async () => exchange({ url, accept: 'application/pkix-crl', maxBytes: largestList }, rules))
    const found = { crls: body === undefined ? [] : [body], ocsps: [] }
    if (body !== undefined && holds(found)) return found
  }
  return undefined
}

/** An authority that does not answer, or answers nonsense, leaves the evidence absent: a seal never waits for strangers. */
async function quietly(ask: () => Promise<{ status: number; body: Buffer }>): Promise<Uint8Array | undefined> {
  try {
    const { status, body } = await ask()
    return status === 200 ? new Uint8Array(body) : undefined
  } catch (error) {
    if (error instanceof DomainError || error instanceof DerError) return undefined
    throw error
  }
}

/** OCSPRequest about one certificate, without nonce: responders answer from what they prepared (RFC 9654 §2.1, RFC 5019). */
function statusRequest(certificate: CertificateFacts, issuer: CertificateFacts): Uint8Array<ArrayBuffer> {
  const [, key] = children(readDer(new Uint8Array(issuer.x509.publicKey.export({ type: 'spki', format: 'der' })), 0x30))
  const hash = (bytes: Uint8Array): Uint8Array => octetString(createHash('sha1').update(bytes).digest())
  const id = sequence(
    sequence(objectIdentifier(sha1Identifier)),
    hash(issuer.subject),
    hash(expectTag(key, 0x03).contents.subarray(1)),
    certificate.serialEncoded,
  )
  return sequence(sequence(sequence(sequence(id))))
}

/** Where the certificate says that its issuer answers. Hostile: what is no address is left out. */
export function addressesIn(certificate: Uint8Array): { ocsp: string[]; crl: string[] } {
  const found = { ocsp: [] as string[], crl: [] as string[] }
  try {
    const [tbs] = children(readDer(certificate, 0x30))
    const wrapper = children(expectTag(tbs, 0x30)).find(({ tag }) => tag === 0xa3)
    for (const extension of wrapper === undefined ? [] : children(readDer(wrapper.contents, 0x30))) {
      const [id, ...rest] = children(extension)
      const name = objectIdentifierOf(id)
      const value = readDer(expectTag(rest.at(-1), 0x04).contents, 0x30)
      if (name === authorityInfoAccess)
        for (const each of children(value)) {
          const [method, place] = children(each)
          if (objectIdentifierOf(method) === ocspMethod && place?.tag === 0x86) found.ocsp.push(textOf(place.contents))
        }
      // DistributionPoint: [0] distributionPoint: [0] fullName: [6] address.
      if (name === crlDistributionPoints)
        for (const point of children(value))
          for (const part of children(point).filter(({ tag }) => tag === 0xa0))
            for (const full of children(part).filter(({ tag }) => tag === 0xa0))
              for (const place of children(full)) if (place.tag === 0x86) found.crl.push(textOf(place.contents))
    }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
  }
  const usable = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)
  return { ocsp: found.ocsp.filter(usable), crl: found.crl.filter(usable) }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 500)).toString('latin1')
