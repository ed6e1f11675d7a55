import { toHex } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import { isSafePath } from './read-manifest.ts'
import { fromBase64 } from '../certificate/x509.ts'

export type Reference = { readonly path: string; readonly sha256: string }

const start =
  /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<asic:ASiCManifest xmlns:asic="http:\/\/uri\.etsi\.org\/02918\/v1\.2\.1#" xmlns:ds="http:\/\/www\.w3\.org\/2000\/09\/xmldsig#">\n<asic:SigReference URI="([A-Za-z0-9._/-]+)" MimeType="application\/vnd\.etsi\.timestamp-token"\/>\n/
const reference =
  /<asic:DataObjectReference URI="([A-Za-z0-9._/-]+)"><ds:DigestMethod Algorithm="http:\/\/www\.w3\.org\/2001\/04\/xmlenc#sha256"\/><ds:DigestValue>([A-Za-z0-9+/=]{44})<\/ds:DigestValue><\/asic:DataObjectReference>\n/y
const end = '</asic:ASiCManifest>\n'

/**
 * Reads an ASiCManifest exactly as the format writes it (EN 319 162-1 §A.4). A general XML reader would bring entities,
 * namespaces and two ways to read one text; one fixed spelling brings none. @throws MalformedError
 */
export function readAsicManifest(bytes: Uint8Array): { readonly token: string; readonly references: readonly Reference[] } {
  const text = new TextDecoder().decode(bytes)
  const head = start.exec(text)
  if (head === null) malformed('not an ASiC manifest')
  const references: Reference[] = []
  const seen = new Set<string>()
  let at = head[0].length
  for (;;) {
    reference.lastIndex = at
    const found = reference.exec(text)
    if (found === null) break
    const path = found[1] ?? ''
    if (seen.has(path) || !isSafePath(path)) malformed('a reference twice')
    seen.add(path)
    references.push({ path, sha256: toHex(fromBase64(found[2] ?? '')) })
    at = reference.lastIndex
  }
  if (text.slice(at) !== end) malformed('not an ASiC manifest')
  return { token: head[1] ?? '', references }
}
