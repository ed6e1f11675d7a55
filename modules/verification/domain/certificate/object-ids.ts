import type { DigestName } from '../hash/digests.ts'

/** Object identifiers, by the document that assigns them. */
export const ids = {
  // RFC 5652, RFC 5035, RFC 2634, RFC 3161
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  // RFC 8017, RFC 5480
  rsa: '1.2.840.113549.1.1.1',
  mgf1: '1.2.840.113549.1.1.8',
  rsaPss: '1.2.840.113549.1.1.10',
  ecPublicKey: '1.2.840.10045.2.1',
  // RFC 8410
  ed25519: '1.3.101.112',
  // RFC 5280
  commonName: '2.5.4.3',
  subjectAlternativeName: '2.5.29.17',
  privateKeyUsagePeriod: '2.5.29.16',
  authorityKeyIdentifier: '2.5.29.35',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  certificatePolicies: '2.5.29.32',
  extendedKeyUsage: '2.5.29.37',
} as const

/** Signature algorithms that fix their digest. */
export const signatureIds: Readonly<Record<string, { readonly key: 'rsa' | 'ec'; readonly digest: DigestName }>> = {
  '1.2.840.113549.1.1.5': { key: 'rsa', digest: 'sha1' },
  '1.2.840.113549.1.1.14': { key: 'rsa', digest: 'sha224' },
  '1.2.840.113549.1.1.11': { key: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', digest: 'sha512' },
  '1.2.840.10045.4.1': { key: 'ec', digest: 'sha1' },
  '1.2.840.10045.4.3.1': { key: 'ec', digest: 'sha224' },
  '1.2.840.10045.4.3.2': { key: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', digest: 'sha512' },
  // FIPS 202 with RSA and ECDSA (NIST CSOR)
  '2.16.840.1.101.3.4.3.10': { key: 'ec', digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.11': { key: 'ec', digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.12': { key: 'ec', digest: 'sha3-512' },
  '2.16.840.1.101.3.4.3.14': { key: 'rsa', digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.15': { key: 'rsa', digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.16': { key: 'rsa', digest: 'sha3-512' },
}

/** Policy of the platform's embedded time authority (decision 0054): not qualified, not independent of the platform. */
export const embeddedPolicy = '2.25.85084599495091271194178555019902368870.1'
