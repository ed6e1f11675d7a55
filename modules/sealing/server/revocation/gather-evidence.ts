import { createHash } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.ts'
import type { ExchangeRules } from '../connections/exchange.ts'
import type { Keyring } from '../keyring/signer.ts'
import { askIssuer } from './ask-issuer.ts'
import type { RevocationEvidence } from './ask-issuer.ts'

/** Answers for every certificate of a chain but its root; undefined when one is missing. */
export type EvidenceSource = (chain: readonly Uint8Array[], signal?: AbortSignal) => Promise<RevocationEvidence | undefined>

/** For all the answers that one document needs: what an authority does not say by then is not waited for. */
const defaultTimeoutMs = 4_000
/** An issuer's answer serves the seals of the next minutes. */
const keptMs = 10 * 60_000
const mostKept = 64

/**
 * Evidence from the platform's own authorities, whose lists are always at hand, and from others by asking them. Answers are kept for
 * some minutes, refusals too: one authority that hangs must not cost every seal its time-out.
 */
export function createEvidenceSource(deps: {
  readonly keyring: Pick<Keyring, 'revocationList'>
  readonly clock: Clock
  /** `ip:port` of private addresses that may be asked all the same. */
  readonly allowAddresses?: ExchangeRules['allowAddresses']
  readonly timeoutMs?: number
}): EvidenceSource {
  const kept = new Map<string, { readonly until: number; readonly evidence: RevocationEvidence | undefined }>()
  const { keyring, clock, allowAddresses = [], timeoutMs = defaultTimeoutMs } = deps

  async function about(
    certificate: Uint8Array,
    issuer: Uint8Array,
    rules: ExchangeRules,
  ): Promise<RevocationEvidence | undefined> {
    const own = await keyring.revocationList(issuer)
    if (own !== undefined) return { crls: [own], ocsps: [] }
    const key = `${digestOf(certificate)} ${digestOf(issuer)}`
    const now = clock.now()
    const known = kept.get(key)
    if (known !== undefined && known.until > now.getTime()) return known.evidence
    const evidence = await askIssuer(certificate, issuer, now, rules).catch((error: unknown) => {
      // Its time was up: it is not asked again for the next report.
      if (rules.signal?.aborted === true) kept.set(key, { until: now.getTime() + keptMs, evidence: undefined })
      throw error
    })
    if (kept.size >= mostKept) kept.clear()
    kept.set(key, { until: now.getTime() + keptMs, evidence })
    return evidence
  }

  return async (chain, signal) => {
    const deadline = AbortSignal.timeout(timeoutMs)
    const rules = { allowAddresses, timeoutMs, signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]) }
    const crls: Uint8Array[] = []
    const ocsps: Uint8Array[] = []
    try {
      for (const [i, certificate] of chain.slice(0, -1).entries()) {
        const found = await about(certificate, chain[i + 1] as Uint8Array, rules)
        if (found === undefined) return undefined
        crls.push(...found.crls)
        ocsps.push(...found.ocsps)
      }
      return { crls, ocsps }
    } catch (error) {
      signal?.throwIfAborted()
      // Whatever else ends it is the deadline: the seal goes on without.
      if (deadline.aborted) return undefined
      throw error
    }
  }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
