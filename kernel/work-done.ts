import { z } from 'zod'

/**
 * Proof of work, when an error `….work_required` asks for it (429). Its `data` has a `challenge`, valid for half an hour, for this very request
 * alone and once; `parts`, and `hashes`, which each part takes on the mean. Let the seed be the SHA-256 of the challenge's text: for
 * each part, counted from 0, a nonce is sought so that the first 32 bits of SHA-256(seed, part, nonce), both numbers as 32 bits, are below
 * 2^32 / hashes, rounded down (all big-endian). The request is then sent again with them, nothing else of it changed.
 */
export const workDone = z
  .object({
    challenge: z.string().max(1000),
    /** One of each part, in their order. */
    nonces: z.array(z.int().min(0).max(0xff_ff_ff_ff)).max(64),
  })
  .meta({
    description:
      'Answers an error `….work_required` (429), whose `data` has `challenge`, `parts` and `hashes`: with seed = SHA-256(challenge), for each part from 0 a nonce is sought such that the first 32 bits of SHA-256(seed || part || nonce), numbers as 32 bits, are below floor(2^32 / hashes); all big-endian. The same request is then sent again with this field. A challenge is valid for 30 minutes, for that request and network, once.',
  })
export type WorkDone = z.infer<typeof workDone>

/** Instead of work, where the error that asks for it has `score` in its `data`: a token of whoever scores visitors. Who is not scored well works. */
export const workOrScore = z.union([
  workDone,
  z.object({ score: z.string().min(1).max(8192) }).meta({
    description:
      'A token of the service that scores visitors, where the error that asks for work has `score` in its `data`. Whoever is not scored well is asked for work again.',
  }),
])
export type WorkOrScore = z.infer<typeof workOrScore>
