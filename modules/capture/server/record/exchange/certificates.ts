/** Certificates of each origin exactly as the wire showed them. Nothing here says that they are valid: that is the browser's finding. */
import { X509Certificate } from 'node:crypto'
import type { ConnectionCertificates } from './exchange.ts'

export type CertificateSummary = {
  readonly subject: string
  readonly issuer: string
  /** ISO 8601, UTC. */
  readonly valid_from: string
  readonly valid_to: string
  readonly serial: string
  /** SHA-256 of the DER, lower-case hexadecimal. */
  readonly sha256: string
  /** As written in the certificate: `DNS:example.org, IP Address:…`; empty when absent. */
  readonly alternative_names: string
}

export type OriginCertificates = {
  readonly host: string
  readonly port: number
  readonly connection_ids: readonly string[]
  /** Leaf first, as sent. A certificate that can't be parsed has only its hash. */
  readonly chain: readonly (CertificateSummary | { readonly sha256: string })[]
}

function pemOf(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

async function sha256Of(der: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Uint8Array.from(der))).toString('hex')
}

async function summarise(der: Uint8Array): Promise<CertificateSummary | { sha256: string }> {
  const sha256 = await sha256Of(der)
  try {
    const certificate = new X509Certificate(der)
    return {
      subject: certificate.subject.replaceAll('\n', ', '),
      issuer: certificate.issuer.replaceAll('\n', ', '),
      valid_from: new Date(certificate.validFrom).toISOString(),
      valid_to: new Date(certificate.validTo).toISOString(),
      serial: certificate.serialNumber,
      sha256,
      alternative_names: certificate.subjectAltName ?? '',
    }
  } catch {
    return { sha256 }
  }
}

/** One entry for each distinct chain of a host and port, in order of appearance. PEM comments name the origin (RFC 7468 §2). */
export async function describeCertificates(
  certificates: readonly ConnectionCertificates[],
): Promise<{ pem: string; origins: readonly OriginCertificates[] }> {
  const groups = new Map<string, { first: ConnectionCertificates; ids: string[] }>()
  for (const entry of certificates) {
    if (entry.chain.length === 0) continue
    const key = `${entry.host}:${entry.port} ${entry.chain.map((der) => Buffer.from(der).toString('base64')).join(' ')}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { first: entry, ids: [entry.connection_id] })
    else group.ids.push(entry.connection_id)
  }
  const origins: OriginCertificates[] = []
  let pem = ''
  for (const { first, ids } of groups.values()) {
    origins.push({
      host: first.host,
      port: first.port,
      connection_ids: ids,
      chain: await Promise.all(first.chain.map(summarise)),
    })
    pem += `# ${first.host.replace(/[^\x21-\x7e]/g, '?')}:${first.port}\n${first.chain.map(pemOf).join('')}`
  }
  return { pem, origins }
}
