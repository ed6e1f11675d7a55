import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../kernel/bytes.ts'
import { children, MalformedError, oidOf, readDer, sequence, tagged } from '../encoding/der.ts'
import type { Certificate } from '../certificate/x509.ts'

/**
 * First 128 bits of the SHA-256 of the SubjectPublicKeyInfo. A listed identity *is* one key, whatever certificates carry it (TS 119 612 §5.5.3): whoever
 * has another certificate for that key and can sign with it is that service.
 */
export function keyDigest(certificate: Pick<Certificate, 'tbs'>): string {
  const fields = children(readDer(certificate.tbs, 0x30))
  // Certificates of version 1, which old services still have, state no version (RFC 5280 §4.1).
  return toHex(sha256(tagged(fields[fields[0]?.tag === 0xa0 ? 6 : 5], 0x30).encoded)).slice(0, 32)
}

const countryName = '2.5.4.6'

/** Countries that the subject of a certificate names, as the lists write them. Empty when it names none. */
export function countriesOf(certificate: Pick<Certificate, 'subject'>): string[] {
  const found: string[] = []
  try {
    for (const relative of children(readDer(certificate.subject, 0x30))) {
      for (const each of children(tagged(relative, 0x31))) {
        const [id, value] = sequence(each, 2)
        const code = value === undefined ? '' : new TextDecoder().decode(value.contents).toUpperCase()
        if (oidOf(id) === countryName && /^[A-Z]{2}$/.test(code)) found.push(listTerritory(code))
      }
    }
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
  }
  return found
}

/** The lists follow the Commission's own codes: Greece is EL (TS 119 612 §5.3.10), and the United Kingdom UK. */
export function listTerritory(country: string): string {
  if (country === 'GR') return 'EL'
  return country === 'GB' ? 'UK' : country
}
