/** Public face of the verification module on the server. */
export { canonicalJson, compareCodeUnits, parseCanonicalJson } from '../domain/canonical-json.ts'
export type { Json } from '../domain/canonical-json.ts'
export { manifestFormat } from '../domain/manifest.ts'
export type { Manifest, Piece, PieceRole, Subject } from '../domain/manifest.ts'
export { buildManifest, isPiecePath, isSafePath, manifestBytes, manifestRoot, readManifest } from '../domain/read-manifest.ts'
export { leafHash, merkleRoot, nodeHash } from '../domain/merkle.ts'
