import type { Conclusion, Signer } from './conclude.ts'

/**
 * Fingerprints as people write, copy or scan them: 64 hexadecimal digits each, in groups, with colons, in capitals, after `SHA256:` or as
 * `openssl x509 -fingerprint` prints them; several one a line, or with commas. Undefined when something else stands there.
 */
export function readFingerprints(text: string): string[] | undefined {
  const lines = text.split(/[\n,;]/).filter((line) => line.trim() !== '')
  const found = lines.map((line) =>
    line
      .replace(/^\s*sha-?256(?:\s+fingerprint)?\s*[:=]/i, '')
      .replace(/[\s:\u00a0\u202f-]/g, '')
      .toLowerCase(),
  )
  return found.length > 0 && found.length <= 16 && found.every((each) => /^[0-9a-f]{64}$/.test(each)) ? found : undefined
}

/** Authorities whom nobody here vouches for and that have a fingerprint to compare; also while another one was typed. */
export function unknownAuthorities({ word, unmatched }: Pick<Conclusion, 'word' | 'unmatched'>): Signer[] {
  const found = word.signers.filter(({ basis, sha256 }) => sha256 !== '' && (basis === 'unknown' || unmatched.length > 0))
  return [...new Map(found.map((each) => [each.sha256, each])).values()].slice(0, 8)
}
