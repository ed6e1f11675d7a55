/** What a certificate says, as measured facts: nothing of it is words yet. */
import type { AnchorNetwork, LogFacts, SignerFacts, TokenQualification } from '../../../../sealing/server/index.ts'

export type Depositor = {
  /** As its holder gave it; empty once the account was erased. */
  readonly name: string
  /** ISO 8601: when he proved that the account's e-mail address is his. */
  readonly confirmedAt: string | null
  /** ISO 8601: when reviewers accepted his identity documents, where they still do. */
  readonly identityVerifiedAt: string | null
}

export type CertificateStamp = {
  /** Name of the attached file, and of its issuers. */
  readonly file: string
  readonly caFile: string
  readonly authority: string
  /** ISO 8601 UTC. */
  readonly genTime: string
  readonly serial: string
  readonly embedded: boolean
  /** By the trusted lists, when the certificate was made. */
  readonly qualification: TokenQualification
}

/** What carried the date of a time stamp over the end of its certificate (RFC 4998 §5.2). */
export type CertificateRenewal = Omit<CertificateStamp, 'file'> & {
  /** Record that it is in: `document.ers`. */
  readonly file: string
  /** From 1. */
  readonly number: number
}

export type EarlierVersion = { readonly id: string; readonly name: string | null; readonly sealedAt: string | null }

export type CertificateFacts = {
  readonly id: string
  /** 64 hexadecimal digits, as received; 128. */
  readonly sha256: string
  readonly sha512: string | null
  /** As declared; null: not told. */
  readonly name: string | null
  readonly description: string
  /** What it declares to replace, and that in turn: nearest first. */
  readonly replaces: readonly EarlierVersion[]
  /** A copy of the file that came later and was found to have the same fingerprint. */
  readonly stored: { readonly bytes: number; readonly comparedAt: string; readonly deletedAt: string | null } | null
  readonly depositor: Depositor
  /** In whose name, where that is somebody else. */
  readonly owner: Depositor | null
  /** Name of the key that a program deposited it with. */
  readonly apiKey: string | null
  /** ISO 8601 UTC, by the server's clock. */
  readonly receivedAt: string
  /** Of the batch's hash tree; of a batch of one the fingerprint itself. */
  readonly root: string
  readonly batch: { readonly size: number; readonly steps: number }
  readonly signedAt: string
  readonly signer: SignerFacts
  /** At least one. */
  readonly stamps: readonly CertificateStamp[]
  /** In their order; of each record the last one is what its date rests on now. */
  readonly renewals: readonly CertificateRenewal[]
  /** Whether the account wishes authorities outside the installation. */
  readonly outsideStamps: boolean
  /** `blind` (64 hexadecimal digits): the log holds SHA-256(root ‖ blind), so that nobody finds a deposit in it who only knows the file. */
  readonly log: (LogFacts & { readonly blind: string }) | null
  /** `block` null: not in one yet; its time is the miner's. Null altogether: this installation anchors nothing. */
  readonly anchor: {
    readonly network: AnchorNetwork
    readonly block: { readonly height: number; readonly time: string } | null
  } | null
  /** Absolute address of its read-only page; null: not shared. */
  readonly shareUrl: string | null
  /** Where visitors find the verifier of this installation; null when it has no public address. */
  readonly verifierUrl: string | null
}

/** Of the making, not of the deposit. */
export type CertificateEdition = {
  /** From 1. */
  readonly edition: number
  /** ISO 8601 UTC. */
  readonly madeAt: string
  /** `probant/<version>` */
  readonly software: string
}

export type Attachment = { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array }
