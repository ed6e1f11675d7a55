/** Public face of the sealing module on the server. */
export type {
  LogFacts,
  PendingAuthority,
  SealedFile,
  SealRecord,
  SealSummary,
  SignerFacts,
  TimestampFacts,
} from '../domain/seal.ts'
export { checkAuthoritiesCrontab, checkAuthoritiesHandler, checkAuthoritiesJob } from './authorities/check-authorities.ts'
export { listAuthorities, type KnownAuthority } from './authorities/authority-store.ts'
export {
  createStampQualifier,
  qualificationOf,
  stampKey,
  type Qualifications,
  type StampQualifier,
} from './authorities/qualify-stamps.ts'
export { qualifyToken, type TokenQualification } from './authorities/qualify-token.ts'
export { askNotary } from './notary/ask-notary.ts'
export { coverEntries } from './seal/cover-entries.ts'
export type { CoveredEntry } from './seal/cover-entries.ts'
export { createOutsideTimestampers, createTimestampers } from './timestamps/create-timestampers.ts'
export type { AuthorityAnswer, TimestamperOptions } from './timestamps/create-timestampers.ts'
export { createNotary, ownAuthorityOf, wishedTimestampers, type Notary, type SessionToken } from './notary/notary.ts'
export type { NoteSigner } from './keyring/note-signer.ts'
export { publishKeys, publishKeysCrontab, publishKeysHandler, publishKeysJob } from './publication/publish-keys.ts'
export { readPublication, type PublicationState } from './publication/state-store.ts'
export { publishedKeysRoutes, readPlatformKeys } from './publication/present-keys.ts'
export { messageKeyKinds } from './keyring/message-key-file.ts'
export type { NoteNames } from './keyring/note-signer.ts'
export type { MessageSigner } from './keyring/message-signer.ts'
export { openKeyring } from './keyring/open-keyring.ts'
export { pemOf } from './certificates/read-certificate.ts'
export { sealPieces } from './seal/seal-pieces.ts'
export type { Sealed } from './seal/seal-pieces.ts'
export { sealRoot, type SealedRoot } from './seal/seal-root.ts'
export { serveNotary } from './notary/serve-notary.ts'
export { createEvidenceSource } from './revocation/gather-evidence.ts'
export { signPdf } from './pdf/sign-pdf.ts'
export type { SignPdfDeps } from './pdf/sign-pdf.ts'
export type { Keyring, PublishedCertificate, RotatedKind, Signer, SigningPurpose } from './keyring/signer.ts'
export type { Timestamp, Timestamper } from './timestamps/timestamper.ts'
export { logReader, openPublicLog } from './log/open-public-log.ts'
export { holdLog } from './log/kept-checkpoint.ts'
export { resumeLog, type LogTail } from './log/resume-log.ts'
export type { PublicLogDeps } from './log/open-public-log.ts'
export type { Checkpoint, LoggedRoot, PublicLog } from './log/public-log.ts'
export { logProofPath, newerProof } from './log/include-in-log.ts'
export {
  anchorCrontab,
  anchorHandlers,
  anchorJobs,
  anchorLogJob,
  createBlockHeaders,
  isAnchoring,
  upgradeAnchorsJob,
  type AnchoringDeps,
} from './anchor/create-anchoring.ts'
export {
  anchorFilePaths,
  currentOts,
  findAnchored,
  openAnchored,
  openCurrentOts,
  progressOfAnchor,
  progressOfAnchors,
  type Anchored,
  type AnchorProofDeps,
  type WayToRoot,
} from './anchor/anchor-proofs.ts'
export { submitDigest } from './anchor/calendar-client.ts'
export { anchorNetwork, type AnchorNetwork } from './anchor/anchor-network.ts'
export { listAnchorEvents as anchorHistory, listEventsOfAnchors as anchorHistories } from './anchor/anchor-store.ts'
export type { AnchorBlock, AnchorEvent, AnchorRecord } from './anchor/anchor-store.ts'
export { registerLogFiles, registerWitness } from './publication/log-files.ts'
export { examineLog } from './log/examine-log.ts'
export { inspectKeys } from './keyring/inspect-keys.ts'
export { readLogGrowth, type LogGrowth } from './log/log-growth-store.ts'
export { logRoutes } from './publication/present-log.ts'
export { startPublicLog, witnessFolder } from './log/start-public-log.ts'
export { readChain, type ChainStamp } from './health/read-chain.ts'
export { logHealthOf, presentHealth } from './health/present-health.ts'
export { readStamps } from './health/read-stamps.ts'
export { askForDays, nextAsk } from '../domain/next-ask.ts'
export { assessProofHealth, renewalGraceMs, urgentMs, type HealthFacts, type StampFacts } from '../domain/proof-health.ts'
export { askAgain } from './renewal/ask-again.ts'
export { askPending, type AskedPending } from './renewal/ask-pending.ts'
export { renewChains } from './renewal/renew-chains.ts'
export { renewStamps, type RenewedStamps } from './renewal/renew-stamps.ts'
