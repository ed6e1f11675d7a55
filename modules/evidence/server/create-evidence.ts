import { randomUUIDv7 } from 'node:crypto'
import { parseWebAddress } from '../../../kernel/web-address.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { Locale } from '../../../kernel/locale.ts'
import type { EvidenceWebDeps } from './deps.ts'
import { newEvidenceToken } from './hold-evidence.ts'
import { insertEvidence, type EvidenceRecord } from './store.ts'

/**
 * Queues the capture of a page (C-27). The address was checked by the contract's rule; here again with the addresses that
 * only the operator's configuration knows.
 * @throws DomainError `evidence.address` with the field `url` holding the reason
 */
export async function createEvidence(
  deps: EvidenceWebDeps,
  input: { url: string; action: 'static'; locale: Locale },
): Promise<{ evidence: EvidenceRecord; token: string }> {
  const address = parseWebAddress(input.url, deps.allowAddresses)
  if (!address.ok) throw new DomainError('invalid', 'evidence.address', {}, { fields: { url: [address.code] } })
  const { token, tokenHash } = newEvidenceToken()
  const evidence = await insertEvidence(deps.db, {
    id: randomUUIDv7(),
    tokenHash,
    action: input.action,
    requestedUrl: address.url,
    locale: input.locale,
    now: deps.clock.now(),
  })
  return { evidence, token }
}
