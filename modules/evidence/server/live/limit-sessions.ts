import { createHmac } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { EvidenceWebDeps } from '../deps.ts'
import { countSessions } from './live-store.ts'

/** Who asks for a session: what limits count by. */
export type SessionAsker = {
  /** `HandlerInput.addressPrefix`; null: nobody's address counts, as on the developer's own machine. */
  readonly addressPrefix: string | null
  /** Of the draft that is retried. */
  readonly tokenHash?: Buffer
}

/** Sessions that one token holds at a time. */
const perToken = 1

/** Under which a block of addresses is counted: the database never learns the address (decision 0219). */
export function sourceOf(deps: Pick<EvidenceWebDeps, 'secret'>, addressPrefix: string | null): Buffer | null {
  if (addressPrefix === null) return null
  return createHmac('sha256', deps.secret).update(`probant-live-source/1\n${addressPrefix}`).digest()
}

/**
 * Refuses one session too many. Two that ask at once from one address come one after the other.
 * @param tx the transaction that then inserts the evidence
 * @returns what to keep with it
 * @throws DomainError `live.too_many_sessions`
 */
export async function admitSession(
  deps: Pick<EvidenceWebDeps, 'secret' | 'sessionsPerAddress'>,
  tx: Tx,
  asker: SessionAsker,
): Promise<Buffer | null> {
  const perAddress = deps.sessionsPerAddress ?? 0
  const source = perAddress === 0 ? null : sourceOf(deps, asker.addressPrefix)
  const { byToken, bySource } = await countSessions(tx, { tokenHash: asker.tokenHash ?? null, source })
  if (byToken >= perToken || (source !== null && bySource >= perAddress))
    throw new DomainError('limited', 'live.too_many_sessions', {})
  return source
}
