import { X509Certificate } from 'node:crypto'
import { open } from 'node:fs/promises'

export type CertificateRow = {
  readonly subject: string
  readonly issuer: string
  /** ISO 8601. */
  readonly validFrom: string
  readonly validTo: string
  /** Of the DER, lower-case hexadecimal. */
  readonly sha256: string
}

export type CertificateList = { readonly path: string; readonly total: number; readonly rows: readonly CertificateRow[] }

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

function rowOf(pem: string): CertificateRow | null {
  try {
    const certificate = new X509Certificate(pem)
    return {
      subject: certificate.subject.replaceAll('\n', ', '),
      issuer: certificate.issuer.replaceAll('\n', ', '),
      validFrom: certificate.validFromDate.toISOString(),
      validTo: certificate.validToDate.toISOString(),
      sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    }
  } catch {
    // A certificate that OpenSSL cannot parse came from a hostile server; it stays in the piece and in the total.
    return null
  }
}

/** Each certificate of a sealed PEM file once, in its order; at most `rows` of them from the first `bytes` of the file. */
export async function readCertificates(
  piece: { readonly path: string; readonly file: string } | null,
  limits: { readonly bytes: number; readonly rows: number } = { bytes: 4 * 1024 * 1024, rows: 60 },
): Promise<CertificateList | null> {
  if (piece === null) return null
  const file = await open(piece.file)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(limits.bytes), 0, limits.bytes, 0)
    const unique = [...new Set(buffer.toString('latin1', 0, bytesRead).match(block) ?? [])]
    const rows = unique.slice(0, limits.rows).flatMap((pem) => rowOf(pem) ?? [])
    return { path: piece.path, total: unique.length, rows }
  } finally {
    await file.close()
  }
}
