/** Object identifiers, by the document that assigns them. */
export const oids = {
  // RFC 5652, CMS
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  // RFC 5035 and RFC 2634, ESS
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  // RFC 3161
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  // RFC 8017, RFC 5758, RFC 5480, RFC 8419
  rsaEncryption: '1.2.840.113549.1.1.1',
  rsaSsaPss: '1.2.840.113549.1.1.10',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  sha384WithRsa: '1.2.840.113549.1.1.12',
  sha512WithRsa: '1.2.840.113549.1.1.13',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  ecdsaWithSha384: '1.2.840.10045.4.3.3',
  ecdsaWithSha512: '1.2.840.10045.4.3.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  // RFC 5280
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const

/** Names that node:crypto knows, by the identifier of the digest. SHA-1 is left out on purpose (SHAttered, 2017). */
export const digestNames: Readonly<Record<string, { readonly name: 'sha256' | 'sha384' | 'sha512'; readonly bytes: number }>> = {
  [oids.sha256]: { name: 'sha256', bytes: 32 },
  [oids.sha384]: { name: 'sha384', bytes: 48 },
  [oids.sha512]: { name: 'sha512', bytes: 64 },
}

/**
 * Policy under which the embedded authority stamps: the clock of the machine, no audit, not qualified. An arc under 2.25 is
 * nobody's to grant: it is a random UUID, 4002b2a2-d95a-a07e-6114-f0644e4cbc66 (ITU-T X.667 §7), and 1 under it.
 */
export const embeddedPolicy = `2.25.${BigInt('0x4002b2a2d95aa07e6114f0644e4cbc66').toString()}.1`
