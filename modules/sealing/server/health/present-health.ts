import type { ShownProofHealth } from '../../../../kernel/proof-health.ts'
import { parseTlogProof } from '../../../verification/server/index.ts'
import { assessProofHealth, type HealthFacts } from '../../domain/proof-health.ts'
import type { LogFacts, PendingAuthority } from '../../domain/seal.ts'

/** What a place in the log says of health. @param proof `log-proof.txt` of it, as far as there is one */
export function logHealthOf(log: LogFacts | null | undefined, proof: Uint8Array | undefined): HealthFacts['log'] {
  if (log == null) return null
  const read = proof === undefined ? 'absent' : parseTlogProof(proof)
  const signatures = typeof read === 'string' ? [] : read.checkpoint.note.signatures
  return {
    index: log.index,
    logged_at: new Date(log.logged_at),
    cosignatures: signatures.filter(({ name }) => name !== log.origin).length,
  }
}

/** How long what was sealed is shown to be as old as it is, as of `now`. @param pending authorities that gave no token */
export function presentHealth(
  id: string,
  measured: Omit<HealthFacts, 'pending_authorities' | 'ask_again_at'>,
  { pending, askAgainAt }: { readonly pending: readonly PendingAuthority[]; readonly askAgainAt: Date | null },
  now: Date,
): ShownProofHealth {
  const facts: HealthFacts = { ...measured, pending_authorities: pending.length, ask_again_at: askAgainAt }
  const health = assessProofHealth(facts, now)
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  const { log, anchor } = facts
  return {
    id,
    assessed_at: now.toISOString(),
    state: health.state,
    stamped_until: iso(health.stamped_until),
    anchored: health.anchored,
    renewal_due: health.renewal_due,
    renew_at: iso(health.renew_at),
    elements: health.elements.map(({ until, next, ...element }) => ({
      ...element,
      until: iso(until),
      next: { action: next.action, at: iso(next.at) },
    })),
    facts: {
      stamps: facts.stamps.map(({ file, authority, at, until, covers, weak }) => ({
        file,
        authority,
        at: at.toISOString(),
        until: until.toISOString(),
        covers: [...covers],
        weak,
      })),
      pending_authorities: pending.map(({ authority }) => authority),
      ask_again_at: iso(askAgainAt),
      log: log === null ? null : { ...log, logged_at: log.logged_at.toISOString() },
      anchor:
        anchor === null
          ? null
          : anchor.state === 'pending'
            ? { ...anchor, since: anchor.since.toISOString(), next_try: iso(anchor.next_try) }
            : { ...anchor, block_time: anchor.block_time.toISOString() },
    },
  }
}
