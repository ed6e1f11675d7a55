import type { Clock } from '../../../../kernel/clock.ts'
import type { LogFacts, PendingAuthority, SignerFacts } from '../../domain/seal.ts'
import { includeInLog } from '../log/include-in-log.ts'
import type { PublicLog } from '../log/public-log.ts'
import { obtainTimestamps } from '../timestamps/obtain-timestamps.ts'
import { pemOf, readCertificate } from '../certificates/read-certificate.ts'
import { signDetached } from '../signed-data/sign-detached.ts'
import type { Keyring } from '../keyring/signer.ts'
import { endOf, type Timestamp, type Timestamper } from '../timestamps/timestamper.ts'

/** A root that is sealed by itself, without a manifest: of what nobody here has seen but its fingerprint. */
export type SealedRoot = {
  readonly signedAt: Date
  readonly signer: SignerFacts
  /** CAdES, detached, over the 32 octets of the root. */
  readonly signature: Uint8Array
  /** Issuers of the signing certificate, PEM. */
  readonly signerCa: string
  /** Over the root itself; no two of one authority. */
  readonly timestamps: readonly (Pick<Timestamp, 'response' | 'token' | 'authority' | 'genTime' | 'serial' | 'embedded'> & {
    /** Issuers of the certificate that signed it, PEM. */
    readonly ca: string
    /** End of that certificate, or of an issuer of it that ends before. */
    readonly until: Date
  })[]
  /** Not empty when an authority gave none and fewer outside tokens were obtained than wanted: ask again later. */
  readonly pending: readonly PendingAuthority[]
  /** Null where there is no log. */
  readonly log: { readonly facts: LogFacts; readonly proof: Uint8Array } | null
}

/**
 * Signs a root, has it stamped, and puts what stands for it into the log. May be asked again for the same root after a crash: signature and
 * tokens are others then, the place in the log is the same.
 * @param root 32 octets; `logged` what the log is given: another 32 that the caller derives from it, or the root
 * @throws DomainError `sealing.…`
 */
export async function sealRoot(
  { root, logged }: { readonly root: Uint8Array; readonly logged: Uint8Array },
  deps: {
    readonly keyring: Keyring
    readonly timestampers: readonly Timestamper[]
    readonly clock: Clock
    readonly log?: PublicLog | undefined
    readonly signal?: AbortSignal | undefined
  },
): Promise<SealedRoot> {
  const signer = await deps.keyring.signer('platform')
  // signing-time is a UTCTime: to the second.
  const signedAt = new Date(Math.floor(deps.clock.now().getTime() / 1000) * 1000)
  const signature = await signDetached(root, signer, signedAt)
  const { timestamps, pending } = await obtainTimestamps(root, deps.timestampers, { wanted: 2, signal: deps.signal })
  // Last: what nobody stamps leaves no trace in the log.
  const included = deps.log === undefined ? null : await includeInLog(deps.log, logged)
  const certificate = readCertificate(signer.certificate)
  return {
    signedAt,
    signer: { subject: certificate.name, serial: certificate.serial, sha256: certificate.sha256 },
    signature,
    signerCa: pemOf(signer.chain),
    timestamps: timestamps.map((timestamp) => {
      const { response, token, authority, genTime, serial, embedded, chain } = timestamp
      return { response, token, authority, genTime, serial, embedded, ca: pemOf(chain), until: endOf(timestamp) }
    }),
    pending,
    log: included === null ? null : { facts: included.facts, proof: included.file.bytes },
  }
}
