import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pemOf, readCertificate, type CertificateFacts } from '../certificates/read-certificate.ts'
import { damaged, readOwn, writeOnce } from './key-folder.ts'

/**
 * Certificates of keys that are in a token, `platform-token.<number>.pem` beside the keyring's own: what sealed here stays known when
 * the token is gone. The first line says since when; then certificate and issuers, nearest first, the last self-signed.
 */
export type TokenCertificate = {
  readonly file: string
  readonly number: number
  readonly since: Date
  readonly certificate: CertificateFacts
  readonly chain: readonly CertificateFacts[]
}

const fileName = /^platform-token\.([1-9]\d{0,5})\.pem$/
export const isTokenCertificateFile = (name: string): boolean => fileName.test(name)

/** Oldest first. @throws DomainError `sealing.keyring_…` */
export async function readTokenCertificates(dir: string): Promise<TokenCertificate[]> {
  const found: TokenCertificate[] = []
  for (const name of await readdir(dir)) {
    const number = fileName.exec(name)?.[1]
    if (number !== undefined) found.push(await readOne(dir, Number(number)))
  }
  return found.toSorted((a, b) => a.number - b.number)
}

/** Answers what stands under that number: another process may have been first. */
export async function keepTokenCertificate(
  dir: string,
  number: number,
  since: Date,
  certificates: readonly Uint8Array[],
): Promise<TokenCertificate> {
  await writeOnce(dir, `platform-token.${number}.pem`, `since: ${since.toISOString()}\n${pemOf(certificates)}`)
  return await readOne(dir, number)
}

async function readOne(dir: string, number: number): Promise<TokenCertificate> {
  const file = join(dir, `platform-token.${number}.pem`)
  const text = await readOwn(file)
  try {
    const since = new Date(/^since: (\S+)\n/.exec(text)?.[1] ?? '')
    const { certificate, chain } = readChain(text)
    if (Number.isNaN(since.getTime())) throw new Error('no date')
    return { file, number, since, certificate, chain }
  } catch (error) {
    throw damaged(file, error instanceof Error ? error.message : 'unreadable', error)
  }
}

/** Certificate and issuers of PEM text. @throws Error that says what is wrong with the chain. */
export function readChain(text: string): { certificate: CertificateFacts; chain: readonly CertificateFacts[] } {
  const [certificate, ...chain] = [
    ...text.matchAll(/-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE-----/g),
  ].map((match) => readCertificate(new Uint8Array(Buffer.from(match[1] ?? '', 'base64'))))
  if (certificate === undefined) throw new Error('no certificate')
  for (const [index, subject] of [certificate, ...chain].entries()) {
    const issuer = chain[index] ?? subject
    if (!subject.x509.checkIssued(issuer.x509) || !subject.x509.verify(issuer.x509.publicKey))
      throw new Error('the issuers up to the self-signed root must follow the certificate, nearest first')
  }
  return { certificate, chain }
}
