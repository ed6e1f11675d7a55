import { z } from 'zod'

/** Longest text, signature or proof that one call takes; the page, which sends nothing, has no such bound. */
export const longestText = 64 * 1024
export const longestProof = 160 * 1024

const required = (code: string, most: number) =>
  z
    .string({ error: code })
    .max(most, { error: 'verification.too_long' })
    .refine((text) => text.trim() !== '', { error: code })

/** V-35 to V-39: one rule and one message for each field of each kind, in the page and on the server. */
export const fields = {
  /** V-35. Nothing is trimmed: a space is part of what is hashed. */
  text: required('verification.text_required', longestText),
  /** V-36. */
  signature: required('verification.signature_required', 4096),
  /** V-37: a Nano signature is over the text of a report, or over the digest that stands for it when it is long. */
  signed: required('verification.signature_digest_required', longestText),
  /** V-38. */
  proof: required('verification.proof_required', longestProof),
  /** 20 to 64 octets in hexadecimal or base64, with or without separators. */
  digest: z.string().max(256, { error: 'verification.too_long' }).optional(),
  address: z.string().max(128, { error: 'verification.too_long' }).optional(),
  account: z.string().max(128, { error: 'verification.too_long' }).optional(),
  /** PEM. */
  trust: z.string().max(longestProof, { error: 'verification.too_long' }).optional(),
} as const

/** Body of each call, which is also the form of its kind (V-39). */
export const digestBody = z.object({
  text: fields.text,
  algorithm: z.enum(['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256', 'blake2b-256', 'ripemd160']).optional(),
  digest: fields.digest,
})
export const bitcoinSignatureBody = z.object({ message: fields.text, signature: fields.signature, address: fields.address })
export const nanoSignatureBody = z.object({ message: fields.signed, signature: fields.signature, account: fields.account })
export const chainpointProofBody = z.object({ proof: fields.proof, digest: fields.digest })
export const eidasBody = z.object({
  proof: fields.proof,
  digest: fields.digest,
  /** What was stamped, when it is a text; compared when no digest is given. */
  text: z.string().max(longestText, { error: 'verification.too_long' }).optional(),
  trust: fields.trust,
})
