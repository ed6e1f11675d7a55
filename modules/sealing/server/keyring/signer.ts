import type { PublishedKeys } from '../../../verification/server/index.ts'
import type { NoteNames } from './note-signer.ts'
import type { MessageKeyKind } from './message-key-file.ts'
import type { MessageSigner } from './message-signer.ts'
import type { NoteSigner } from './note-signer.ts'

/**
 * Whoever holds a signing key: a file today, PKCS#11 or a key management service behind the same shape. ECDSA over P-256 with
 * SHA-256 (FIPS 186-5), the one algorithm that the platform signs with.
 */
export type Signer = {
  /** Never reused: the purpose, a number, and the start of the SHA-256 of the public key. */
  readonly keyId: string
  /** X.509 certificate, DER. */
  readonly certificate: Uint8Array
  /** Issuers of the certificate, DER, nearest first; the last is self-signed. */
  readonly chain: readonly Uint8Array[]
  /** Signs SHA-256 of `data`. Answers the DER of ECDSA-Sig-Value (RFC 3279 §2.2.3). */
  sign(data: Uint8Array): Promise<Uint8Array>
}

/** `platform` signs seals and reports; `time` signs the tokens of the embedded authority and nothing else (RFC 3161 §2.3). */
export type SigningPurpose = 'platform' | 'time'

export type PublishedCertificate = {
  readonly keyId: string
  readonly role: 'authority' | 'signing'
  readonly purpose: SigningPurpose
  /** DER. */
  readonly certificate: Uint8Array
  /** When it was put in force, where that is not the beginning of its validity: another authority may have issued it long before. */
  readonly since?: Date
}

export type Keyring = {
  /** The signer in force now; makes its successor when the end of its certificate nears. */
  signer(purpose: SigningPurpose): Promise<Signer>
  /** Every certificate that ever signed or issued here, oldest first, for publication: retired ones included. */
  certificates(): readonly PublishedCertificate[]
  /**
   * The revocation list (RFC 5280 §5) of one of the platform's own authorities, DER, valid for a year; undefined for an authority
   * that is not ours. @param authority its certificate, DER.
   */
  revocationList(authority: Uint8Array): Promise<Uint8Array | undefined>
  /** Ed25519 key of the public log in force, under the log's origin. Another process may rotate it: ask each time. */
  logSigner(origin: string): Promise<NoteSigner>
  /** Ed25519 key with which this installation cosigns the checkpoints of other logs, under the witness's name. */
  witnessSigner(name: string): Promise<NoteSigner>
  /** The keys in force that sign the text of a seal. */
  messageSigners(): Promise<{ readonly bitcoin: MessageSigner; readonly nano: MessageSigner }>
  /** Everything that verifiers compare with, retired keys included. Of logs and witnesses, those that `names` names. */
  publishedKeys(names: NoteNames): Promise<PublishedKeys>
  /** Puts a new key in force from now on; the old one stays published. */
  rotate(kind: RotatedKind): Promise<void>
}

/** Keys that an operator renews by hand: `probant keys rotate`. Authorities are renewed when they near their end. */
export type RotatedKind = MessageKeyKind | 'platform-signing' | 'time-signing'
