/** Public face of the sealing module on the server. */
export type { PendingAuthority, SealRecord, SealSummary, SignerFacts, TimestampFacts } from '../domain/seal.ts'
export type { Keyring, PublishedCertificate, Signer, SigningPurpose } from './signer.ts'
export type { Log, Timestamp, Timestamper } from './timestamper.ts'
