/**
 * What a seal says of itself: `seal/seal.json` of the package, see docs/package-format.md. Informative: every value here is
 * read back from the signature and the tokens, and a verifier fails a seal.json that differs from them.
 */

export const sealFormat = 'probant-seal/1'

export type SignerFacts = {
  /** Common name of the signing certificate. */
  readonly subject: string
  /** Serial number, lower-case hexadecimal without leading zeros. */
  readonly serial: string
  /** SHA-256 of the certificate's DER, lower-case hexadecimal. */
  readonly sha256: string
}

export type TimestampFacts = {
  /** `seal/timestamp-1.tsr` */
  readonly file: string
  /** `seal/timestamp-1-ca.pem` */
  readonly ca_file: string
  /** Common name (else organisation) of the certificate that signed the token. */
  readonly authority: string
  /** genTime of the token, ISO 8601 UTC with milliseconds. */
  readonly gen_time: string
  /** Qualified status (Regulation (EU) 910/2014, article 42) is never claimed before trusted lists are checked. */
  readonly qualified: false
  /** Serial number of the token, lower-case hexadecimal without leading zeros. */
  readonly serial: string
  /** Made by the platform's own authority, hence not independent of it. */
  readonly embedded: boolean
}

/** Exactly what `seal/seal.json` holds. */
export type SealRecord = {
  readonly format: typeof sealFormat
  /** Merkle root, lower-case hexadecimal. */
  readonly root: string
  /** The signing-time attribute of the signature, ISO 8601 UTC with milliseconds (whole seconds: UTCTime has no fraction). */
  readonly signed_at: string
  readonly signer: SignerFacts
  readonly timestamps: readonly TimestampFacts[]
}

/** An authority that was asked for a token and gave none that held. */
export type PendingAuthority = {
  /** The address asked, without credentials, query or fragment. */
  readonly authority: string
  /** Code of the failure, `sealing.tsa_…`; also the id of its message. */
  readonly code: string
}

/** Where the sealed root stands in the public log. */
export type LogFacts = {
  readonly origin: string
  /** From 0. */
  readonly index: number
  /** ISO 8601 UTC, by this platform's clock: a witness or an anchor says more. */
  readonly logged_at: string
}

/** The seal for screens, reports and the caller's retry job. */
export type SealSummary = SealRecord & {
  /** Not empty when a configured authority failed and fewer outside tokens were obtained than wanted: ask again later. */
  readonly pending_authorities: readonly PendingAuthority[]
  /** Null where there is no log, as on the command line; absent in seals of before the log. */
  readonly log?: LogFacts | null
  /** `false`: the account for which it was made wants no authority outside the installation asked; absent or true: those configured were. */
  readonly outside_stamps?: boolean
  /** Whose word the signature rests on: the root of `seal/platform-ca.pem`; absent in seals of before decision 0347. */
  readonly authority?: { readonly subject: string; readonly sha256: string }
  /** Who signed `seal/message.txt`; absent in seals of before there were such keys. */
  readonly message_signers?: { readonly bitcoin: string; readonly nano: string }
}

/** A file of the package that a seal adds. */
export type SealedFile = { readonly path: string; readonly media_type: string; readonly bytes: Uint8Array }
