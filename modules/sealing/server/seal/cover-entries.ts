import { createHash } from 'node:crypto'
import { fromHex, utf8 } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { obtainTimestamps } from '../timestamps/obtain-timestamps.ts'
import { pemOf } from '../certificates/read-certificate.ts'
import type { Timestamper } from '../timestamps/timestamper.ts'

export type CoveredEntry = {
  readonly path: string
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

const packagePath = /^[A-Za-z0-9._/-]+$/

/**
 * An ASiCManifest over entries of the container, in the order given, the bare time-stamp token over that file
 * (EN 319 162-1 §4.4 and §A.7), and the chain of the authority that made it: it need not be one that stamped the root. `number` 1 covers the core, 2 the pieces: see docs/package-format.md.
 */
export async function coverEntries(
  { number, entries }: { number: 1 | 2; entries: readonly CoveredEntry[] },
  { timestampers, signal }: { timestampers: readonly Timestamper[]; signal?: AbortSignal | undefined },
): Promise<{ path: string; bytes: Uint8Array }[]> {
  const token = `META-INF/timestamp00${number}.tst`
  const manifest = utf8(asicManifest(token, entries))
  const digest = new Uint8Array(createHash('sha256').update(manifest).digest())
  const { timestamps } = await obtainTimestamps(digest, timestampers, { wanted: 1, signal })
  const [timestamp] = timestamps
  if (timestamp === undefined) throw new DomainError('unavailable', 'sealing.no_timestamp', { asked: timestampers.length })
  return [
    { path: `META-INF/ASiCManifest00${number}.xml`, bytes: manifest },
    { path: token, bytes: timestamp.token },
    { path: `META-INF/timestamp00${number}-ca.pem`, bytes: utf8(pemOf(timestamp.chain)) },
  ]
}

function asicManifest(token: string, entries: readonly CoveredEntry[]): string {
  const seen = new Set<string>()
  const references = entries.map(({ path, sha256 }) => {
    // The names need no escaping, in XML nor in a URI, because of this rule.
    if (!packagePath.test(path) || seen.has(path)) throw new DomainError('invalid', 'sealing.entry_path', { path })
    seen.add(path)
    return (
      `<asic:DataObjectReference URI="${path}"><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>` +
      `<ds:DigestValue>${digestOf(path, sha256).toString('base64')}</ds:DigestValue></asic:DataObjectReference>\n`
    )
  })
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<asic:ASiCManifest xmlns:asic="http://uri.etsi.org/02918/v1.2.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\n` +
    `<asic:SigReference URI="${token}" MimeType="application/vnd.etsi.timestamp-token"/>\n${references.join('')}` +
    `</asic:ASiCManifest>\n`
  )
}

function digestOf(path: string, sha256: string): Buffer {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new DomainError('invalid', 'sealing.piece_digest', { path })
  return Buffer.from(fromHex(sha256))
}
