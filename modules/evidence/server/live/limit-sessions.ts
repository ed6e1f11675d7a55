import { createHmac } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { EvidenceWebDeps } from '../deps.ts'
import { countAccountSessions, countSessions } from './live-store.ts'

export type SessionLimits = Pick<EvidenceWebDeps, 'secret' | 'sessionsPerAddress' | 'sessionsPerAccount'>

/** Who asks for a session: what limits count by. */
export type SessionAsker = {
  /** `HandlerInput.addressPrefix`; null: nobody's address counts, as on the developer's own machine. */
  readonly addressPrefix: string | null
  /** Of the draft that is retried, while it is nobody's. */
  readonly tokenHash?: Buffer
  /** In whose name it is asked for: then it is his sessions that count, wherever he and his colleagues sit. */
  readonly accountId?: string | null
}

/** Sessions that one token holds at a time. */
const perToken = 1

/** Under which a block of addresses is counted: the database never learns the address (decision 0219). */
export function sourceOf(deps: Pick<EvidenceWebDeps, 'secret'>, addressPrefix: string | null): Buffer | null {
  if (addressPrefix === null) return null
  return createHmac('sha256', deps.secret).update(`probant-live-source/1\n${addressPrefix}`).digest()
}

/**
 * Refuses one session too many. Two that ask at once, from one address or for one account, come one after the other.
 * @param tx the transaction that then inserts the evidence
 * @returns what to keep with it
 * @throws DomainError `live.too_many_sessions`
 */
export async function admitSession(deps: SessionLimits, tx: Tx, asker: SessionAsker): Promise<Buffer | null> {
  const { accountId = null } = asker
  if (accountId !== null) {
    const perAccount = deps.sessionsPerAccount ?? 0
    if (perAccount > 0 && (await countAccountSessions(tx, accountId)) >= perAccount)
      throw new DomainError('limited', 'live.too_many_sessions', {})
    return null
  }
  const perAddress = deps.sessionsPerAddress ?? 0
  const source = perAddress === 0 ? null : sourceOf(deps, asker.addressPrefix)
  const { byToken, bySource } = await countSessions(tx, { tokenHash: asker.tokenHash ?? null, source })
  if (byToken >= perToken || (source !== null && bySource >= perAddress))
    throw new DomainError('limited', 'live.too_many_sessions', {})
  return source
}
