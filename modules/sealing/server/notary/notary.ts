import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import { openArchiveKey } from './archive-key.ts'
import { createTimestampers, type TimestamperOptions } from '../timestamps/create-timestampers.ts'
import { obtainTimestamps } from '../timestamps/obtain-timestamps.ts'
import { pemOf } from '../certificates/read-certificate.ts'
import { signArchive, type ArchiveSignature, type ArchiveSigningDeps } from './sign-archive.ts'
import type { Keyring } from '../keyring/signer.ts'
import type { Timestamp, Timestamper } from '../timestamps/timestamper.ts'

/** A token as the capture keeps it. */
export type SessionToken = {
  /** TimeStampResp, DER. */
  readonly token: Uint8Array
  /** Issuers of the token's signing certificate, nearest first, the last self-signed. */
  readonly caPem: string
  readonly authority: string
  readonly genTime: Date
  readonly embedded: boolean
}

/** `ownOnly`: no authority outside the installation is asked (decision 0279). */
export type NotaryWish = { readonly ownOnly?: boolean }

/** What a capture may ask of those who hold keys: to date a digest, to sign an archive's digest. Nothing else (decision 0126). */
export type Notary = {
  /** @param sha256 32 bytes. @throws DomainError `sealing.…` that names why there is no token. */
  timestampDigest(sha256: Uint8Array, signal?: AbortSignal, wish?: NotaryWish): Promise<SessionToken>
  /** @param hash `sha256:<hex>` of datapackage.json. @throws DomainError `sealing.…` */
  signArchive(hash: string, created: string, signal?: AbortSignal, wish?: NotaryWish): Promise<ArchiveSignature>
}

/** The same for a capture whose account wants no authority outside the installation asked. */
export function ownAuthorityOf(notary: Notary): Notary {
  return {
    timestampDigest: async (sha256, signal) => await notary.timestampDigest(sha256, signal, { ownOnly: true }),
    signArchive: async (hash, created, signal) => await notary.signArchive(hash, created, signal, { ownOnly: true }),
  }
}

/** Of those that may be asked. */
export function wishedTimestampers(
  timestampers: readonly Timestamper[],
  { ownOnly = false }: NotaryWish,
): readonly Timestamper[] {
  return ownOnly ? timestampers.filter(({ embedded }) => embedded) : timestampers
}

/** Of one authority, while a browser is waiting to be photographed: what answers later is asked again at the seal. */
export const sessionTimeoutMs = 3_000

export function toSessionToken(timestamp: Timestamp): SessionToken {
  return {
    token: timestamp.response,
    caPem: pemOf(timestamp.chain.length > 0 ? timestamp.chain : [timestamp.certificate]),
    authority: timestamp.authority,
    genTime: timestamp.genTime,
    embedded: timestamp.embedded,
  }
}

/** Of the first that gives one. @throws DomainError `sealing.no_timestamp` and those of the embedded authority. */
export async function firstToken(
  sha256: Uint8Array,
  timestampers: readonly Timestamper[],
  signal: AbortSignal | undefined,
): Promise<SessionToken> {
  if (sha256.length !== 32) throw new DomainError('invalid', 'sealing.digest_length', { bytes: sha256.length })
  const { timestamps } = await obtainTimestamps(sha256, timestampers, { wanted: 1, signal })
  const [timestamp] = timestamps
  if (timestamp === undefined) throw new DomainError('unavailable', 'sealing.no_timestamp', { asked: timestampers.length })
  return toSessionToken(timestamp)
}

/** The notary of a process that holds the keys: the worker's, or the command line's. @throws DomainError `sealing.…` */
export async function createNotary(options: {
  readonly keyring: Keyring
  /** Folder of the archive key. */
  readonly archiveKeyDir: string
  readonly domain: ArchiveSigningDeps['domain']
  readonly urls: readonly string[]
  readonly software: string
  readonly clock: Clock
  readonly log: Notes
  readonly onAnswer?: TimestamperOptions['onAnswer']
}): Promise<Notary> {
  const { keyring, clock, log, urls, onAnswer } = options
  const timestampers = createTimestampers({ urls, keyring, clock, log, onAnswer, timeoutMs: sessionTimeoutMs })
  const key = await openArchiveKey(options.archiveKeyDir)
  const archive: ArchiveSigningDeps = { key, domain: options.domain, timestampers, clock, log, software: options.software }
  return {
    timestampDigest: (sha256, signal, wish = {}) => firstToken(sha256, wishedTimestampers(timestampers, wish), signal),
    signArchive: (hash, created, signal, wish = {}) =>
      signArchive({ hash, created }, { ...archive, timestampers: wishedTimestampers(timestampers, wish) }, signal),
  }
}
