/** Public face of the verification module on the server. */
export { manifestFormat } from '../domain/manifest.ts'
export type { Manifest, Piece, PieceRole, Subject } from '../domain/manifest.ts'
export { leafHash, merkleRoot } from '../domain/merkle.ts'
export type { PackageSource, Readable as PackageReadable, VerifyDeps } from '../domain/package-source.ts'
export type { Check, CheckId, PieceState, SealFacts, VerificationReport, VerifiedPiece, Verdict } from '../domain/report.ts'
export {
  checkpointFormat,
  sessionRecordFormat,
  sessionRecordPath,
  writeSessionRecord,
  writeStatement,
  type CheckpointStatement,
} from '../domain/session-record.ts'
export { verifyPackage } from '../domain/verify-package.ts'
export { hostSha256, openPackageSource } from './open-package-source.ts'
export { VerificationStopped } from '../domain/package-source.ts'
export { describeCheck, describeVerdict, visible } from '../domain/describe-check.ts'
export type { Words } from '../domain/describe-check.ts'
export { readPem } from '../domain/x509.ts'
export { nanoPublicKey } from '../domain/nano-message/nano-ed25519.ts'
