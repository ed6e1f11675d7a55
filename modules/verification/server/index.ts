/** Public face of the verification module on the server. */

// What a dossier proves, in words
export { answerLines } from '../domain/describe/describe-answers.ts'
export { describeCheck, describeQualified, nameOfAuthority, visible, type Words } from '../domain/describe/describe-check.ts'
export { type ConclusionSaid, describeDossier, describeItem } from '../domain/describe/describe-conclusion.ts'
export {
  byGravity,
  describeFact,
  describeProofCheck,
  describeScenario,
  reliancesSaid,
  whatDatesProve,
} from '../domain/describe/describe-proof.ts'
export { type MinutesBlock, minutesHtml } from '../domain/minutes/minutes-html.ts'
export { minutesOf, nameOf, unlinkedLine } from '../domain/minutes/minutes.ts'

// A dossier and its verdict
export { datesOfItem, independence } from '../domain/dossier/concluded/independence.ts'
export { type Dossier, verifyDossier } from '../domain/dossier/dossier.ts'
export type { DossierItem } from '../domain/dossier/dropped/item.ts'

// Packages of ours
export { writeSealSignatures } from '../domain/package/platform-keys/seal-signatures.ts'
export { bitcoinAddress, bitcoinMessageDigest, orisDigest, signNano } from '../domain/package/platform-keys/sign-messages.ts'
export { examineRenewals, type SealStamp } from '../domain/package/renewal/examine-renewals.ts'
export {
  mostRenewals,
  renewalOfPath,
  renewalPaths,
  type RenewalRecord,
  writeRenewal,
} from '../domain/package/renewal/renewal-record.ts'
export { verifyTimestamp } from '../domain/package/seal/verify-timestamp.ts'
export {
  audioTimescale,
  chainLines,
  type PictureGroup,
  sampleLine,
  videoTimescale,
} from '../domain/package/session/picture-group.ts'
export {
  checkpointFormat,
  type CheckpointStatement,
  sessionRecordFormat,
  sessionRecordPath,
  type TimelineHead,
  writeSessionRecord,
  writeStatement,
} from '../domain/package/session/session-record.ts'
export { verifyPackage } from '../domain/package/verify-package.ts'
export { type Manifest, manifestFormat, type Piece, type PieceRole, type Subject } from '../domain/manifest/manifest.ts'

// Proofs of each kind, and what makes them
export type { ReaderFields } from '../domain/proof/verifiers.ts'
export { verifyPdfProof } from '../domain/pdf/verify-pdf-proof.ts'
export {
  buildEvidenceRecord,
  leafOfTimestampRenewal,
  renewTimestamp,
  type StampedLeaf,
} from '../domain/evidence-record/build-evidence-record.ts'
export { buildHashTree, type HashTree, operationsOf, rootOf } from '../domain/evidence-record/hash-tree.ts'
export { buildChainpoint } from '../domain/chainpoint/write-chainpoint.ts'
export { anchorCommitment, anchorPath, checkpointAnchorPath } from '../domain/opentimestamps/anchor-path.ts'
export { blockPath } from '../domain/opentimestamps/block-path.ts'
export type { Operation } from '../domain/opentimestamps/operation.ts'
export { readTimestamp } from '../domain/opentimestamps/read-ots.ts'
export {
  type Attestation,
  attestationsOf,
  type Attested,
  graft,
  mergeTrees,
  type TimestampTree,
  treeOf,
} from '../domain/opentimestamps/tree.ts'
export { buildOts, writeTimestamp } from '../domain/opentimestamps/write-ots.ts'
export { type BlockHeader, displayed, meetsTarget, readBlockHeader } from '../domain/bitcoin/block-header.ts'
export { plausibilityOf } from '../domain/bitcoin/known-chain.ts'
export { branchOf, branchRoot } from '../domain/bitcoin/merkle-branch.ts'
export { opReturns, readTransaction } from '../domain/bitcoin/transaction.ts'
export { formatCheckpoint, parseCheckpoint, parseCount, type SignedCheckpoint } from '../domain/log/checkpoint.ts'
export { logEntryOf } from '../domain/log/commitment.ts'
export { checkCosignature, cosignature, cosignedMessage } from '../domain/log/cosignature.ts'
export { isConsistent, type NodeHash, rootOfInclusion, type TreeHead } from '../domain/log/merkle-proof.ts'
export {
  checkNoteSignature,
  decodeBase64,
  ed25519Type,
  formatNote,
  formatVerifierKey,
  type NoteSignature,
  parseNote,
  parseSignatureLine,
  parseVerifierKey,
  signatureLine,
  verifierKey,
  type VerifierKey,
} from '../domain/log/note.ts'
export { formatEntryBundle, parseTilePath, type TilePath } from '../domain/log/tile-path.ts'
export { formatTlogProof, parseTlogProof, type TlogProof } from '../domain/log/tlog-proof.ts'
export {
  consistencyFolds,
  type Fold,
  hashFolds,
  inclusionFolds,
  type Tile,
  tileKey,
  tilesOf,
  tileWidth,
} from '../domain/log/tree.ts'
export { qualifiedStatus } from '../domain/trusted-list/qualified-status.ts'
export { revocationOf } from '../domain/cms/revocation.ts'
export { sealMessage } from '../domain/message/message-forms.ts'
export { nanoAccount } from '../domain/nano-message/nano-account.ts'
export { nanoPublicKey } from '../domain/nano-message/nano-ed25519.ts'

// What is handed in and what comes out
export type { Check, CheckId, PieceState, SealFacts, VerificationReport, VerifiedPiece } from '../domain/report/package-report.ts'
export type { ProofReport } from '../domain/report/proof-report.ts'
export type { Verdict } from '../domain/report/verdict.ts'
export { givenHeaders, readHeaders, type WrittenHeader } from '../domain/known/known-headers.ts'
export {
  platformKeysOf,
  type PublishedKeys,
  publishedKeysFormat,
  readPublishedKeys,
  writePublishedKeys,
} from '../domain/known/published-keys.ts'
export { readFingerprints } from '../domain/known/read-fingerprints.ts'
export type { TrustedLists } from '../domain/known/trusted-lists.ts'
export type { BitcoinNetwork, KnownHeader, PlatformKeys, PublishedKey, VerifyDeps } from '../domain/known/verify-deps.ts'

// What is read
export { elementsOf, readXml, type XmlElement } from '../domain/xml/read-xml.ts'
export { readCertificate as readAnyCertificate, readPem } from '../domain/certificate/x509.ts'
export type { PackageSource } from '../domain/file/package-source.ts'
export { type Readable as PackageReadable, VerificationStopped } from '../domain/file/readable.ts'
export { leafHash, merkleRoot } from '../domain/hash/merkle.ts'
export { canonicalJson } from '../domain/encoding/canonical-json.ts'
export { MalformedError } from '../domain/encoding/der.ts'

// Files, calls and lists on the server
export { nodeHashes, openDossierFiles } from './files/open-dossier-files.ts'
export { hostSha256, openPackageSource } from './files/open-package-source.ts'
export { verifierRoutes } from './routes.ts'
export { type CurrentLists, openCurrentLists } from './trusted-lists/current-lists.ts'
export { shippedLists } from './trusted-lists/shipped-lists.ts'
export {
  trustedListCrontab,
  type UpdateListsDeps,
  updateListsHandler,
  updateListsJob,
} from './trusted-lists/update-trusted-lists.ts'
