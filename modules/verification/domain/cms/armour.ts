import { MalformedError } from '../encoding/der.ts'
import { fromBase64 } from '../certificate/x509.ts'

/** Of text. What is longer is read by nobody, and who asks says so of octets (32 MiB at most). */
const longestText = 48 << 20

/**
 * The bytes of a proof that was pasted: as they are when they begin as ASN.1 does, or the contents of PEM (RFC 7468, any label) or
 * of base64 with any line ends, also the one of web addresses. @returns undefined when it is none of them.
 */
export function unarmoured(input: Uint8Array): Uint8Array | undefined {
  if (input.length === 0) return undefined
  if (input[0] === 0x30) {
    // "0" also begins base64 that nobody writes for ASN.1: a SEQUENCE is "MI" or "MC".
    return input
  }
  if (input.length > longestText) return undefined
  const text = new TextDecoder().decode(input)
  const armour = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/.exec(text)
  const digits = (armour?.[2] ?? text).replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (!/^M[A-Za-z0-9+/]+$/.test(digits)) return undefined
  try {
    return fromBase64(digits.padEnd(Math.ceil(digits.length / 4) * 4, '='))
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}
