/**
 * The commands that the certificate gives, each tried in tests on what it attaches. They run in a POSIX shell in a folder that holds the
 * certificate and the file, with coreutils, OpenSSL 3 and poppler.
 */
import type { CertificateFacts, CertificateStamp } from './certificate-facts.ts'

/** Puts the attached files beside the certificate. */
export function detachCommand(id: string): string {
  return `pdfdetach -saveall ${certificateName(id)}`
}

/** C-76. */
export function certificateName(id: string): string {
  return `deposit_${id}.pdf`
}

/** @param file how the language calls the file that was deposited */
export function sumCommand(file: string): string {
  return `sha256sum ${file}`
}

/** Over the file itself where it was sealed by itself; else over the root. */
export function timestampCommand(
  { root, batch, renewals }: Pick<CertificateFacts, 'root' | 'batch' | 'renewals'>,
  stamp: Pick<CertificateStamp, 'file' | 'caFile' | 'genTime'>,
  file: string,
): string {
  const over = batch.size === 1 ? `-data ${file}` : `-digest ${root}`
  return `openssl ts -verify ${over}${batch.size === 1 ? ' ' : ' \\\n  '}-in ${stamp.file} -CAfile ${stamp.caFile}${attimeOf(stamp, renewals.length > 0)}`
}

/** One that was renewed is judged as of its own instant: its certificate may have ended since. */
export function attimeOf({ genTime }: Pick<CertificateStamp, 'genTime'>, isRenewed: boolean): string {
  return isRenewed ? ` \\\n  -attime ${String(Math.floor(Date.parse(genTime) / 1000))}` : ''
}

export const signatureCommand =
  'openssl cms -verify -binary -inform DER -in signature.p7s -content root.bin \\\n  -CAfile platform-ca.pem -purpose any -out /dev/null'

export function otsCommand(file: string): string {
  return `ots verify -f ${file} document.ots`
}

export function pdfCommand(id: string): string {
  return `pdfsig ${certificateName(id)}`
}
