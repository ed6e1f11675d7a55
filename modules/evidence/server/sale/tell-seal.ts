import type { SealRecord } from '../seal/seal-store.ts'

/** What is over the root. */
export type SealTold = {
  readonly root: string
  readonly signedAt: string
  readonly signer: string
  readonly timestamps: readonly { readonly authority: string; readonly genTime: string; readonly embedded: boolean }[]
  readonly log: { readonly origin: string; readonly index: number; readonly loggedAt: string } | null
}

export function tellSeal({ root, summary }: Pick<SealRecord, 'root' | 'summary'>): SealTold {
  const { log = null } = summary
  return {
    root,
    signedAt: summary.signed_at,
    signer: summary.signer.subject,
    timestamps: summary.timestamps.map((stamp) => ({
      authority: stamp.authority,
      genTime: stamp.gen_time,
      embedded: stamp.embedded,
    })),
    log: log === null ? null : { origin: log.origin, index: log.index, loggedAt: log.logged_at },
  }
}
