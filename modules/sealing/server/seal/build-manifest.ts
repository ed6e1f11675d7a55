import { toHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { leafHash, manifestFormat, merkleRoot } from '../../../verification/server/index.ts'
import type { Manifest, Piece, Subject } from '../../../verification/server/index.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'

const piecePath = /^(?:capture|environment)\/[A-Za-z0-9._/-]+$/

/**
 * The manifest of docs/package-format.md: canonical JSON (RFC 8785), pieces by path, Merkle root (RFC 9162 §2.1.1) over the
 * subject and each piece. @throws DomainError for a piece that the format does not allow.
 */
export function buildManifest(
  subject: Subject,
  pieces: readonly Piece[],
): { bytes: Uint8Array; root: Uint8Array; manifest: Manifest } {
  const exactSubject: Subject = {
    evidence_id: subject.evidence_id,
    kind: subject.kind,
    requested_url: subject.requested_url,
    final_url: subject.final_url,
    started_at: subject.started_at,
    finished_at: subject.finished_at,
    software: subject.software,
  }
  const sorted = pieces.map(exactPiece).toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  for (const [index, piece] of sorted.entries()) {
    if (piece.path === sorted[index - 1]?.path) throw new DomainError('invalid', 'sealing.piece_path', { path: piece.path })
  }
  const leaves = [{ format: manifestFormat, subject: exactSubject }, ...sorted]
  const root = merkleRoot(leaves.map((leaf) => leafHash(canonicalJson(leaf))))
  const manifest: Manifest = { format: manifestFormat, subject: exactSubject, pieces: sorted, root: toHex(root) }
  return { bytes: canonicalJson(manifest), root, manifest }
}

/** The five members and no other: whatever else the caller's objects carry is not sealed. */
function exactPiece({ path, role, media_type, bytes, sha256 }: Piece): Piece {
  const parts = path.split('/')
  if (!piecePath.test(path) || parts.includes('') || parts.includes('.') || parts.includes('..')) {
    throw new DomainError('invalid', 'sealing.piece_path', { path })
  }
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new DomainError('invalid', 'sealing.piece_digest', { path })
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new DomainError('invalid', 'sealing.piece_length', { path, bytes })
  return { path, role, media_type, bytes, sha256 }
}
