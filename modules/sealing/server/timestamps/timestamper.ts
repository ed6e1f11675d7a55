import { readCertificate } from '../certificates/read-certificate.ts'

/** A token that was fully checked against the digest it was asked for. */
export type Timestamp = {
  /** RFC 3161 TimeStampResp, DER. */
  readonly response: Uint8Array
  /** The bare TimeStampToken (CMS ContentInfo) inside it, DER. */
  readonly token: Uint8Array
  /** Common name (else organisation) of the signing certificate. */
  readonly authority: string
  readonly genTime: Date
  /** Lower-case hexadecimal without leading zeros. */
  readonly serial: string
  readonly embedded: boolean
  /** The certificate that signed the token, DER. */
  readonly certificate: Uint8Array
  /** Its issuers, DER, nearest first; the last is self-signed. */
  readonly chain: readonly Uint8Array[]
}

/** End of the certificate that signed it, or of an issuer of it that ends before: until then it speaks for itself. */
export function endOf({ certificate, chain }: Pick<Timestamp, 'certificate' | 'chain'>): Date {
  return new Date(Math.min(...[certificate, ...chain].map((each) => readCertificate(each).notAfter.getTime())))
}

export type Timestamper = {
  /** Address of the authority without credentials, query or fragment; `embedded` for our own. */
  readonly name: string
  readonly embedded: boolean
  /**
   * @param digest SHA-256, 32 bytes.
   * @throws DomainError `sealing.tsa_…` that names why no token of this authority can be used.
   */
  timestamp(digest: Uint8Array, signal?: AbortSignal): Promise<Timestamp>
}
