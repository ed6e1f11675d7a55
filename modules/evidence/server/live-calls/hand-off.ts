import { randomBytes } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { hashOf } from '../own/hold-evidence.ts'
import { findReachable, type Caller } from '../own/reach-store.ts'
import { keepHandOff, takeHandOff as take } from '../../../live/server/index.ts'

const handOffSeconds = 120

/**
 * Keeps the sealed token of a draft for another device: two minutes, one use. The key to it was made in the page and stands in
 * the fragment of the link alone, which browsers send to nobody (RFC 9110 §4.2.4).
 * @returns what the other device asks for it with
 */
export async function createHandOff(
  deps: EvidenceWebDeps,
  caller: Caller,
  id: string,
  sealedToken: string,
): Promise<{ readonly code: string; readonly expiresAt: Date }> {
  const evidence = await findReachable(deps.db, caller, id)
  const code = randomBytes(32).toString('base64url')
  const kept = { evidenceId: evidence.id, codeHash: hashOf(code), sealedToken, seconds: handOffSeconds }
  return { code, expiresAt: await keepHandOff(deps.db, kept) }
}

/** @throws DomainError gone `live.hand_off_gone`: used, replaced, over, or never there */
export async function takeHandOff(
  deps: EvidenceWebDeps,
  code: string,
): Promise<{ readonly evidenceId: string; readonly sealedToken: string }> {
  const found = await take(deps.db, hashOf(code))
  if (found === null) throw new DomainError('gone', 'live.hand_off_gone')
  return found
}
