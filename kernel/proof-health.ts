import { z } from 'zod'

const instant = z.iso.datetime()

/** What proves an evidence or a deposit today, until when, and what is done about it next (decisions 0181 and 0298). */
export const proofHealth = z.object({
  id: z.uuid(),
  assessed_at: instant,
  /** `attention`: something is due, or only the Bitcoin anchor still stands; `ended`: no time stamp holds any more, and no anchor. */
  state: z.enum(['sound', 'attention', 'ended']),
  /** Through stamps and their renewals; null when none holds now. */
  stamped_until: instant.nullable(),
  /** In the main Bitcoin chain. */
  anchored: z.boolean(),
  renewal_due: z.boolean(),
  /** When the stamps are renewed; null when none holds that could be. */
  renew_at: instant.nullable(),
  elements: z.array(
    z.object({
      kind: z.enum(['stamp', 'authorities', 'log', 'anchor']),
      /** File of a stamp; how many authorities gave none; the index in the log; the height of the block. */
      subject: z.string(),
      /** `test`: an anchor in a test network, which proves nothing to outsiders. */
      state: z.enum(['sound', 'ageing', 'renewed', 'ended', 'pending', 'given_up', 'weak', 'test']),
      until: instant.nullable(),
      next: z.object({ action: z.enum(['renew', 'ask_again', 'upgrade', 'none']), at: instant.nullable() }),
    }),
  ),
  /** What the files of the package, or the proofs of the deposit, say; the elements follow from it. */
  facts: z.object({
    stamps: z.array(
      z.object({
        /** In the package; of a deposit, in its archive of proofs. */
        file: z.string(),
        /** Name in the certificate. */
        authority: z.string(),
        at: instant,
        /** End of the certificate that signed it, or of an issuer that ends before. */
        until: instant,
        /** Stamps that it renews. */
        covers: z.array(z.string()),
        weak: z.boolean(),
      }),
    ),
    pending_authorities: z.array(z.string()),
    ask_again_at: instant.nullable(),
    log: z.object({ index: z.int().nonnegative(), logged_at: instant, cosignatures: z.int().nonnegative() }).nullable(),
    anchor: z
      .discriminatedUnion('state', [
        z.object({
          state: z.literal('pending'),
          network: z.enum(['main', 'test']),
          since: instant,
          next_try: instant.nullable(),
        }),
        z.object({
          state: z.literal('anchored'),
          network: z.enum(['main', 'test']),
          block_height: z.int().nonnegative(),
          block_time: instant,
          header_source: z.string(),
        }),
      ])
      .nullable(),
  }),
})
export type ShownProofHealth = z.infer<typeof proofHealth>
