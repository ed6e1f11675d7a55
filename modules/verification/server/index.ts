/** Public face of the verification module on the server. */
export { manifestFormat } from '../domain/manifest/manifest.ts'
export type { Manifest, Piece, PieceRole, Subject } from '../domain/manifest/manifest.ts'
export { canonicalJson } from '../domain/encoding/canonical-json.ts'
export { leafHash, merkleRoot } from '../domain/hash/merkle.ts'
export type { PackageSource } from '../domain/file/package-source.ts'
export type { Readable as PackageReadable } from '../domain/file/readable.ts'
export type { VerifyDeps, KnownHeader, PlatformKeys, PublishedKey } from '../domain/known/verify-deps.ts'
export type { Check, CheckId, PieceState, SealFacts, VerificationReport, VerifiedPiece } from '../domain/report/package-report.ts'
export type { Verdict } from '../domain/report/verdict.ts'
export {
  checkpointFormat,
  sessionRecordFormat,
  sessionRecordPath,
  writeSessionRecord,
  writeStatement,
  type CheckpointStatement,
  type TimelineHead,
} from '../domain/package/session/session-record.ts'
export {
  audioTimescale,
  chainLines,
  sampleLine,
  videoTimescale,
  type PictureGroup,
} from '../domain/package/session/picture-group.ts'
export { verifyPackage } from '../domain/package/verify-package.ts'
export { hostSha256, openPackageSource } from './files/open-package-source.ts'
export { VerificationStopped } from '../domain/file/readable.ts'
export { answerLines } from '../domain/describe/describe-answers.ts'
export { describeCheck, describeQualified, nameOfAuthority, visible } from '../domain/describe/describe-check.ts'
export type { Words } from '../domain/describe/describe-check.ts'
export { readCertificate as readAnyCertificate, readPem } from '../domain/certificate/x509.ts'
export { verifyTimestamp } from '../domain/package/seal/verify-timestamp.ts'
export { verifyPdfProof } from '../domain/pdf/verify-pdf-proof.ts'
export { revocationOf } from '../domain/cms/revocation.ts'
export { nanoAccount } from '../domain/nano-message/nano-account.ts'
export { nanoPublicKey } from '../domain/nano-message/nano-ed25519.ts'
export { sealMessage } from '../domain/message/message-forms.ts'
export {
  platformKeysOf,
  publishedKeysFormat,
  readPublishedKeys,
  writePublishedKeys,
  type PublishedKeys,
} from '../domain/known/published-keys.ts'
export { writeSealSignatures } from '../domain/package/platform-keys/seal-signatures.ts'
export { bitcoinAddress, bitcoinMessageDigest, orisDigest, signNano } from '../domain/package/platform-keys/sign-messages.ts'
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
export type { TrustedLists } from '../domain/known/trusted-lists.ts'
export { MalformedError } from '../domain/encoding/der.ts'
export { elementsOf, readXml, type XmlElement } from '../domain/xml/read-xml.ts'
export { anchorCommitment, anchorPath, checkpointAnchorPath } from '../domain/opentimestamps/anchor-path.ts'
export { displayed, meetsTarget, readBlockHeader, type BlockHeader } from '../domain/bitcoin/block-header.ts'
export { blockPath } from '../domain/opentimestamps/block-path.ts'
export { plausibilityOf } from '../domain/bitcoin/known-chain.ts'
export { type BitcoinNetwork } from '../domain/known/verify-deps.ts'
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
} from '../domain/describe/describe-proof.ts'
export { describeDossier, describeItem, type ConclusionSaid } from '../domain/describe/describe-conclusion.ts'
export { readFingerprints } from '../domain/known/read-fingerprints.ts'
export { verifyDossier, type Dossier } from '../domain/dossier/dossier.ts'
export { type DossierItem } from '../domain/dossier/dropped/item.ts'
export { datesOfItem, independence } from '../domain/dossier/concluded/independence.ts'
export { givenHeaders, readHeaders, type WrittenHeader } from '../domain/known/known-headers.ts'
export { nameOf, unlinkedLine } from '../domain/minutes/minutes.ts'
export type { ReaderFields } from '../domain/proof/verifiers.ts'
export { nodeHashes, openDossierFiles } from './files/open-dossier-files.ts'
export type { ProofReport } from '../domain/report/proof-report.ts'
export { examineRenewals, type SealStamp } from '../domain/package/renewal/examine-renewals.ts'
export {
  mostRenewals,
  renewalOfPath,
  renewalPaths,
  writeRenewal,
  type RenewalRecord,
} from '../domain/package/renewal/renewal-record.ts'
