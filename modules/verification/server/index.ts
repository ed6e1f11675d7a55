/** Public face of the verification module on the server. */
export { manifestFormat } from '../domain/manifest.ts'
export type { Manifest, Piece, PieceRole, Subject } from '../domain/manifest.ts'
export { canonicalJson } from '../domain/canonical-json.ts'
export { leafHash, merkleRoot } from '../domain/merkle.ts'
export type { PackageSource } from '../domain/package-source.ts'
export type { Readable as PackageReadable } from '../domain/readable.ts'
export type { VerifyDeps, KnownHeader, PlatformKeys, PublishedKey } from '../domain/verify-deps.ts'
export type { Check, CheckId, PieceState, SealFacts, VerificationReport, VerifiedPiece } from '../domain/report.ts'
export type { Verdict } from '../domain/verdict.ts'
export {
  checkpointFormat,
  sessionRecordFormat,
  sessionRecordPath,
  writeSessionRecord,
  writeStatement,
  type CheckpointStatement,
  type TimelineHead,
} from '../domain/session-record.ts'
export { audioTimescale, chainLines, sampleLine, videoTimescale, type PictureGroup } from '../domain/interactive/picture-group.ts'
export { verifyPackage } from '../domain/verify-package.ts'
export { hostSha256, openPackageSource } from './open-package-source.ts'
export { VerificationStopped } from '../domain/readable.ts'
export { answerLines } from '../domain/describe-answers.ts'
export { describeCheck, describeQualified, nameOfAuthority, visible } from '../domain/describe-check.ts'
export type { Words } from '../domain/describe-check.ts'
export { readCertificate as readAnyCertificate, readPem } from '../domain/x509.ts'
export { verifyTimestamp } from '../domain/verify-timestamp.ts'
export { verifyPdfProof } from '../domain/pdf/verify-pdf-proof.ts'
export { revocationOf } from '../domain/cms/revocation.ts'
export { nanoAccount } from '../domain/nano-message/nano-account.ts'
export { nanoPublicKey } from '../domain/nano-message/nano-ed25519.ts'
export { sealMessage } from '../domain/platform-keys/message-forms.ts'
export {
  platformKeysOf,
  publishedKeysFormat,
  readPublishedKeys,
  writePublishedKeys,
  type PublishedKeys,
} from '../domain/platform-keys/published-keys.ts'
export { writeSealSignatures } from '../domain/platform-keys/seal-signatures.ts'
export { bitcoinAddress, bitcoinMessageDigest, orisDigest, signNano } from '../domain/platform-keys/sign-messages.ts'
export { formatCheckpoint, parseCheckpoint, parseCount, type SignedCheckpoint } from '../domain/log/checkpoint.ts'
export { logEntryOf } from '../domain/log/commitment.ts'
export { checkCosignature, cosignature, cosignedMessage } from '../domain/log/cosignature.ts'
export { isConsistent, rootOfInclusion, type NodeHash, type TreeHead } from '../domain/log/merkle-proof.ts'
export {
  checkNoteSignature,
  decodeBase64,
  ed25519Type,
  formatNote,
  formatVerifierKey,
  parseNote,
  parseSignatureLine,
  parseVerifierKey,
  signatureLine,
  verifierKey,
  type NoteSignature,
  type VerifierKey,
} from '../domain/log/note.ts'
export { formatEntryBundle, parseTilePath, type TilePath } from '../domain/log/tile-path.ts'
export { formatTlogProof, parseTlogProof, type TlogProof } from '../domain/log/tlog-proof.ts'
export {
  consistencyFolds,
  hashFolds,
  inclusionFolds,
  tileKey,
  tilesOf,
  tileWidth,
  type Fold,
  type Tile,
} from '../domain/log/tree.ts'
export { verifierRoutes } from './routes.ts'
export { openCurrentLists, type CurrentLists } from './trusted-lists/current-lists.ts'
export { shippedLists } from './trusted-lists/shipped-lists.ts'
export {
  trustedListCrontab,
  updateListsHandler,
  updateListsJob,
  type UpdateListsDeps,
} from './trusted-lists/update-trusted-lists.ts'
export { qualifiedStatus } from '../domain/trusted-list/qualified-status.ts'
export type { TrustedLists } from '../domain/trusted-list/trusted-lists.ts'
export { MalformedError } from '../domain/der.ts'
export { elementsOf, readXml, type XmlElement } from '../domain/xml/read-xml.ts'
export { anchorCommitment, anchorPath, checkpointAnchorPath } from '../domain/bitcoin/anchor-path.ts'
export { displayed, meetsTarget, readBlockHeader, type BlockHeader } from '../domain/bitcoin/block-header.ts'
export { blockPath } from '../domain/bitcoin/block-path.ts'
export { plausibilityOf } from '../domain/bitcoin/known-chain.ts'
export { type BitcoinNetwork } from '../domain/verify-deps.ts'
export { branchOf, branchRoot } from '../domain/bitcoin/merkle-branch.ts'
export { buildChainpoint } from '../domain/chainpoint/write-chainpoint.ts'
export { buildEvidenceRecord, leafOfTimestampRenewal, renewTimestamp } from '../domain/evidence-record/build-evidence-record.ts'
export type { StampedLeaf } from '../domain/evidence-record/build-evidence-record.ts'
export { buildHashTree, operationsOf, rootOf } from '../domain/evidence-record/hash-tree.ts'
export type { HashTree } from '../domain/evidence-record/hash-tree.ts'
export { opReturns, readTransaction } from '../domain/bitcoin/transaction.ts'
export type { Operation } from '../domain/opentimestamps/operation.ts'
export { readTimestamp } from '../domain/opentimestamps/read-ots.ts'
export {
  attestationsOf,
  graft,
  mergeTrees,
  treeOf,
  type Attestation,
  type Attested,
  type TimestampTree,
} from '../domain/opentimestamps/tree.ts'
export { buildOts, writeTimestamp } from '../domain/opentimestamps/write-ots.ts'
export {
  byGravity,
  describeFact,
  describeProofCheck,
  describeScenario,
  reliancesSaid,
  whatDatesProve,
} from '../domain/describe-proof.ts'
export { describeDossier, describeItem, type ConclusionSaid } from '../domain/describe-conclusion.ts'
export { readFingerprints } from '../domain/read-fingerprints.ts'
export { verifyDossier, type Dossier } from '../domain/dossier.ts'
export { type DossierItem } from '../domain/item.ts'
export { datesOfItem, independence } from '../domain/independence.ts'
export { givenHeaders, readHeaders, type WrittenHeader } from '../domain/known-headers.ts'
export { nameOf, unlinkedLine } from '../domain/minutes.ts'
export type { ReaderFields } from '../domain/verifiers.ts'
export { nodeHashes, openDossierFiles } from './open-dossier-files.ts'
export type { ProofReport } from '../domain/proof.ts'
export { examineRenewals, type SealStamp } from '../domain/renewal/examine-renewals.ts'
export { mostRenewals, renewalOfPath, renewalPaths, writeRenewal, type RenewalRecord } from '../domain/renewal/renewal-record.ts'
