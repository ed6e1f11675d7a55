import { MalformedError } from '../encoding/der.ts'
import { fromBase64, readCertificate } from './x509.ts'
import type { Certificate } from './x509.ts'

const most = 256
const largest = 4 << 20

/** Certificates that somebody dropped: PEM with any text between (as `openssl s_client` prints them), or one in DER. Those that cannot be read are left out. */
export function readTrust(bytes: Uint8Array | undefined): Certificate[] {
  if (bytes === undefined || bytes.length > largest) return []
  if (bytes[0] === 0x30) return readOrNone(() => bytes)
  const text = new TextDecoder().decode(bytes)
  const found: Certificate[] = []
  for (const block of text.matchAll(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END/g)) {
    if (found.length === most) break
    found.push(...readOrNone(() => fromBase64((block[1] ?? '').replaceAll(/\s/g, ''))))
  }
  return found
}

function readOrNone(encoded: () => Uint8Array): Certificate[] {
  try {
    return [readCertificate(encoded(), 'lenient')]
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}
