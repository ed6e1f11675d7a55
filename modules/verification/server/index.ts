/** Public face of the verification module on the server. */
export { manifestFormat } from '../domain/manifest.ts'
export type { Manifest, Piece, PieceRole, Subject } from '../domain/manifest.ts'
export { leafHash, merkleRoot, nodeHash } from '../domain/merkle.ts'
