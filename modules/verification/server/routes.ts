import type { Clock } from '../../../kernel/clock.ts'
import { route, type Route } from '../../../platform/http/route.ts'
import * as contract from '../contract/endpoints.ts'
import { toWire } from '../contract/proof-report.ts'
import { verifyDigest } from '../domain/digest/verify-digest.ts'
import type { HeaderSource, PlatformKeys, ProofDeps } from '../domain/proof.ts'
import type { CurrentLists } from './trusted-lists/current-lists.ts'
import { trustedListRoutes } from './trusted-lists/routes.ts'

export type VerifierDeps = {
  readonly clock: Clock
  /** Block headers that this installation knows. */
  readonly headers?: HeaderSource
  /** What this installation publishes as its own. */
  readonly keys?: () => Promise<PlatformKeys>
  /** The European trusted lists that stand. */
  readonly trustedLists?: () => Promise<CurrentLists>
}

/** One call has this long; what takes longer was made to. */
const patienceMs = 5_000

async function proofDeps(deps: VerifierDeps): Promise<ProofDeps> {
  return {
    now: () => deps.clock.now(),
    signal: AbortSignal.timeout(patienceMs),
    ...(deps.headers === undefined ? {} : { headers: deps.headers }),
    ...(deps.keys === undefined ? {} : { keys: await deps.keys() }),
    ...(deps.trustedLists === undefined ? {} : { trustedLists: (await deps.trustedLists()).lists }),
  }
}

/** P-02: the calls of the verifier, open to anyone; they run what the page runs, and keep nothing. */
export function verifierRoutes(deps: VerifierDeps): Route[] {
  const { clock, trustedLists } = deps
  return [
    ...(trustedLists === undefined ? [] : trustedListRoutes({ clock, lists: trustedLists })),
    route(contract.verifyDigest, async ({ body }) => {
      const { text, algorithm, digest } = body
      return toWire(
        await verifyDigest(
          { text, ...(algorithm === undefined ? {} : { algorithm }), ...(digest === undefined ? {} : { digest }) },
          await proofDeps(deps),
        ),
      )
    }),
  ]
}
