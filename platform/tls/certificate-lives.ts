import { readFile } from 'node:fs/promises'
import type { TlsConfig } from '../config/parts/tls.ts'
import type { Db } from '../db/database.ts'
import { readCertificate } from './order-certificate.ts'
import { listCertificates } from './tls-store.ts'

export type CertificateLife = {
  readonly host: string
  /** Null: none was had yet. */
  readonly life: { readonly notBefore: Date; readonly notAfter: Date } | null
}

/**
 * Of each certificate that visitors are shown by us; those of a proxy are its own.
 * @param ownHost of the installation's address
 * @throws Error when files of a certificate cannot be read, or do not belong together
 */
export async function readCertificateLives(tls: TlsConfig, db: Db, ownHost: string): Promise<readonly CertificateLife[]> {
  if (tls.by === 'proxy') return []
  if (tls.by === 'files') {
    const [chain, key] = await Promise.all([readFile(tls.certificateFile, 'utf8'), readFile(tls.keyFile, 'utf8')])
    return [{ host: ownHost, life: readCertificate(null, chain, key) }]
  }
  return (await listCertificates(db)).map(({ host, not_before: notBefore, not_after: notAfter }) => ({
    host,
    life: notBefore === null || notAfter === null ? null : { notBefore, notAfter },
  }))
}
