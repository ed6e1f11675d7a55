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
