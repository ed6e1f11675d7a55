import { toHex } from '../../../kernel/bytes.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { route, type Route } from '../../../platform/http/route.ts'
import * as contract from '../contract/endpoints.ts'
import { toWire } from '../contract/proof-report.ts'
import { VerificationStopped } from '../domain/file/readable.ts'
import type { HeaderSource, PlatformKeys, VerifyDeps } from '../domain/known/verify-deps.ts'
import { verifyForm } from '../domain/proof/verify-form.ts'
import type { FormInput } from '../domain/proof/verify-form.ts'
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

async function proofDeps(deps: VerifierDeps): Promise<VerifyDeps> {
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
  const answer = async (input: FormInput) => {
    try {
      return toWire(await verifyForm(input, await proofDeps(deps)))
    } catch (error) {
      if (error instanceof VerificationStopped) throw new DomainError('unavailable', 'verification.took_too_long')
      throw error
    }
  }
  return [
    ...(trustedLists === undefined ? [] : trustedListRoutes({ clock, lists: trustedLists })),
    route(contract.verifyDigest, async ({ body }) => await answer({ form: 'digest', ...body })),
    route(contract.verifyBitcoinSignature, async ({ body }) => await answer({ form: 'bitcoin_signature', ...body })),
    route(contract.verifyNanoSignature, async ({ body }) => await answer({ form: 'nano_signature', ...body })),
    route(contract.verifyChainpointProof, async ({ body }) => await answer({ form: 'chainpoint_proof', ...body })),
    route(contract.verifyEidas, async ({ body }) => await answer({ form: 'eidas', ...body })),
    route(contract.readBitcoinHeader, async ({ params }) => {
      const height = Number(params.height)
      const known = (await deps.headers?.(height)) ?? []
      if (known.length === 0) throw new DomainError('not_found', 'verification.unknown_header', { height })
      return { height, headers: known.map(({ header, source }) => ({ header: toHex(header), source })) }
    }),
  ]
}
