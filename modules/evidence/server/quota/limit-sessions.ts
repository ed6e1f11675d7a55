import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { askerOf, type Asker } from './name-asker.ts'
import { countAccountSessions, countSessions } from './session-count-store.ts'

export type SessionLimits = Pick<EvidenceWebDeps, 'secret' | 'sessionsPerAddress' | 'sessionsPerAccount'>

/** Who asks for a session: what limits count by. */
export type SessionAsker = Asker & {
  /** Of the draft that is retried, while it is nobody's. */
  readonly tokenHash?: Buffer
}

/** Sessions that one token holds at a time. */
const perToken = 1

/**
 * Refuses one session too many. Two that ask at once, from one address or for one account, come one after the other.
 * @param tx the transaction that then inserts the evidence
 * @throws DomainError `live.too_many_sessions`
 */
export async function admitSession(deps: SessionLimits, tx: Tx, asker: SessionAsker): Promise<void> {
  const { accountId = null } = asker
  if (accountId !== null) {
    const perAccount = deps.sessionsPerAccount ?? 0
    if (perAccount > 0 && (await countAccountSessions(tx, accountId)) >= perAccount)
      throw new DomainError('limited', 'live.too_many_sessions', {})
    return
  }
  const perAddress = deps.sessionsPerAddress ?? 0
  const source = perAddress === 0 ? null : askerOf(deps, asker)
  const { byToken, bySource } = await countSessions(tx, { tokenHash: asker.tokenHash ?? null, source })
  if (byToken >= perToken || (source !== null && bySource >= perAddress))
    throw new DomainError('limited', 'live.too_many_sessions', {})
}
